import type { KeySelection } from './record-rewriter.js';

const encoder = new TextEncoder();

/** The keys that a selection keeps, told by the bytes of their names. */
export class KeyNames {
  /** In order of their bytes. */
  readonly #listed: readonly Uint8Array[];
  /** Whether those listed are kept, or all others. */
  readonly #isKept: boolean;

  constructor({ tags, notags = [] }: KeySelection) {
    const excluded = new Set(notags);
    const listed = tags === undefined ? [...excluded] : tags.filter((name) => !excluded.has(name));
    this.#listed = listed
      .map((name) => encoder.encode(name))
      .sort((first, second) => compareName(first, second, 0, second.length));
    this.#isKept = tags !== undefined;
  }

  /** Whether the key of that name is kept. */
  keepsName(name: string): boolean {
    const bytes = encoder.encode(name);
    return this.keeps(bytes, 0, bytes.length);
  }

  /** Whether the key is kept whose name stands in [start, end) of `bytes`. */
  keeps(bytes: Uint8Array, start: number, end: number): boolean {
    // By halves: names in a list may be many, and chosen such that they share a hash.
    let low = 0;
    let high = this.#listed.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = compareName(this.#listed[middle] ?? bytes, bytes, start, end);
      if (order === 0) return this.#isKept;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return !this.#isKept;
  }
}

/** Negative if `name` comes before the bytes [start, end), positive if behind them, 0 if they are equal. */
function compareName(name: Uint8Array, bytes: Uint8Array, start: number, end: number): number {
  const length = Math.min(name.length, end - start);
  for (let rank = 0; rank < length; rank++) {
    const difference = (name[rank] ?? 0) - (bytes[start + rank] ?? 0);
    if (difference !== 0) return difference;
  }
  return name.length - (end - start);
}
