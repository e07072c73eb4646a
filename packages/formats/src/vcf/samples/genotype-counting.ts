import type { AlleleCounts } from './allele-counts.js';

const [SLASH, PIPE, DOT, ZERO, NINE] = [0x2f, 0x7c, 0x2e, 0x30, 0x39];

/**
 * Counts the genotype that begins at `start` and ends before `end` or the first byte that no genotype has. Throws `FormatError`
 * `INVALID_DATA` for an allele that the record lacks.
 */
export function countGenotype(counts: AlleleCounts, bytes: Uint8Array, start: number, end: number): void {
  const called = counts.total;
  let allele = -1;
  for (let at = start; ; at++) {
    const byte = at < end ? (bytes[at] ?? 0) : 0;
    if (byte >= ZERO && byte <= NINE) {
      // A number of many digits stays one that no record has an allele for.
      allele = Math.min(10 * Math.max(0, allele) + byte - ZERO, Number.MAX_SAFE_INTEGER);
      continue;
    }
    if (allele !== -1) counts.add(allele, start);
    if (byte !== SLASH && byte !== PIPE && byte !== DOT) break;
    allele = -1;
  }
  if (counts.total > called) counts.calledSamples++;
}
