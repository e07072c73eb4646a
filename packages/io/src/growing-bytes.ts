import { type BorrowedBytes, peek } from './borrowed-bytes.js';

const FIRST_CAPACITY = 2 ** 16;

/**
 * Bytes that grow at their end, in one piece of memory.
 *
 * @example
 * const collected = new GrowingBytes();
 * for await (const chunk of chunks) collected.append(chunk);
 */
export class GrowingBytes {
  #memory = new Uint8Array(FIRST_CAPACITY);
  #byteLength = 0;

  /** The bytes, as a view that keeps its content when more are appended. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#memory.subarray(0, this.#byteLength);
  }

  get byteLength(): number {
    return this.#byteLength;
  }

  /** Appends a copy of `piece`. */
  append(piece: BorrowedBytes): void {
    const byteLength = this.#byteLength + piece.length;
    if (byteLength > this.#memory.length) {
      const grown = new Uint8Array(2 * byteLength);
      grown.set(this.bytes);
      this.#memory = grown;
    }
    this.#memory.set(peek(piece), this.#byteLength);
    this.#byteLength = byteLength;
  }
}
