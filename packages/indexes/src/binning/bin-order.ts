import { wordAt } from './words.js';

/** Numbers of bins, and one value with each. */
export interface BinPairs {
  readonly keys: Uint32Array;
  readonly values: Uint32Array;
}

const DIGIT_BITS = 8;
const DIGITS = 2 ** DIGIT_BITS;

/** Sorts pairs by keys below `limit`, in memory that may be theirs: digit by digit, in a tenth of the time of comparing. */
export function sortPairs(pairs: BinPairs, limit: number): BinPairs {
  const count = pairs.keys.length;
  let from = pairs;
  let to: BinPairs = { keys: new Uint32Array(count), values: new Uint32Array(count) };
  for (let shift = 0; 2 ** shift < limit; shift += DIGIT_BITS) {
    sortByDigit(from, to, shift);
    [from, to] = [to, from];
  }
  return from;
}

function sortByDigit(from: BinPairs, to: BinPairs, shift: number): void {
  const count = from.keys.length;
  const ranks = new Uint32Array(DIGITS + 1);
  for (let pair = 0; pair < count; pair++) {
    const next = ((wordAt(from.keys, pair) >>> shift) & (DIGITS - 1)) + 1;
    ranks[next] = wordAt(ranks, next) + 1;
  }
  for (let digit = 0; digit < DIGITS; digit++) ranks[digit + 1] = wordAt(ranks, digit + 1) + wordAt(ranks, digit);
  for (let pair = 0; pair < count; pair++) {
    const key = wordAt(from.keys, pair);
    const digit = (key >>> shift) & (DIGITS - 1);
    const rank = wordAt(ranks, digit);
    ranks[digit] = rank + 1;
    to.keys[rank] = key;
    to.values[rank] = wordAt(from.values, pair);
  }
}

/**
 * The first rank in [from, to) whose bin is not numbered below `number`; `to` if there is none. Ranks grow at most by one
 * for each number, and there are few gaps, so it looks backwards from there, ever further.
 */
export function findRank(numbers: Uint32Array, number: number, from: number, to: number): number {
  if (from === to || number <= wordAt(numbers, from)) return from;
  let high = Math.min(to, from + number - wordAt(numbers, from));
  let low = high;
  for (let step = 1; low > from && wordAt(numbers, low - 1) >= number; step *= 2) {
    high = low - 1;
    low = Math.max(from, low - step);
  }
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (wordAt(numbers, middle) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
