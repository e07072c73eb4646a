import { GrowingColumn } from './growing-column.js';

/** The bitmap that states which records have a value. It takes memory only if one has none. */
export class GrowingValidity {
  readonly #bits = new GrowingColumn(Uint8Array);
  #length = 0;
  #hasMissing = false;

  /** Appends whether the next record has a value. */
  push(isValid: boolean): void {
    const at = this.#length++;
    if (!isValid) this.#hasMissing = true;
    if (this.#hasMissing) this.#write(at, isValid);
  }

  /** Appends that the next `count` records have a value. */
  pushValid(count: number): void {
    if (!this.#hasMissing) this.#length += count;
    else for (let i = 0; i < count; i++) this.push(true);
  }

  /** Returns the bitmap, undefined if all records have a value, and starts again. */
  take(): Uint8Array<ArrayBuffer> | undefined {
    const bits = this.#bits.take();
    const length = this.#length;
    this.#length = 0;
    if (!this.#hasMissing) return undefined;
    this.#hasMissing = false;
    // Bits past the end are 0.
    if (length % 8 > 0) bits[length >>> 3] = (bits[length >>> 3] ?? 0) & ((1 << (length % 8)) - 1);
    return bits;
  }

  #write(at: number, isValid: boolean): void {
    const bits = this.#bits;
    const byteLength = (at >>> 3) + 1;
    // The bits of the records before the first one without a value, and of those that follow in the same byte.
    if (bits.length < byteLength) {
      const from = bits.reserve(byteLength - bits.length);
      bits.values.fill(0xff, from, byteLength);
    }
    if (!isValid) bits.values[at >>> 3] = (bits.values[at >>> 3] ?? 0) & ~(1 << (at % 8));
  }
}
