import type { ByteCursor } from '../byte-cursor.js';

/** The range is kept at or above this bound. */
const LOWER_BOUND = 2 ** 24;

/** The increment of a symbol's frequency each time it is decoded. */
const STEP = 16;
const MAX_TOTAL = 2 ** 16 - 17;

/** The range decoder of the arithmetic coder (CRAM codecs §4). Throws `FormatError` `TRUNCATED` at the end of the data. */
export class RangeDecoder {
  readonly cursor: ByteCursor;
  #range = 2 ** 32 - 1;
  #code: number;

  /** Reads the first five bytes and ignores the first, which is 0. */
  constructor(cursor: ByteCursor) {
    this.cursor = cursor;
    cursor.readByte();
    let code = 0;
    for (let i = 0; i < 4; i++) code = code * 256 + cursor.readByte();
    this.#code = code;
  }

  /** Divides the range into `total` parts, and returns the index of the one that contains the code. */
  frequency(total: number): number {
    this.#range = Math.floor(this.#range / total);
    return Math.floor(this.#code / this.#range);
  }

  /** Narrows the range to the `frequency` parts that start at `low`. */
  narrow(low: number, frequency: number): void {
    this.#code -= low * this.#range;
    this.#range *= frequency;
    while (this.#range < LOWER_BOUND) {
      this.#range *= 256;
      this.#code = this.#code * 256 + this.cursor.readByte();
    }
  }
}

/** Adaptive frequencies of symbols, roughly sorted by frequency so that frequent ones are found first (CRAM codecs §4.1). */
export class SymbolModel {
  readonly #symbols: Uint16Array;
  readonly #frequencies: Uint32Array;
  #total: number;

  constructor(symbolCount: number) {
    this.#symbols = Uint16Array.from({ length: symbolCount }, (_, symbol) => symbol);
    this.#frequencies = new Uint32Array(symbolCount).fill(1);
    this.#total = symbolCount;
  }

  /** Decodes the next symbol. Throws `FormatError` `INVALID_DATA` if the code is outside the range. */
  decode(decoder: RangeDecoder): number {
    const frequencies = this.#frequencies;
    const sought = decoder.frequency(this.#total);
    if (sought >= this.#total) throw decoder.cursor.invalid('code of the arithmetic coder is outside the range');
    let index = 0;
    let low = 0;
    let frequency = frequencies[0] ?? 0;
    while (low + frequency <= sought) {
      low += frequency;
      index += 1;
      frequency = frequencies[index] ?? 0;
    }
    decoder.narrow(low, frequency);
    frequencies[index] = frequency + STEP;
    this.#total += STEP;
    if (this.#total > MAX_TOTAL) this.#halve();
    return this.#promote(index);
  }

  /** Swaps the symbol at `index` with the one before it if it is more frequent, and returns it. */
  #promote(index: number): number {
    const symbol = this.#symbols[index] ?? 0;
    const frequency = this.#frequencies[index] ?? 0;
    const before = this.#frequencies[index - 1];
    if (before !== undefined && frequency > before) {
      this.#symbols[index] = this.#symbols[index - 1] ?? 0;
      this.#symbols[index - 1] = symbol;
      this.#frequencies[index] = before;
      this.#frequencies[index - 1] = frequency;
    }
    return symbol;
  }

  /** Halves all frequencies, rounding up. */
  #halve(): void {
    this.#total = 0;
    for (const [index, frequency] of this.#frequencies.entries()) {
      const half = frequency - (frequency >>> 1);
      this.#frequencies[index] = half;
      this.#total += half;
    }
  }
}
