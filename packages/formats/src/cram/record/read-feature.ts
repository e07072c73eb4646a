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
