/**
 * Text for a terminal, on one line: characters that would be commands to it, or that it does not show, are written as in JSON.
 */
export function escapeControls(text: string): string {
  return text.replace(/\p{C}/gu, (character) => character.split('').map(escapeUnit).join(''));
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
