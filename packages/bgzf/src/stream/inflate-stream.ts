import { type BorrowedBytes, type ByteRange, type ByteSource, type ReadOptions, readChunks } from '@htskit/io';
import { BgzfError } from '../bgzf-error.js';
import { acquireInflater } from '../block/block-inflater.js';
import { inflateSlice } from '../block/inflate-blocks.js';
import type { EngineOptions, InflateEngine } from '../engines/codec-engine.js';
import { blockRange, type VirtualOffset, type VirtualRange } from '../virtual-offset.js';
import { BlockSplitter, streamBlocks } from './stream-blocks.js';

/** Uncompressed data of one block or a part of it; `coffset` and `uoffset` are the virtual offset of `data[0]`. */
export interface InflatedSpan extends VirtualOffset {
  /** At most 64 KiB, valid until the iteration continues or ends. */
  readonly data: BorrowedBytes;
  /** The stored block, if the span is all of its data: a view of the chunk that holds it. */
  readonly block?: Uint8Array;
}

/**
 * Yields the uncompressed data of a stream of blocks, block by block, in constant memory. Spans are never empty, and
 * how the bytes are chunked makes no difference. `coffset` is the offset of the first byte in the file. Throws the same
 * errors as `streamBlocks` and `BlockInflater.inflate`, after the spans of all blocks before the faulty one.
 *
 * @example
 * for await (const { data } of inflateStream(createReadStream('genome.fa.gz'))) process.stdout.write(toOwned(data));
 */
export async function* inflateStream(
  chunks: AsyncIterable<Uint8Array>,
  options: EngineOptions & { readonly coffset?: number } = {},
): AsyncGenerator<InflatedSpan, void> {
  const { inflater, release } = acquireInflater(options.engine);
  try {
    for await (const { coffset, bytes } of streamBlocks(chunks, options)) {
      const data = inflater.inflate(bytes, { coffset });
      if (data.length > 0) yield { data, coffset, uoffset: 0 };
    }
  } finally {
    release();
  }
}

/**
 * Yields the uncompressed data of `range`, block by block, from one stream of the source. Spans are never empty.
 * Stopping early cancels the stream. Throws INVALID_OFFSET if `range` does not fit the blocks, TRUNCATED if the file
 * ends before the range does, and as `BlockInflater.inflate`.
 *
 * @example
 * const range = { start: chunk.start, end: chunk.end };
 * for await (const { data, coffset, uoffset } of inflateRange(source, range)) parse(peek(data), { coffset, uoffset });
 */
export async function* inflateRange(
  source: Pick<ByteSource, 'stream'>,
  range: VirtualRange,
  options: ReadOptions & EngineOptions = {},
): AsyncGenerator<InflatedSpan, void> {
  const inflater = new RangeInflater(range, options);
  if (inflater.isComplete) return;
  for await (const chunk of readChunks(source.stream(inflater.byteRange, options))) {
    yield* inflater.push(chunk);
    if (inflater.isComplete) return;
  }
  inflater.finish();
}

/**
 * Inflates the data of a range from bytes that arrive in chunks of any size: `inflateRange` for a caller that reads the bytes
 * itself, on another thread for example. Throws the same errors.
 */
export class RangeInflater {
  /** The bytes of the file to push. The file may end before them. */
  readonly byteRange: ByteRange;
  readonly #range: VirtualRange;
  readonly #engine: InflateEngine | undefined;
  readonly #blocks: BlockSplitter;
  #isComplete: boolean;

  /** Throws INVALID_OFFSET for an invalid range. */
  constructor(range: VirtualRange, { engine }: EngineOptions = {}) {
    const { start, end } = range;
    this.byteRange = blockRange(range);
    this.#range = range;
    this.#engine = engine;
    this.#blocks = new BlockSplitter(start.coffset);
    this.#isComplete = start.coffset === end.coffset && start.uoffset === end.uoffset;
  }

  /** Whether the range has ended, so that further bytes are not needed. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Yields the data of the blocks that end in `chunk`. A span is valid until the iteration continues or ends. */
  *push(chunk: Uint8Array): Generator<InflatedSpan, void> {
    if (this.#isComplete) return;
    const { start, end } = this.#range;
    const { inflater, release } = acquireInflater(this.#engine);
    try {
      for (const block of this.#blocks.push(chunk)) {
        const { coffset } = block;
        // The range ends within the block before: this throws.
        if (coffset > end.coffset) this.finish();
        const uoffset = coffset === start.coffset ? start.uoffset : 0;
        const slice = { start: uoffset, end: coffset === end.coffset ? end.uoffset : undefined };
        const { data, isWhole } = inflateSlice(inflater, block, slice);
        this.#isComplete = coffset === end.coffset;
        if (data.length > 0) yield { data, block: isWhole ? block.bytes : undefined, coffset, uoffset };
        if (this.#isComplete) return;
      }
    } finally {
      release();
    }
  }

  /** Ends the bytes. Throws TRUNCATED if the range has not ended, and INVALID_OFFSET if it ends within a block. */
  finish(): void {
    if (this.#isComplete) return;
    const { end } = this.#range;
    this.#blocks.walker.finishAt(end.coffset);
    if (end.uoffset > 0) throw new BgzfError('TRUNCATED', 'expected a block, found the end', { offset: end.coffset });
    this.#isComplete = true;
  }
}
