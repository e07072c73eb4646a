/** Bases of the smallest bins. */
const SMALLEST_BIN_BASES = 2 ** 14;
/** The first bin of each level, from that of the smallest bins upwards. */
const FIRST_BINS = [4681, 585, 73, 9, 1];

/** Returns the smallest bin that contains the bases [start, end) (SAMv1 §5.3, reg2bin); 4680 for [−1, 0). */
export function binOf(start: number, end: number): number {
  let binBases = SMALLEST_BIN_BASES;
  for (const first of FIRST_BINS) {
    const index = Math.floor(start / binBases);
    if (index === Math.floor((end - 1) / binBases)) return first + index;
    binBases *= 8;
  }
  return 0;
}
