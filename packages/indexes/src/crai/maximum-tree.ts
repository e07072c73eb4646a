/** Number of values that each value of the next level summarises. */
const FAN_OUT = 8;

/**
 * Finds the values of a sequence that are larger than a bound without examining all others. Each level stores the maxima of
 * eight values of the level below.
 */
export class MaximumTree {
  readonly #levels: readonly Float64Array[];

  /** Takes the levels that `maximumLevels` returns. */
  constructor(levels: readonly Float64Array[]) {
    this.#levels = levels;
  }

  /** Returns the index, from `from` on, of the first value larger than `bound`, or the length of the sequence. */
  findLarger(bound: number, from: number): number {
    const levels = this.#levels;
    let height = 0;
    let level = levels[0] ?? new Float64Array(0);
    const { length } = level;
    for (let at = from; at < level.length; ) {
      if ((level[at] ?? 0) > bound) {
        if (height === 0) return at;
        height -= 1;
        at *= FAN_OUT;
      } else {
        at += 1;
        while (at % FAN_OUT === 0 && height < levels.length - 1) {
          at /= FAN_OUT;
          height += 1;
        }
      }
      level = levels[height] ?? level;
    }
    return length;
  }
}

/** Returns the levels of a tree. The first one holds the values. */
export function maximumLevels(values: Float64Array): Float64Array[] {
  const levels = [values];
  for (let level = values; level.length > 1; levels.push(level)) level = maxima(level);
  return levels;
}

/** Returns the lengths of the levels of a tree over some number of values. */
export function levelLengths(valueCount: number): number[] {
  const lengths = [valueCount];
  for (let length = valueCount; length > 1; lengths.push(length)) length = Math.ceil(length / FAN_OUT);
  return lengths;
}

function maxima(values: Float64Array): Float64Array {
  const level = new Float64Array(Math.ceil(values.length / FAN_OUT));
  for (let at = 0; at < level.length; at++) {
    let maximum = Number.NEGATIVE_INFINITY;
    const end = Math.min((at + 1) * FAN_OUT, values.length);
    for (let child = at * FAN_OUT; child < end; child++) maximum = Math.max(maximum, values[child] ?? maximum);
    level[at] = maximum;
  }
  return level;
}
