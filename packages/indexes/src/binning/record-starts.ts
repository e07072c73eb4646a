import { compareVirtualOffsets, type VirtualOffset } from '@htskit/bgzf';
import { virtualOffsetFromU64 } from '@htskit/bgzf/internal';
import { firstIndex } from '@htskit/io/internal';
import { CHUNK_WORDS } from './reference-table.js';
import { wordAt } from './words.js';

/** The maximum number of starts that are kept: sorting more would stall a server, and a file is split into far fewer pieces. */
const MAX_STARTS = 2 ** 16;

/** Virtual offsets at which a record begins: the starts of the chunks of an index, or of some of a long one. */
export class RecordStarts {
  readonly #words: Uint32Array;
  readonly #stride: number;
  #chunkCount = 0;
  /** Two words per offset, sorted by offset. Copying halves is ten times as fast as copying bigints. */
  #halves: Uint32Array;

  /** Takes the words of an index. */
  constructor(words: Uint32Array) {
    const mostChunks = Math.ceil(words.length / CHUNK_WORDS);
    this.#words = words;
    this.#stride = Math.max(1, Math.ceil(mostChunks / MAX_STARTS));
    this.#halves = new Uint32Array(2 * Math.ceil(mostChunks / this.#stride));
  }

  /** Adds the start of the chunk at a position in the words. */
  add(chunkAt: number): void {
    const index = this.#chunkCount++ / this.#stride;
    if (!Number.isInteger(index)) return;
    this.#halves[2 * index] = wordAt(this.#words, chunkAt);
    this.#halves[2 * index + 1] = wordAt(this.#words, chunkAt + 1);
  }

  /** Sorts the starts once all are added. The memory is little-endian, as the index is. */
  finish(): void {
    this.#halves = this.#halves.slice(0, 2 * Math.ceil(this.#chunkCount / this.#stride));
    new BigUint64Array(this.#halves.buffer).sort();
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
    return firstIndex(this.#halves.length / 2, (start) => compareVirtualOffsets(this.#at(start), offset) > 0);
  }

  #at(index: number): VirtualOffset {
    return virtualOffsetFromU64(wordAt(this.#halves, 2 * index), wordAt(this.#halves, 2 * index + 1));
  }
}
