import { type BorrowedBytes, peek } from '../borrowed-bytes.js';
import { growBytes, type MemoryAccount } from './memory-budget.js';

const FIRST_CAPACITY = 2 ** 16;

/** Bytes that grow at their end, in one piece of memory. */
export class GrowingBytes {
  readonly #account: MemoryAccount | undefined;
  #memory = new Uint8Array(FIRST_CAPACITY);
  #byteLength = 0;

  /** `account` counts the memory, as long as it is not closed. Default: it is not counted. */
  constructor(account?: MemoryAccount) {
    this.#account = account;
  }

  /** The bytes, as a view that keeps its content when more are appended. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#memory.subarray(0, this.#byteLength);
  }

  get byteLength(): number {
    return this.#byteLength;
  }

  /** Drops all bytes. The memory is used again, so that earlier views of it change. */
  clear(): void {
    this.#byteLength = 0;
  }

  /** Appends a copy of `piece`. Throws `MemoryError`. */
  append(piece: BorrowedBytes): void {
    const byteLength = this.#byteLength + piece.length;
    if (byteLength > this.#memory.length) {
      this.#memory = growBytes(this.#memory, { keptBytes: this.#byteLength, byteLength, memory: this.#account });
    }
    this.#memory.set(peek(piece), this.#byteLength);
    this.#byteLength = byteLength;
  }
}
