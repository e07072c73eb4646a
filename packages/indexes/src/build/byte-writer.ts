import type { VirtualOffset } from '@htskit/bgzf';
import { IndexError } from '../index-error.js';

const FIRST_CAPACITY = 1024;

/** Little-endian numbers, in a buffer that grows up to a limit. */
export class ByteWriter {
  readonly #maxBytes: number;
  #view = new DataView(new ArrayBuffer(FIRST_CAPACITY));
  #byteLength = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get byteLength(): number {
    return this.#byteLength;
  }

  /** What was written, as a view. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#view.buffer, 0, this.#byteLength);
  }

  /** A number from −2^31 up to, not including, 2^32. */
  int32(value: number): void {
    const at = this.#reserve(4);
    this.#view.setUint32(at, value, true);
  }

  /** A safe integer that is not negative. */
  uint64(value: number): void {
    const at = this.#reserve(8);
    this.#view.setUint32(at, value, true);
    this.#view.setUint32(at + 4, Math.floor(value / 2 ** 32), true);
  }

  virtualOffset(coffset: number, uoffset: number): void {
    const at = this.#reserve(8);
    this.#view.setUint32(at, (coffset % 0x10000) * 0x10000 + uoffset, true);
    this.#view.setUint32(at + 4, Math.floor(coffset / 0x10000), true);
  }

  /** The same virtual offset again and again, or zeros where there is none. */
  virtualOffsets(offset: VirtualOffset | undefined, count: number): void {
    const start = this.#reserve(8 * count);
    if (offset === undefined) return;
    this.#byteLength = start;
    for (let i = 0; i < count; i++) this.virtualOffset(offset.coffset, offset.uoffset);
  }

  append(bytes: Uint8Array): void {
    const at = this.#reserve(bytes.length);
    this.bytes.set(bytes, at);
  }

  /** Makes room for `count` more bytes. Throws `IndexError` LIMIT_EXCEEDED, before memory is taken. */
  makeRoom(count: number): void {
    const byteLength = this.#byteLength + count;
    if (byteLength > this.#maxBytes) {
      throw new IndexError('LIMIT_EXCEEDED', `the index is longer than ${this.#maxBytes} bytes`, {
        offset: this.#byteLength,
      });
    }
    if (byteLength <= this.#view.byteLength) return;
    const grown = new Uint8Array(Math.min(Math.max(byteLength, 2 * this.#view.byteLength), this.#maxBytes));
    grown.set(this.bytes);
    this.#view = new DataView(grown.buffer);
  }

  /** Where the next `count` bytes go. */
  #reserve(count: number): number {
    const at = this.#byteLength;
    this.makeRoom(count);
    this.#byteLength = at + count;
    return at;
  }
}
