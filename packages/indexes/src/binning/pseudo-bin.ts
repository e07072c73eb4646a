import { countAt, type IndexWords, isZeroPair, NOWHERE } from './words.js';

// The pseudo-bin of a reference (SAMv1 §5.2) has the form of two chunks: where the reference begins and ends in the file,
// then its counts of mapped and of unmapped records.
const MAPPED = 4;
const UNMAPPED = 6;

/** Chunks of a pseudo-bin. */
export const PSEUDO_BIN_CHUNKS = 2;

/** Numbers of records that are placed on a reference. */
export interface ReferenceStatistics {
  readonly mapped: number;
  readonly unmapped: number;
}

/** The counts of the pseudo-bin whose chunks begin at `at`. Throws INVALID_DATA for one that a number cannot hold. */
export function pseudoBinStatistics(data: IndexWords, at: number): ReferenceStatistics {
  return { mapped: countAt(data, at + MAPPED), unmapped: countAt(data, at + UNMAPPED) };
}

/** Whether the reference may have unmapped records; it may where there is no pseudo-bin that denies it. */
export function mayHaveUnmapped(words: Uint32Array, at: number): boolean {
  return at === NOWHERE || !isZeroPair(words, at + UNMAPPED);
}
