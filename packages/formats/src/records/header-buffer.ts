import type { BorrowedBytes } from '@htskit/io';
import { GrowingBytes, type MemoryAccount } from '@htskit/io/internal';
import { FormatError } from '../format-error.js';

/** Measures a header whose uncompressed data arrives in parts. */
export interface HeaderReader {
  /**
   * Continues with `data`, which starts with that of the call before. Returns the length of the header in bytes, or undefined
   * if more data is needed. If `isWhole` is true, nothing follows `data`. Throws `FormatError` if no header can follow.
   */
  read(data: Uint8Array, options?: { readonly isWhole?: boolean }): number | undefined;
}

export interface HeaderLimits {
  /** The maximum number of bytes of the header. */
  readonly maxBytes: number;
  /** Counts the memory of the data. Default: it is not counted. */
  readonly memory?: MemoryAccount;
}

/** Collects uncompressed data until a header is complete. */
export class HeaderBuffer {
  readonly #reader: HeaderReader;
  readonly #maxBytes: number;
  readonly #data: GrowingBytes;

  constructor(reader: HeaderReader, { maxBytes, memory }: HeaderLimits) {
    this.#reader = reader;
    this.#maxBytes = maxBytes;
    this.#data = new GrowingBytes(memory);
  }

  /** The data that was pushed: the header, and once it is complete, what follows it. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#data.bytes;
  }

  /**
   * Adds data. Returns the length of the header if it is complete, or undefined. Throws what the reader throws, `FormatError`
   * LIMIT_EXCEEDED for a header of more than `maxBytes`, and `MemoryError`.
   */
  push(data: BorrowedBytes): number | undefined {
    this.#data.append(data);
    return this.#measure({ isWhole: false });
  }

  /** Ends the data, and returns the length of the header. Throws what `push` throws, and `FormatError` TRUNCATED. */
  finish(): number {
    const length = this.#measure({ isWhole: true });
    if (length !== undefined) return length;
    throw new FormatError('TRUNCATED', 'file ends within its header', { offset: this.#data.byteLength });
  }

  /** Throws `FormatError` LIMIT_EXCEEDED if a header of `byteLength` bytes, compressed or not, is over the limit. */
  checkLimit(byteLength: number): void {
    if (byteLength <= this.#maxBytes) return;
    throw new FormatError('LIMIT_EXCEEDED', `header exceeds the limit of ${this.#maxBytes} bytes`, { offset: 0 });
  }

  #measure(options: { readonly isWhole: boolean }): number | undefined {
    const { byteLength } = this.#data;
    const length = this.#reader.read(this.#data.bytes, options);
    this.checkLimit(length ?? byteLength);
    return length !== undefined && length <= byteLength ? length : undefined;
  }
}
