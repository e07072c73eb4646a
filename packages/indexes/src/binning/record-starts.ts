import { compareVirtualOffsets, type VirtualOffset, virtualOffsetFromU64 } from '@htskit/bgzf';
import { wordAt } from './words.js';

/** Most starts that are kept: sorting more would stall a server, and a file is split into far fewer pieces. */
const MAX_STARTS = 2 ** 16;

/** Virtual offsets at which a record begins: the starts of the chunks of an index, or of some of a long one. */
export class RecordStarts {
  /** Two words per offset, sorted by offset. */
  readonly #halves: Uint32Array;

  /** Takes the positions of the chunks in `words`. */
  constructor(words: Uint32Array, positions: Uint32Array) {
    const stride = Math.max(1, Math.ceil(positions.length / MAX_STARTS));
    const starts = new BigUint64Array(Math.ceil(positions.length / stride));
    const halves = new Uint32Array(starts.buffer);
    // Copying halves is ten times as fast as copying bigints. The memory is little-endian, as the index is.
    for (let i = 0; i < starts.length; i++) {
      const at = wordAt(positions, i * stride);
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
