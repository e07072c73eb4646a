import type { DepthColumns } from './depth-columns.js';

const PAIRED = 1;
const MATE_UNMAPPED = 8;
/** Operations of CIGAR that span bases of the reference, as bits: M, D, N, =, X. */
const SPANNING = 0b1_1000_1101;
const latin1 = new TextDecoder('latin1');

/**
 * Finds the overlaps of the two reads of a pair, as `samtools depth -s` does: by their names, without regard to their bases and
 * qualities. Memory holds the names of reads whose mates are still to come.
 */
export class MateOverlaps {
  /** The ends of reads whose mates may overlap them, by name. They stay if the mate is filtered out, as in samtools. */
  readonly #ends = new Map<string, number>();

  /**
   * Returns the base up to which a record does not count because its mate, which was before it, does; 0 if there is none. Each record
   * that passes the filters must be passed, in the order of the file.
   */
  clipOf(columns: DepthColumns, record: number): number {
    const { names, flags, start, cigar, referenceId, mateReferenceId, mateStart } = columns;
    if (names === undefined || ((flags[record] ?? 0) & (PAIRED | MATE_UNMAPPED)) !== PAIRED) return 0;
    const name = latin1.decode(names.values.subarray(names.offsets[record], names.offsets[record + 1]));
    const end = this.#ends.get(name);
    if (end !== undefined) {
      this.#ends.delete(name);
      return end;
    }
    const mate = mateStart?.[record] ?? -1;
    const isNear = mate === -1 || referenceId[record] === mateReferenceId?.[record];
    if (!isNear) return 0;
    const operations = cigar.values.subarray(cigar.offsets[record], cigar.offsets[record + 1]);
    const ownEnd = (start[record] ?? 0) + Math.max(1, spannedBases(operations));
    if (mate <= ownEnd) this.#ends.set(name, ownEnd);
    return 0;
  }
}

function spannedBases(operations: Uint32Array): number {
  let bases = 0;
  for (const operation of operations) if ((SPANNING & (1 << (operation & 15))) !== 0) bases += operation >>> 4;
  return bases;
}
