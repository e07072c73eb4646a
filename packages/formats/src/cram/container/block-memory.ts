/** Memory of more bytes is not kept. Slices of 10,000 short reads have two million. */
const MAX_KEPT_BYTES = 2 ** 23;

/** Memory for the uncompressed blocks of one slice after another: new memory for each block takes as long as some codecs. */
export class BlockMemory {
  #bytes = new Uint8Array(0);
  #used = 0;

  /** Returns memory, whose bytes are undefined, until `reset` is called. */
  take(byteLength: number): Uint8Array {
    const start = this.#used;
    this.#used += byteLength;
    if (this.#used > this.#bytes.length) return new Uint8Array(byteLength);
    return this.#bytes.subarray(start, this.#used);
  }

  /** Uses the memory from its start again. It is as long as what was taken since the last time. */
  reset(): void {
    if (this.#used > this.#bytes.length && this.#used <= MAX_KEPT_BYTES) this.#bytes = new Uint8Array(this.#used);
    this.#used = 0;
  }
}
