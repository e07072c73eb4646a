import { FormatError } from '../format-error.js';

/** What is paid for: data in bytes, uncompressed, and the records, features and tags that are decoded one by one. */
const STEP_COST = 16;

/** What is free, for small files in which nearly everything is equal: 64 MiB, or 2^22 records. */
const FREE = 2 ** 26;

/** What each byte of a file pays for: the same number of bytes, or 16 records. In real files a record takes many bytes. */
const EARNED_PER_BYTE = 256;

/**
 * Bounds what is decoded of a CRAM file by its size. Values may take no bits and blocks be compressed to almost nothing,
 * so that a few bytes could ask for hours of work. One budget is shared by all containers of a file.
 */
export class CramDecodeBudget {
  #left = FREE;

  /** Counts bytes of the file, as they are stored. */
  earn(byteLength: number): void {
    this.#left += EARNED_PER_BYTE * byteLength;
  }

  /** Counts uncompressed bytes. Throws `FormatError` LIMIT_EXCEEDED, at byte `offset`, if they are too many. */
  spendBytes(byteLength: number, offset: number): void {
    this.#left -= byteLength;
    if (this.#left < 0) {
      throw new FormatError('LIMIT_EXCEEDED', 'the data stands for too much more than its size', { offset });
    }
  }

  /** Counts records, features and tags. Throws as `spendBytes`. */
  spendSteps(count: number, offset: number): void {
    this.spendBytes(STEP_COST * count, offset);
  }
}
