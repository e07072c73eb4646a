import type { DeflateOptions } from '@htskit/bgzf';
import { createZlibInflater, deflateZlib } from '@htskit/bgzf/internal';
import { type BlockRange, RTree, type RTreeCounts } from './r-tree.js';
import type { FileEnd } from './target.js';

/** Bytes that are read back at once. */
const READ_BYTES = 2 ** 20;
/** Bytes of the longest block before compression: the summaries of one block. */
const MAX_BLOCK_BYTES = 2 ** 15;

/** The compressed blocks of one part of a bigWig file, which lie one after the other, and their R-tree. */
export class BlockList {
  readonly #end: FileEnd;
  readonly #deflate: DeflateOptions;
  readonly #tree = new RTree();

  constructor(end: FileEnd, deflate: DeflateOptions) {
    this.#end = end;
    this.#deflate = deflate;
  }

  /** The number of blocks. */
  get length(): number {
    return this.#tree.length;
  }

  /** Appends a block of at most 32 KiB to the file. */
  add(block: Uint8Array, range: BlockRange): void {
    const start = this.#end.position;
    this.#end.append(deflateZlib(block, this.#deflate));
    this.#tree.add(range, { start, end: this.#end.position });
  }

  /** Reads all blocks back, each valid until the next one. They must have been flushed. */
  async *read(): AsyncGenerator<DataView, void> {
    const inflate = createZlibInflater();
    for (let first = 0; first < this.length; ) {
      const { start } = this.#tree.byteRange(first);
      let { end } = this.#tree.byteRange(first);
      let last = first + 1;
      for (; last < this.length && end - start < READ_BYTES; last++) end = this.#tree.byteRange(last).end;
      const bytes = await this.#end.read({ start, end });
      for (; first < last; first++) {
        const block = this.#tree.byteRange(first);
        const stored = bytes.subarray(block.start - start, block.end - start);
        const data = inflate(stored, { size: MAX_BLOCK_BYTES, coffset: block.start });
        yield new DataView(data.buffer, data.byteOffset, data.length);
      }
    }
  }

  /** Appends the tree and returns its offset. All blocks are then flushed. */
  async writeTree(counts: RTreeCounts): Promise<number> {
    const offset = this.#end.position;
    for (const piece of this.#tree.encode(offset, counts)) {
      this.#end.append(piece);
      await this.#end.drain();
    }
    await this.#end.flush();
    return offset;
  }
}
