/** Makes random choices, which a seed repeats. */
export class Choices {
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** Returns an integer from 0 to `limit`, exclusive. */
  below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  /** Returns true in `share` of the cases. */
  chance(share: number): boolean {
    return this.#random() < share;
  }

  pick<T>(values: readonly T[]): T {
    const value = values[this.below(values.length)];
    if (value === undefined) throw new Error('there is nothing to choose from');
    return value;
  }

  /** Returns from `least` to `most` results of `create`. */
  several<T>(least: number, most: number, create: (index: number) => T): T[] {
    return Array.from({ length: least + this.below(most - least + 1) }, (_, index) => create(index));
  }
}
