/** Bases of the smallest bins. */
const SMALLEST_SPAN = 2 ** 14;
/** The number of the first bin on the level of the smallest ones, and on those above. */
const FIRST_BINS = [4681, 585, 73, 9, 1];

/** The smallest bin that spans the bases [start, end) (SAMv1 §5.3, reg2bin), as a record has it: 4680 for [−1, 0). */
export function binOf(start: number, end: number): number {
  let span = SMALLEST_SPAN;
  for (const first of FIRST_BINS) {
    const rank = Math.floor(start / span);
    if (rank === Math.floor((end - 1) / span)) return first + rank;
    span *= 8;
  }
  return 0;
}
