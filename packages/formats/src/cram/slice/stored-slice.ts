import type { MemoryAccount } from '@htskit/io/internal';
import { FormatError, locateMemoryError } from '../../format-error.js';
import { BitReader, ByteCursor, type Positioned } from '../byte-cursor.js';
import {
  BLOCK_CONTENT,
  blockData,
  type CramBlock,
  type CramDecodeBudget,
  MAX_RAW_SIZE,
  readBlock,
} from '../container/block.js';
import type { BlockMemory } from '../container/block-memory.js';
import { type CramCompressionHeader, readCompressionHeader } from '../container/compression-header.js';
import { CORE_BLOCK } from '../container/encoding.js';
import { type CramSliceHeader, parseSliceHeader, type SliceHeaderOptions } from './slice-header.js';

/** The uncompressed blocks of a slice, while they are read from start to end. */
export interface SliceStreams {
  readonly core: BitReader;
  readonly budget: CramDecodeBudget;
  /** Returns the cursor of an external block. Series that share a block share its cursor. */
  external(contentId: number): ByteCursor;
  /** Returns what was opened so far. */
  opened(): readonly Positioned[];
}

/** The version of the file, and the limits of decompressing a slice. */
export interface StoredSliceOptions extends SliceHeaderOptions {
  /** The maximum number of uncompressed bytes of the blocks that are read, and of the reference. Default: 256 MiB. */
  readonly maxBytes?: number;
  /** The maximum number of bytes of a record. Default: 256 MiB. */
  readonly recordBytes?: number;
  /** Counts the memory of the slice. Default: it is not counted. */
  readonly memory?: MemoryAccount;
  /** Whether the slice outlives the bytes that it is read from. Default: it does not. */
  readonly isKept?: boolean;
  /** Memory for its uncompressed blocks. Default: new memory. */
  readonly blockMemory?: BlockMemory | undefined;
}

/** A slice as it is stored. Its blocks are decompressed when they are first needed. */
export class StoredSlice {
  readonly header: CramSliceHeader;
  /** The start of the slice, in bytes from the end of the container header. */
  readonly landmark: number;
  /** Bytes of the slice: its header and its blocks. */
  readonly byteLength: number;
  /** Bytes from the start of the file to the slice, for the offsets of errors. */
  readonly offset: number;
  readonly budget: CramDecodeBudget;
  /** Counts the memory of the slice and its records. */
  readonly memory: MemoryAccount | undefined;
  readonly #blocks = new Map<number, CramBlock>();
  readonly #data = new Map<number, Uint8Array>();
  readonly #maxBytes: number;
  readonly #recordBytes: number;
  readonly #isKept: boolean;
  readonly #blockMemory: BlockMemory | undefined;
  #heldBytes = 0;

  /** Reads the slice at `landmark` of the blocks of a container. Throws what `parseSliceHeader` throws. */
  constructor(cursor: ByteCursor, landmark: number, options: StoredSliceOptions) {
    cursor.skip(landmark);
    this.#maxBytes = options.maxBytes ?? MAX_RAW_SIZE;
    this.#recordBytes = options.recordBytes ?? MAX_RAW_SIZE;
    this.#isKept = options.isKept ?? false;
    this.#blockMemory = options.blockMemory;
    this.memory = options.memory;
    this.landmark = landmark;
    this.offset = cursor.offset;
    this.budget = options.budget;
    this.header = parseSliceHeader(readBlock(cursor, options.version), options);
    for (let count = 0; count < this.header.blockCount; count++) {
      const block = readBlock(cursor, options.version);
      const contentId = contentIdOf(block);
      if (contentId !== undefined && !this.#blocks.has(contentId)) this.#blocks.set(contentId, block);
    }
    this.byteLength = cursor.at - landmark;
  }

  /** Bytes of all its blocks when they are uncompressed. */
  get rawSize(): number {
    return Array.from(this.#blocks.values()).reduce((sum, { rawSize }) => sum + rawSize, 0);
  }

  /** Bytes of the blocks that were uncompressed, of the reference, and of all else that is held. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Returns the data of a block; none if the slice lacks it. Throws what `blockData` throws. */
  data(contentId: number): Uint8Array {
    const data = this.#data.get(contentId) ?? this.#decompress(contentId);
    this.#data.set(contentId, data);
    return data;
  }

  /** Counts bytes that are held until the slice is decoded. Throws `FormatError` `LIMIT_EXCEEDED` if there are too many. */
  hold(byteLength: number): void {
    this.#heldBytes += byteLength;
    if (this.#heldBytes > this.#maxBytes) {
      const message = `slice is over the limit of ${this.#maxBytes} uncompressed bytes (limits.sliceBytes)`;
      throw new FormatError('LIMIT_EXCEEDED', message, { offset: this.offset });
    }
    try {
      this.memory?.reserve(byteLength);
    } catch (error) {
      throw locateMemoryError(error, this.offset);
    }
  }

  /** Spends the bytes of the record of this number. Throws `FormatError` `LIMIT_EXCEEDED` if a record or the budget has fewer. */
  spendRecord(record: number, byteLength: number): void {
    this.budget.spendBytes(byteLength, this.offset);
    if (byteLength <= this.#recordBytes) return;
    const message = `record ${record} of a slice has ${byteLength} bytes or more, over the limit of ${this.#recordBytes}`;
    throw new FormatError('LIMIT_EXCEEDED', message, { offset: this.offset });
  }

  /** Drops the compressed blocks. Those that were not uncompressed are empty from now on. */
  forgetStored(): void {
    this.#blocks.clear();
  }

  /** Creates streams that start at the first record. */
  openStreams(): SliceStreams {
    const cursors = new Map<number, ByteCursor>();
    const open = (contentId: number): ByteCursor => {
      const opened = cursors.get(contentId);
      if (opened !== undefined) return opened;
      const cursor = new ByteCursor(this.data(contentId), this.#blocks.get(contentId)?.dataOffset);
      cursors.set(contentId, cursor);
      return cursor;
    };
    const core = new BitReader(open(CORE_BLOCK));
    return { core, budget: this.budget, external: open, opened: () => [...cursors.values(), core] };
  }

  #decompress(contentId: number): Uint8Array {
    const block = this.#blocks.get(contentId);
    if (block === undefined) return new Uint8Array(0);
    this.hold(block.rawSize);
    const data = blockData(block, this.budget, this.#blockMemory);
    return this.#isKept && data.buffer === block.data.buffer ? data.slice() : data;
  }
}

function contentIdOf({ contentType, contentId }: CramBlock): number | undefined {
  if (contentType === BLOCK_CONTENT.core) return CORE_BLOCK;
  return contentType === BLOCK_CONTENT.external ? contentId : undefined;
}

/** Reads the first block of a container, which is its compression header. Throws `FormatError` `INVALID_DATA` and `TRUNCATED`. */
export function readCompressionBlock(
  cursor: ByteCursor,
  { version, budget }: SliceHeaderOptions,
): CramCompressionHeader {
  const block = readBlock(cursor, version);
  const data = new ByteCursor(blockData(block, budget), block.dataOffset);
  if (block.contentType !== BLOCK_CONTENT.compressionHeader) {
    throw data.invalid('container does not start with its compression header');
  }
  return readCompressionHeader(data);
}
