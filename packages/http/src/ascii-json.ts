/**
 * The JSON text of a value in ASCII alone, for bodies whose media type says `charset=us-ascii`. Every other character
 * is escaped, so that names in any script survive.
 */
export function toAsciiJson(value: object): string {
  return JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
