import { decodeText } from '#decode-text';

/** Bytes of memory that a writer keeps for reuse. Larger memory, as a long record needs it, is released. */
const KEPT_BYTES = 2 ** 20;
const [ZERO, MINUS] = [0x30, 0x2d];
const encoder = new TextEncoder();

/** Bytes that grow at their end. All integers are little-endian. */
export class ByteWriter {
  #bytes = new Uint8Array(4096);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  /** The number of bytes written. */
  get length(): number {
    return this.#length;
  }

  /** A view of the memory, for changing bytes that are already written. Valid until the next write. */
  get view(): DataView {
    return this.#view;
  }

  /** The memory, which is longer than what is written. Valid until the next write. */
  get memory(): Uint8Array {
    return this.#bytes;
  }

  /** Makes room for `byteLength` bytes that the caller fills, and returns their offset. */
  reserve(byteLength: number): number {
    const at = this.#length;
    if (at + byteLength > this.#bytes.length) this.#grow(at + byteLength);
    this.#length = at + byteLength;
    return at;
  }

  /** Drops the bytes from `length` on. */
  shrinkTo(length: number): void {
    this.#length = length;
  }

  /** Writes a byte. */
  uint8(value: number): void {
    const at = this.reserve(1);
    this.#bytes[at] = value;
  }

  /** Writes a 16-bit number, signed or not. */
  int16(value: number): void {
    const at = this.reserve(2);
    this.#view.setUint16(at, value, true);
  }

  /** Writes a 32-bit number, signed or not. */
  int32(value: number): void {
    const at = this.reserve(4);
    this.#view.setUint32(at, value, true);
  }

  /** Writes a 32-bit floating-point number. */
  float32(value: number): void {
    const at = this.reserve(4);
    this.#view.setFloat32(at, value, true);
  }

  /** Writes the bytes [start, end) of `source`. */
  copy(source: Uint8Array, start: number, end: number): void {
    const at = this.reserve(end - start);
    const bytes = this.#bytes;
    // A loop is faster than `set` for the short texts of records.
    if (end - start > 48) bytes.set(source.subarray(start, end), at);
    else for (let i = start, to = at; i < end; i++, to++) bytes[to] = source[i] ?? 0;
  }

  /** Writes a text as UTF-8. */
  text(text: string): void {
    const bytes = encoder.encode(text);
    this.copy(bytes, 0, bytes.length);
  }

  /** Writes the decimal digits of a safe integer. */
  decimal(value: number): void {
    let rest = value;
    if (rest < 0) {
      this.uint8(MINUS);
      rest = -rest;
    }
    let digits = 1;
    for (let limit = 10; rest >= limit; limit *= 10) digits++;
    let at = this.reserve(digits) + digits;
    while (digits-- > 0) {
      const tens = Math.floor(rest / 10);
      this.#bytes[--at] = ZERO + rest - 10 * tens;
      rest = tens;
    }
  }

  /** Returns what is written as a view that is valid until the next write, and starts again. */
  take(): Uint8Array {
    const written = this.#bytes.subarray(0, this.#length);
    this.#restart();
    return written;
  }

  /** Returns what is written as text, and starts again. */
  takeText(): string {
    const text = decodeText(this.#bytes, 0, this.#length);
    this.#restart();
    return text;
  }

  #restart(): void {
    if (this.#bytes.length > KEPT_BYTES) this.#setMemory(new Uint8Array(0));
    this.#length = 0;
  }

  #grow(byteLength: number): void {
    const grown = new Uint8Array(Math.max(byteLength, 2 * this.#bytes.length, 4096));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#setMemory(grown);
  }

  #setMemory(bytes: Uint8Array<ArrayBuffer>): void {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }
}
