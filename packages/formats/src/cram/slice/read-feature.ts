/** The codes of features: how a read differs from the reference (CRAM 3.1 §10.6). */
export const FEATURE = {
  bases: 0x62,
  baseAndQuality: 0x42,
  substitution: 0x58,
  insertion: 0x49,
  insertedBase: 0x69,
  softClip: 0x53,
  deletion: 0x44,
  skip: 0x4e,
  padding: 0x50,
  hardClip: 0x48,
  qualities: 0x71,
  quality: 0x51,
} as const;

/** Returns whether a feature may be after the last base of a read. */
export function takesNoBase(code: number): boolean {
  return code === FEATURE.deletion || code === FEATURE.skip || code === FEATURE.padding || code === FEATURE.hardClip;
}

/** The bases that a base can be substituted by: the columns of the substitution matrix. */
export const SUBSTITUTIONS = 4;
/** The row of the substitution matrix of each base. That of all others is the one of N. */
export const MATRIX_ROWS: Uint8Array = new Uint8Array(256).fill(4);
for (const [row, letters] of ['Aa', 'Cc', 'Gg', 'Tt'].entries()) {
  for (const letter of letters) MATRIX_ROWS[letter.charCodeAt(0)] = row;
}
