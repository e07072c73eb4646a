import { defaultInflateEngine } from '@htskit/bgzf/internal';
import { FormatError, invalidData } from '../../format-error.js';
import type { ByteCursor } from '../byte-cursor.js';
import { decompress } from '../codecs/decompress.js';
import type { BlockMemory } from './block-memory.js';
import type { CramVersion } from './file-definition.js';

/** The content types of blocks (CRAM 3.1 §8.1). */
export const BLOCK_CONTENT = { fileHeader: 0, compressionHeader: 1, sliceHeader: 2, external: 4, core: 5 } as const;

/** A block as it is stored (CRAM 3.1 §8). */
export interface CramBlock {
  /** The number of the compression method. */
  readonly method: number;
  /** A value of `BLOCK_CONTENT`. */
  readonly contentType: number;
  readonly contentId: number;
  /** The compressed data. */
  readonly data: Uint8Array;
  /** Bytes from the start of the file to `data`. */
  readonly dataOffset: number;
  /** Bytes of the uncompressed data. */
  readonly rawSize: number;
  /** The CRC32 and the bytes that it covers; undefined before CRAM 3. */
  readonly checksum: { readonly crc32: number; readonly covered: Uint8Array } | undefined;
}

/** The maximum number of uncompressed bytes of a block, and of all blocks of a slice. Real ones have a few million. */
export const MAX_RAW_SIZE: number = 2 ** 28;

/**
 * Reads the block at the cursor without decompressing it. Throws `FormatError` `TRUNCATED`, and `INVALID_DATA` for negative
 * sizes.
 */
export function readBlock(cursor: ByteCursor, { major }: CramVersion): CramBlock {
  const start = cursor.at;
  const method = cursor.readByte();
  const contentType = cursor.readByte();
  const contentId = cursor.readItf8();
  const size = cursor.readCount();
  const rawSize = cursor.readCount();
  const dataOffset = cursor.offset;
  const data = cursor.readBytes(size);
  const covered = cursor.bytes.subarray(start, cursor.at);
  const checksum = major < 3 ? undefined : { covered, crc32: cursor.readUint32() };
  return { method, contentType, contentId, data, dataOffset, rawSize, checksum };
}

/**
 * Returns the uncompressed data of a block; a view of it if it is stored uncompressed. Throws `FormatError` `INVALID_DATA` if
 * the CRC32 differs or the data is corrupt, `UNSUPPORTED` for an unknown method, `LIMIT_EXCEEDED` for more than
 * 256 MiB and beyond the budget. `memory` is what the data may be in; by default, it is in memory of its own.
 */
export function blockData(block: CramBlock, budget?: CramDecodeBudget, memory?: BlockMemory): Uint8Array {
  const { method, data, dataOffset, rawSize, checksum } = block;
  if (checksum !== undefined && defaultInflateEngine().crc32(checksum.covered) !== checksum.crc32) {
    throw invalidData('CRC32 of a block differs', dataOffset + data.length);
  }
  if (rawSize > MAX_RAW_SIZE) {
    const message = `block of ${rawSize} uncompressed bytes is over the limit of ${MAX_RAW_SIZE}`;
    throw new FormatError('LIMIT_EXCEEDED', message, { offset: dataOffset });
  }
  budget?.spendBytes(rawSize, dataOffset);
  if (rawSize === 0) return new Uint8Array(0);
  const raw = decompress(data, { method, offset: dataOffset, size: rawSize, memory });
  if (raw.length !== rawSize) {
    throw invalidData(`block has ${raw.length} uncompressed bytes, but declares ${rawSize}`, dataOffset);
  }
  return raw;
}

/** The cost in bytes of decoding one record, feature or tag. */
const STEP_COST = 16;

/** The bytes that any file may decode: 64 MiB, or 2^22 records. In small files nearly all values can be equal. */
const FREE = 2 ** 26;

/** The bytes that each byte of a file may decode to: 256, or 16 records. In real files a record takes many bytes. */
const EARNED_PER_BYTE = 256;

/**
 * Bounds the work of decoding a CRAM file by its size. Values may take no bits, and blocks may be compressed to almost nothing,
 * so that a few bytes could cause hours of work. All containers of a file share one budget.
 */
export class CramDecodeBudget {
  readonly #byteLength: number;
  #left: number;

  /** Creates a budget of `byteLength` bytes. Default: what any file may decode. */
  constructor(byteLength: number = FREE) {
    this.#byteLength = byteLength;
    this.#left = byteLength;
  }

  /** Starts with the whole budget again. */
  renew(): void {
    this.#left = this.#byteLength;
  }

  /** Adds the budget of `byteLength` bytes of the file, as they are stored. */
  earn(byteLength: number): void {
    this.#left += EARNED_PER_BYTE * byteLength;
  }

  /** Spends uncompressed bytes. Throws `FormatError` `LIMIT_EXCEEDED`, at byte `offset`, if the budget is exhausted. */
  spendBytes(byteLength: number, offset: number): void {
    this.#left -= byteLength;
    if (this.#left < 0) {
      throw new FormatError('LIMIT_EXCEEDED', 'CRAM data decodes to more bytes than its limit', { offset });
    }
  }

  /** Spends the cost of `count` records, features and tags. Throws what `spendBytes` throws. */
  spendSteps(count: number, offset: number): void {
    this.spendBytes(STEP_COST * count, offset);
  }
}
