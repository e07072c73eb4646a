import { compareVirtualOffsets, type VirtualOffset, virtualOffsetFromU64 } from '@htskit/bgzf';
import { wordAt } from './words.js';

/** Virtual offsets at which a record begins: the starts of all chunks of an index. */
export class RecordStarts {
  /** Two words per offset, sorted by offset. */
  readonly #halves: Uint32Array;

  /** Takes the positions of the chunks in `words`. */
  constructor(words: Uint32Array, chunkPositions: Iterable<number>) {
    const positions = Uint32Array.from(chunkPositions);
    const starts = new BigUint64Array(positions.length);
    const halves = new Uint32Array(starts.buffer);
    // Copying halves is ten times as fast as copying bigints. The memory is little-endian, as the index is.
    for (let i = 0; i < positions.length; i++) {
      const at = wordAt(positions, i);
      halves[2 * i] = wordAt(words, at);
      halves[2 * i + 1] = wordAt(words, at + 1);
    }
    starts.sort();
    this.#halves = halves;
  }

  /** Implements `BinningIndex.splitAt`. */
  splitAt(start: VirtualOffset, byteLength: number): VirtualOffset | undefined {
    const next = this.#countUpTo(start);
    const last = this.#countUpTo({ coffset: start.coffset + byteLength, uoffset: 0 }) - 1;
    const index = Math.max(next, last);
    return 2 * index < this.#halves.length ? this.#at(index) : undefined;
  }

  /** Counts the starts at or before an offset. */
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

  #at(index: number): VirtualOffset {
    return virtualOffsetFromU64(wordAt(this.#halves, 2 * index), wordAt(this.#halves, 2 * index + 1));
  }
}
