/** Bytes that are written one after another into memory that grows. */
export class ByteBuffer {
  bytes: Uint8Array<ArrayBuffer>;
  view: DataView;
  /** Bytes written so far. */
  length = 0;

  constructor(capacity: number) {
    this.bytes = new Uint8Array(capacity);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Makes room for `byteLength` more bytes, and returns their position. */
  reserve(byteLength: number): number {
    const position = this.length;
    this.length += byteLength;
    if (this.length > this.bytes.length) {
      const grown = new Uint8Array(Math.max(this.length, 2 * this.bytes.length));
      grown.set(this.bytes.subarray(0, position));
      this.bytes = grown;
      this.view = new DataView(grown.buffer);
    }
    return position;
  }

  appendByte(byte: number): void {
    const at = this.reserve(1);
    this.bytes[at] = byte;
  }

  /** Appends the bytes [start, end) of `source`. A loop, because most parts of a record are shorter than a call of `set` costs. */
  append(source: Uint8Array, start: number, end: number): void {
    const at = this.reserve(end - start) - start;
    const { bytes } = this;
    for (let i = start; i < end; i++) bytes[at + i] = source[i] ?? 0;
  }

  /** Appends a number that is not negative in decimal digits. */
  appendDecimal(value: number): void {
    let digits = 1;
    for (let limit = 10; value >= limit; limit *= 10) digits += 1;
    let rest = value;
    for (let at = this.reserve(digits) + digits - 1; digits > 0; digits--, at--) {
      this.bytes[at] = 0x30 + (rest % 10);
      rest = Math.floor(rest / 10);
    }
  }
}
