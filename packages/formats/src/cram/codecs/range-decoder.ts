import type { ByteCursor } from '../byte-cursor.js';

/** The range is kept above. */
const LOWER_BOUND = 2 ** 24;

/** What is added to the frequency of a symbol whenever it is seen. */
const STEP = 16;
const MAX_TOTAL = 2 ** 16 - 17;

/** Decodes symbols from where a code lies within the range (CRAM codecs §4). */
export class RangeDecoder {
  readonly cursor: ByteCursor;
  #range = 2 ** 32 - 1;
  #code: number;

  /** Reads the first five bytes, of which the first is 0. */
  constructor(cursor: ByteCursor) {
    this.cursor = cursor;
    cursor.readByte();
    let code = 0;
    for (let i = 0; i < 4; i++) code = code * 256 + cursor.readByte();
    this.#code = code;
  }

  /** Divides the range into `total` parts and tells in which of them the code lies. */
  frequency(total: number): number {
    this.#range = Math.floor(this.#range / total);
    return Math.floor(this.#code / this.#range);
  }

  /** Narrows the range to `frequency` parts from `low` on. */
  narrow(low: number, frequency: number): void {
    this.#code -= low * this.#range;
    this.#range *= frequency;
    while (this.#range < LOWER_BOUND) {
      this.#range *= 256;
      this.#code = this.#code * 256 + this.cursor.readByte();
    }
  }
}

/** Frequencies of symbols that adapt to what is decoded, the frequent ones in front (CRAM codecs §4.1). */
export class SymbolModel {
  readonly #symbols: Uint16Array;
  readonly #frequencies: Uint32Array;
  #total: number;

  constructor(symbolCount: number) {
    this.#symbols = Uint16Array.from({ length: symbolCount }, (_, symbol) => symbol);
    this.#frequencies = new Uint32Array(symbolCount).fill(1);
    this.#total = symbolCount;
  }

  /** The next symbol. Throws `FormatError` INVALID_DATA if the code lies outside of the range. */
  decode(decoder: RangeDecoder): number {
    const frequencies = this.#frequencies;
    const sought = decoder.frequency(this.#total);
    if (sought >= this.#total) throw decoder.cursor.invalid('the code lies outside of the range');
    let rank = 0;
    let low = 0;
    let frequency = frequencies[0] ?? 0;
    while (low + frequency <= sought) {
      low += frequency;
      rank += 1;
      frequency = frequencies[rank] ?? 0;
    }
    decoder.narrow(low, frequency);
    frequencies[rank] = frequency + STEP;
    this.#total += STEP;
    if (this.#total > MAX_TOTAL) this.#halve();
    return this.#promote(rank);
  }

  /** Swaps a symbol with the one in front of it if it is more frequent now; returns it. */
  #promote(rank: number): number {
    const symbol = this.#symbols[rank] ?? 0;
    const frequency = this.#frequencies[rank] ?? 0;
    const before = this.#frequencies[rank - 1];
    if (before !== undefined && frequency > before) {
      this.#symbols[rank] = this.#symbols[rank - 1] ?? 0;
      this.#symbols[rank - 1] = symbol;
      this.#frequencies[rank] = before;
      this.#frequencies[rank - 1] = frequency;
    }
    return symbol;
  }

  #halve(): void {
    this.#total = 0;
    for (const [rank, frequency] of this.#frequencies.entries()) {
      const half = frequency - (frequency >>> 1);
      this.#frequencies[rank] = half;
      this.#total += half;
    }
  }
}
