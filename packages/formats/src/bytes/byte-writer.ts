import { type BorrowedBytes, decodeText, encodeText } from '@htskit/io';
import { decodeAscii, growBytes, type MemoryAccount } from '@htskit/io/internal';

/**
 * Bytes of memory that a writer keeps for reuse: the text of a piece of a file takes less. Larger memory, as a long record needs it,
 * is released.
 */
const KEPT_BYTES = 2 ** 21;
const FIRST_BYTES = 4096;
const [ZERO, MINUS] = [0x30, 0x2d];
/** Numbers below it have at most nine digits, which 32-bit arithmetic writes. */
const NINE_DIGITS_LIMIT = 1e9;
/** Room that must be free for an integer of 53 bits. */
const MAX_DECIMAL_LENGTH = 17;
/**
 * The characters of the numbers below 1000, the first one in the lowest byte, and their count in the highest byte. Writing three
 * bytes always, with the next text over those in excess, has no branches that cannot be predicted.
 */
const SHORT_TEXTS = Uint32Array.from({ length: 1000 }, (_, value) => {
  const [hundreds, tens] = [Math.trunc(value / 100), Math.trunc(value / 10)];
  const digits = (ZERO + hundreds) | ((ZERO + (tens % 10)) << 8) | ((ZERO + (value % 10)) << 16);
  const count = hundreds > 0 ? 3 : tens > 0 ? 2 : 1;
  return (digits >>> (8 * (3 - count))) | (count << 24);
});

/** Bytes that grow at their end. All integers are little-endian. */
export class ByteWriter {
  #bytes = new Uint8Array(FIRST_BYTES);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;
  readonly #memory: MemoryAccount | undefined;

  /** `memory` counts the memory of the writer. Default: it is not counted. */
  constructor(memory?: MemoryAccount) {
    this.#memory = memory;
  }

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

  /** Writes a safe integer that is not negative as a 64-bit number. */
  uint64(value: number): void {
    this.int32(value);
    this.int32(Math.floor(value / 2 ** 32));
  }

  /** Writes a 32-bit floating-point number. */
  float32(value: number): void {
    const at = this.reserve(4);
    this.#view.setFloat32(at, value, true);
  }

  /** Writes a 64-bit floating-point number. */
  float64(value: number): void {
    const at = this.reserve(8);
    this.#view.setFloat64(at, value, true);
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
    const bytes = encodeText(text);
    this.copy(bytes, 0, bytes.length);
  }

  /** Writes the decimal digits of a safe integer. */
  decimal(value: number): void {
    const at = this.reserve(MAX_DECIMAL_LENGTH);
    this.#length = writeDecimalAt(this.#bytes, at, value);
  }

  /** Returns what is written, which the next write overwrites, and starts again. */
  take(): BorrowedBytes {
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

  /** Returns what is written as text, and starts again. All bytes must be ASCII. */
  takeAscii(): string {
    const text = decodeAscii(this.#bytes, 0, this.#length);
    this.#restart();
    return text;
  }

  #restart(): void {
    if (this.#bytes.length > KEPT_BYTES) {
      this.#memory?.release(this.#bytes.length);
      this.#setMemory(new Uint8Array(0));
    }
    this.#length = 0;
  }

  #grow(byteLength: number): void {
    const needed = Math.max(byteLength, FIRST_BYTES);
    this.#setMemory(growBytes(this.#bytes, { keptBytes: this.#length, byteLength: needed, memory: this.#memory }));
  }

  #setMemory(bytes: Uint8Array<ArrayBuffer>): void {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }
}

/**
 * Writes the digits of a safe integer at `at`, and returns the offset just after them. `target` must have room for three bytes
 * there even if the number is shorter.
 */
export function writeDecimalAt(target: Uint8Array, at: number, value: number): number {
  if (value >= 0 && value < SHORT_TEXTS.length) {
    const text = SHORT_TEXTS[value] ?? 0;
    target[at] = text;
    target[at + 1] = text >>> 8;
    target[at + 2] = text >>> 16;
    return at + (text >>> 24);
  }
  if (value < 0) {
    target[at] = MINUS;
    return writeDecimalAt(target, at + 1, -value);
  }
  if (value < NINE_DIGITS_LIMIT) return writeDigitsAt(target, at, value, countDigits(value));
  const high = Math.floor(value / NINE_DIGITS_LIMIT);
  return writeDigitsAt(target, writeDecimalAt(target, at, high), value - NINE_DIGITS_LIMIT * high, 9);
}

function countDigits(value: number): number {
  let count = 4;
  for (let limit = 10_000; value >= limit; limit *= 10) count++;
  return count;
}

/** Writes the last `count` digits of an integer from 0 to 999,999,999 at `at`, and returns the offset just after them. */
export function writeDigitsAt(target: Uint8Array, at: number, value: number, count: number): number {
  let rest = value | 0;
  for (let to = at + count - 1; to >= at; to--) {
    // With 32-bit operands, the division is a multiplication.
    const tens = (rest / 10) | 0;
    target[to] = ZERO + rest - 10 * tens;
    rest = tens;
  }
  return at + count;
}
