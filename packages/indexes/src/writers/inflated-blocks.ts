import { BgzfError, type BgzfPool, GziBuilder, type VirtualOffset } from '@htskit/bgzf';
import { BlockInflater, streamBlocks } from '@htskit/bgzf/internal';
import { type BorrowedBytes, MemoryError, peek, toOwned } from '@htskit/io';
import { growBytes, type MemoryAccount, yieldToEventLoop } from '@htskit/io/internal';
import { IndexError } from '../index-error.js';

/** Options of all functions that index a BGZF file. */
export interface IndexStreamOptions {
  /** Decompresses on all processors. By default the calling thread does. */
  readonly pool?: BgzfPool;
  readonly signal?: AbortSignal;
  /** Called after each block with the number of compressed bytes read so far. */
  readonly onProgress?: (bytesRead: number) => void;
  /** Limit of the uncompressed size of the header, and of the sequence names of a text file, in bytes. Default 128 MiB. */
  readonly maxHeaderBytes?: number;
  /** Limit of the uncompressed size of the index in bytes. Default 1 GiB. */
  readonly maxIndexBytes?: number;
  /** Limit of a record or line in bytes. Default 256 MiB. */
  readonly maxRecordBytes?: number;
  /** Counts the memory of long records and headers while they grow. Default: it is not counted. */
  readonly memory?: MemoryAccount;
}

/** Default of `maxRecordBytes`. */
export const MAX_RECORD_BYTES: number = 2 ** 28;

/** The maximum number of uncompressed bytes of the blocks at both ends of a record. */
export const BLOCKS_BYTES: number = 2 ** 17;

/**
 * Uncompressed bytes after which the event loop gets a turn, about every hundred milliseconds. They are counted after
 * decompression, because a chunk can expand to a thousand times its size.
 */
const TURN_BYTES = 2 ** 24;

/** Default of `maxHeaderBytes`. */
export const MAX_HEADER_BYTES: number = 2 ** 27;

/**
 * Decompresses the blocks of a file in order. Throws `IndexError` INVALID_MAGIC if
 * the file does not begin with a BGZF block, `BgzfError` if a later block is damaged, and the reason of the signal.
 */
export async function* inflateBlocks(
  chunks: AsyncIterable<Uint8Array>,
  { pool, signal, onProgress }: IndexStreamOptions,
): AsyncGenerator<InflatedBlock, void> {
  signal?.throwIfAborted();
  let isEmpty = true;
  let turnBytes = 0;
  try {
    for await (const block of pool === undefined ? inflateHere(chunks) : inflateInPool(chunks, pool)) {
      signal?.throwIfAborted();
      isEmpty = false;
      turnBytes += block.data.length;
      yield block;
      onProgress?.(block.nextCoffset);
      if (turnBytes < TURN_BYTES) continue;
      turnBytes = 0;
      await yieldToEventLoop();
    }
  } catch (error) {
    if (error instanceof BgzfError && error.code === 'INVALID_HEADER' && error.offset === 0)
      throw toNotBgzfError(error);
    throw error;
  }
  if (isEmpty) throw toNotBgzfError();
}

function toNotBgzfError(cause?: unknown): IndexError {
  return new IndexError('INVALID_MAGIC', 'not a BGZF file; compress it with bgzip', { offset: 0, cause });
}

async function* inflateHere(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<InflatedBlock, void> {
  const inflater = new BlockInflater();
  for await (const { coffset, bytes } of streamBlocks(chunks)) {
    yield { coffset, nextCoffset: coffset + bytes.length, data: inflater.inflate(bytes, { coffset }) };
  }
}

interface BlockEntry {
  readonly coffset: number;
  readonly isize: number;
}

/** Collects the offsets and sizes of the blocks that a pool decompresses. */
class BlockLog extends GziBuilder {
  #entries: BlockEntry[] = [];

  override add(coffset: number, isize: number): void {
    this.#entries.push({ coffset, isize });
  }

  /** Returns the blocks since the last call. */
  take(): BlockEntry[] {
    const entries = this.#entries;
    this.#entries = [];
    return entries;
  }
}

/**
 * Decompresses blocks in a pool, which returns pieces of several blocks. The end of a block is the start of the next one, so
 * the last block of a piece is kept until the next piece arrives. Throws the errors of `BgzfPool.inflate`.
 */
async function* inflateInPool(chunks: AsyncIterable<Uint8Array>, pool: BgzfPool): AsyncGenerator<InflatedBlock, void> {
  const log = new BlockLog();
  let fileLength = 0;
  async function* counted(): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of chunks) {
      fileLength += chunk.length;
      yield chunk;
    }
  }
  let last: Pick<InflatedBlock, 'coffset' | 'data'> | undefined;
  for await (const piece of pool.inflate(counted(), { gzi: log })) {
    let offset = 0;
    for (const { coffset, isize } of log.take()) {
      if (last !== undefined) yield { ...last, nextCoffset: coffset };
      last = { coffset, data: peek(piece).subarray(offset, offset + isize) };
      offset += isize;
    }
    if (last !== undefined) last = { coffset: last.coffset, data: toOwned(last.data) };
  }
  const rest = log.take();
  last ??= rest[0] && { coffset: rest[0].coffset, data: new Uint8Array(0) };
  if (last !== undefined) yield { ...last, nextCoffset: rest[0]?.coffset ?? fileLength };
}

const FIRST_CAPACITY = 2 ** 18;

/** The uncompressed data of a block and the position of the block in the file. */
export interface InflatedBlock {
  readonly coffset: number;
  /** Offset of the next block. */
  readonly nextCoffset: number;
  readonly data: BorrowedBytes;
}

/**
 * Holds the uncompressed data of consecutive blocks in one buffer, for records that span blocks. Data that was read is
 * dropped; the rest, at most the beginning of a record, is moved to the front when a block is added.
 */
export class BlockWindow {
  readonly #maxBytes: number;
  readonly #memory: MemoryAccount | undefined;
  #buffer = new Uint8Array(FIRST_CAPACITY);
  #start = 0;
  #end = 0;
  /** The blocks in the window: the start and end of their data in the buffer, and their offsets in the file. */
  readonly #blocks: { start: number; end: number; readonly coffset: number; readonly nextCoffset: number }[] = [];

  /** `maxBytes` limits the data that has not been read. */
  constructor({ maxBytes, memory }: { readonly maxBytes: number } & Pick<IndexStreamOptions, 'memory'>) {
    this.#maxBytes = maxBytes;
    this.#memory = memory;
  }

  /** The data that has not been read, as a view that is valid until a block is added. */
  get data(): Uint8Array {
    return this.#buffer.subarray(this.#start, this.#end);
  }

  /** Adds a block. Throws `IndexError` LIMIT_EXCEEDED if more than `maxBytes` would be unread, and `MemoryError`. */
  add({ coffset, nextCoffset, data }: InflatedBlock): void {
    if (data.length === 0) return;
    this.#moveToFront();
    const end = this.#end + data.length;
    const offset = this.#blocks[0]?.coffset ?? coffset;
    if (end > this.#maxBytes) {
      throw new IndexError('LIMIT_EXCEEDED', `a record or header exceeds the limit of ${this.#maxBytes} bytes`, {
        offset,
      });
    }
    if (end > this.#buffer.length) this.#grow(end, offset);
    this.#buffer.set(peek(data), this.#end);
    this.#blocks.push({ start: this.#end, end, coffset, nextCoffset });
    this.#end = end;
  }

  /**
   * Returns the virtual offset after the first `length` bytes of `data`, which must not be 0, as HTSlib's bgzf_tell does: the
   * end of a block is the start of the next one, even if that one is empty.
   */
  offsetAfter(length: number): VirtualOffset {
    const at = this.#start + length;
    // Nearly always the last block: those before it contain one record, which ends in the last one.
    let index = this.#blocks.length - 1;
    while (index > 0 && (this.#blocks[index]?.start ?? 0) >= at) index--;
    const block = this.#blocks[index];
    if (block === undefined) return { coffset: 0, uoffset: 0 };
    if (at === block.end) return { coffset: block.nextCoffset, uoffset: 0 };
    return { coffset: block.coffset, uoffset: at - block.start };
  }

  /** Drops the first `length` bytes of `data`. */
  skip(length: number): void {
    this.#start += length;
  }

  #grow(byteLength: number, offset: number): void {
    const options = { keptBytes: this.#end, byteLength, maxBytes: this.#maxBytes, memory: this.#memory };
    try {
      this.#buffer = growBytes(this.#buffer, options);
    } catch (error) {
      if (!(error instanceof MemoryError && error.code === 'LIMIT_EXCEEDED')) throw error;
      throw new IndexError('LIMIT_EXCEEDED', `a record or header is too long: ${error.message}`, {
        offset,
        cause: error,
      });
    }
  }

  #moveToFront(): void {
    const start = this.#start;
    if (start === 0) return;
    this.#buffer.copyWithin(0, start, this.#end);
    this.#start = 0;
    this.#end -= start;
    const kept = this.#blocks.findIndex(({ end }) => end > start);
    this.#blocks.splice(0, kept === -1 ? this.#blocks.length : kept);
    // The start of a block whose data was partly read becomes negative.
    for (const block of this.#blocks) {
      block.start -= start;
      block.end -= start;
    }
  }
}
