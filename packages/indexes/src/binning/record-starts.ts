import { compareVirtualOffsets, type VirtualOffset, virtualOffsetFromU64 } from '@htskit/bgzf';
import { wordAt } from './words.js';

/** Places of a file at which a record begins: where the chunks of an index start. */
export class RecordStarts {
  /** Sorted; of each, two words. */
  readonly #halves: Uint32Array;

  /** `chunkPositions` is where the chunks stand in `words`. */
  constructor(words: Uint32Array, chunkPositions: Iterable<number>) {
    const positions = Uint32Array.from(chunkPositions);
    const starts = new BigUint64Array(positions.length);
    const halves = new Uint32Array(starts.buffer);
    // Copied by halves, which is ten times as fast as by bigints; both are little-endian, as the index is.
    for (let rank = 0; rank < positions.length; rank++) {
      const at = wordAt(positions, rank);
      halves[2 * rank] = wordAt(words, at);
      halves[2 * rank + 1] = wordAt(words, at + 1);
    }
    starts.sort();
    this.#halves = halves;
  }

  /** As `BinningIndex.splitAt`. */
  splitAt(start: VirtualOffset, byteLength: number): VirtualOffset | undefined {
    const behind = this.#countUpTo(start);
    const last = this.#countUpTo({ coffset: start.coffset + byteLength, uoffset: 0 }) - 1;
    const rank = Math.max(behind, last);
    return 2 * rank < this.#halves.length ? this.#at(rank) : undefined;
  }

  /** How many starts are not behind an offset. */
  #countUpTo(offset: VirtualOffset): number {
    let low = 0;
    let high = this.#halves.length / 2;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareVirtualOffsets(this.#at(middle), offset) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #at(rank: number): VirtualOffset {
    return virtualOffsetFromU64(wordAt(this.#halves, 2 * rank), wordAt(this.#halves, 2 * rank + 1));
  }
}
