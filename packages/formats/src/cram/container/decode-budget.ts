import { FormatError } from '../../format-error.js';

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
  #left = FREE;

  /** Adds the budget of `byteLength` bytes of the file, as they are stored. */
  earn(byteLength: number): void {
    this.#left += EARNED_PER_BYTE * byteLength;
  }

  /** Spends uncompressed bytes. Throws `FormatError` `LIMIT_EXCEEDED`, at byte `offset`, if the budget is exhausted. */
  spendBytes(byteLength: number, offset: number): void {
    this.#left -= byteLength;
    if (this.#left < 0) {
      throw new FormatError('LIMIT_EXCEEDED', 'CRAM data expands to too many times its size', { offset });
    }
  }

  /** Spends the cost of `count` records, features and tags. Throws what `spendBytes` throws. */
  spendSteps(count: number, offset: number): void {
    this.spendBytes(STEP_COST * count, offset);
  }
}
