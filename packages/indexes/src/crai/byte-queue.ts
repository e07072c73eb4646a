/** Bytes of a stream that are at hand: as many as were asked for, and the rest of the last chunk. */
export class ByteQueue {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #buffer: Uint8Array = new Uint8Array(0);
  /** Whether the buffer is no chunk, which is the caller's. */
  #isOwn = false;
  #start = 0;
  #end = 0;
  #offset = 0;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Bytes of the stream in front of those at hand. */
  get offset(): number {
    return this.#offset;
  }

  /** The bytes at hand: a view that is valid until `fill`. */
  get bytes(): Uint8Array {
    return this.#buffer.subarray(this.#start, this.#end);
  }

  /** Reads on until `length` bytes are at hand; false if the stream has fewer. */
  async fill(length: number): Promise<boolean> {
    while (this.#end - this.#start < length) {
      const next = await this.#chunks.next();
      if (next.done === true) return false;
      this.#append(next.value, length);
    }
    return true;
  }

  /** Forgets the first `length` bytes at hand. */
  drop(length: number): void {
    this.#start += length;
    this.#offset += length;
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  #append(chunk: Uint8Array, wanted: number): void {
    const held = this.#end - this.#start;
    if (held === 0) {
      this.#buffer = chunk;
      this.#start = 0;
      this.#end = chunk.length;
      this.#isOwn = false;
      return;
    }
    if (!this.#isOwn || this.#end + chunk.length > this.#buffer.length) {
      const length = held + chunk.length;
      const grown = new Uint8Array(Math.max(length, Math.min(wanted, 2 * length)));
      grown.set(this.bytes);
      this.#buffer = grown;
      this.#start = 0;
      this.#end = held;
      this.#isOwn = true;
    }
    this.#buffer.set(chunk, this.#end);
    this.#end += chunk.length;
  }
}
