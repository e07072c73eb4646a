import { deflateBlocks, EOF_MARKER, type VirtualOffset } from '@htskit/bgzf';
import { concatBytes } from '@htskit/io';
import { IndexError } from '../index-error.js';

const FIRST_CAPACITY = 1024;

/** Writes little-endian numbers to a buffer that grows up to a limit. */
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

  /** The written bytes, as a view. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#view.buffer, 0, this.#byteLength);
  }

  /** Writes a number from −2^31 to 2^32 − 1. */
  int32(value: number): void {
    const at = this.#reserve(4);
    this.#view.setUint32(at, value, true);
  }

  /** Writes a safe integer that is not negative. */
  uint64(value: number): void {
    const at = this.#reserve(8);
    this.#view.setUint32(at, value, true);
    this.#view.setUint32(at + 4, Math.floor(value / 2 ** 32), true);
  }

  /** Writes a virtual offset (SAMv1 §4.1.1). */
  virtualOffset(coffset: number, uoffset: number): void {
    const at = this.#reserve(8);
    this.#view.setUint32(at, (coffset % 0x10000) * 0x10000 + uoffset, true);
    this.#view.setUint32(at + 4, Math.floor(coffset / 0x10000), true);
  }

  /** Writes a virtual offset `count` times, or zeros if it is undefined. */
  virtualOffsets(offset: VirtualOffset | undefined, count: number): void {
    const start = this.#reserve(8 * count);
    if (offset === undefined) return;
    this.#byteLength = start;
    for (let i = 0; i < count; i++) this.virtualOffset(offset.coffset, offset.uoffset);
  }

  /** Writes bytes. */
  append(bytes: Uint8Array): void {
    const at = this.#reserve(bytes.length);
    this.bytes.set(bytes, at);
  }

  /** Reserves memory for `count` more bytes. Throws `IndexError` LIMIT_EXCEEDED before it is allocated. */
  ensureCapacity(count: number): void {
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

  /** Advances by `count` bytes and returns their offset. */
  #reserve(count: number): number {
    const at = this.#byteLength;
    this.ensureCapacity(count);
    this.#byteLength = at + count;
    return at;
  }
}

/** Compresses a CSI or TBI index to BGZF, the form in which it is stored. */
export function compressIndex(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return concatBytes([deflateBlocks(bytes), EOF_MARKER]);
}
