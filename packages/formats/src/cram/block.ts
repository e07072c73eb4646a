import { defaultEngine } from '@htskit/bgzf';
import { FormatError } from '../format-error.js';
import type { ByteCursor } from './byte-cursor.js';
import { decompress } from './codecs/decompress.js';
import type { CramDecodeBudget } from './decode-budget.js';
import type { CramVersion } from './file-definition.js';

/** What a block holds (CRAM 3.1 §8.1). */
export const BLOCK_CONTENT = { fileHeader: 0, compressionHeader: 1, sliceHeader: 2, external: 4, core: 5 } as const;

/** A block as it stands in the file (CRAM 3.1 §8). */
export interface CramBlock {
  /** The number of the compression method. */
  readonly method: number;
  readonly contentType: number;
  readonly contentId: number;
  /** Compressed. */
  readonly data: Uint8Array;
  /** Where `data` begins, in bytes of the file. */
  readonly dataOffset: number;
  /** Bytes of the uncompressed data. */
  readonly rawSize: number;
  /** From CRAM 3 on. */
  readonly checksum: { readonly crc32: number; readonly covered: Uint8Array } | undefined;
}

/** Uncompressed bytes that a block may have, and those of a slice together; real ones have a few million. */
export const MAX_RAW_SIZE: number = 2 ** 28;

/** Reads the block at the cursor as it stands. Throws `FormatError` TRUNCATED, INVALID_DATA for negative sizes. */
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
 * The uncompressed data of a block; a view where it is stored as it is. Throws `FormatError` INVALID_DATA if the CRC32
 * differs or the data is corrupt, UNSUPPORTED for fqzcomp and the name tokeniser, LIMIT_EXCEEDED over 256 MiB
 * or beyond the budget.
 */
export function blockData(block: CramBlock, budget?: CramDecodeBudget): Uint8Array {
  const { method, data, dataOffset, rawSize, checksum } = block;
  if (checksum !== undefined && defaultEngine().crc32(checksum.covered) !== checksum.crc32) {
    throw new FormatError('INVALID_DATA', 'the CRC32 of the block differs', { offset: dataOffset + data.length });
  }
  if (rawSize > MAX_RAW_SIZE) {
    const message = `a block has ${rawSize} bytes, more than ${MAX_RAW_SIZE}`;
    throw new FormatError('LIMIT_EXCEEDED', message, { offset: dataOffset });
  }
  budget?.spendBytes(rawSize, dataOffset);
  if (rawSize === 0) return new Uint8Array(0);
  const raw = decompress(data, { method, offset: dataOffset, size: rawSize });
  if (raw.length !== rawSize) {
    const message = `a block has ${raw.length} bytes instead of ${rawSize}`;
    throw new FormatError('INVALID_DATA', message, { offset: dataOffset });
  }
  return raw;
}
