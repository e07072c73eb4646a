/** Escapes control characters and invisible characters as in JSON, so that text stays on one line and cannot control a terminal. */
export function escapeControls(text: string): string {
  return text.replace(/\p{C}/gu, (character) => character.split('').map(escapeUnit).join(''));
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
