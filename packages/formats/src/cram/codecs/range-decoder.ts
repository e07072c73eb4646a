import type { ByteCursor } from '../byte-cursor.js';

/** The range is kept at or above this bound. */
const LOWER_BOUND = 2 ** 24;

/** The increment of a symbol's frequency each time it is decoded. */
const STEP = 16;
const MAX_TOTAL = 2 ** 16 - 17;

/** A model entry holds a symbol in its low bits and the frequency of that symbol above them. */
const SYMBOL_BITS = 8;
const SYMBOL_MASK = 2 ** SYMBOL_BITS - 1;
const ENTRY_STEP = STEP << SYMBOL_BITS;

/** The range decoder of the arithmetic coder (CRAM codecs §4). Throws `FormatError` `TRUNCATED` at the end of the data. */
export class RangeDecoder {
  readonly cursor: ByteCursor;
  /** Unsigned 32-bit numbers. `SymbolModels` changes them. */
  range: number = 2 ** 32 - 1;
  code: number;

  /** Reads the first five bytes and ignores the first, which is 0. */
  constructor(cursor: ByteCursor) {
    this.cursor = cursor;
    cursor.readByte();
    let code = 0;
    for (let i = 0; i < 4; i++) code = code * 256 + cursor.readByte();
    this.code = code;
  }
}

/**
 * Adaptive frequencies of symbols in many contexts, roughly sorted by frequency so that frequent symbols are found first
 * (CRAM codecs §4.1). A context takes memory when it is first used: fqzcomp has 65,536 contexts and uses a few of them.
 */
export class SymbolModels {
  readonly #symbolCount: number;
  /** The place of each context in `models`, plus one; 0 for a context that is not in use yet. */
  readonly #places: Uint32Array;
  /** For each context in use: the sum of its frequencies, and an entry for each symbol. */
  #models: Uint32Array;
  #used = 0;

  /** Creates models of at most 256 symbols for contexts below `contextCount`. */
  constructor(symbolCount: number, contextCount = 1) {
    this.#symbolCount = symbolCount;
    this.#places = new Uint32Array(contextCount);
    this.#models = new Uint32Array(symbolCount + 1);
  }

  /** Decodes the next symbol in a context. Throws `FormatError` `INVALID_DATA` if the code is outside the range. Hot. */
  decode(decoder: RangeDecoder, context: number): number {
    const place = (this.#places[context] || this.#create(context)) - 1;
    const models = this.#models;
    const total = models[place] ?? 0;
    let range = (decoder.range / total) >>> 0;
    let { code } = decoder;
    const sought = (code / range) >>> 0;
    if (sought >= total) throw decoder.cursor.invalid('code of the arithmetic coder is outside the range');
    let at = place + 1;
    let low = 0;
    let entry = models[at] ?? 0;
    while (low + (entry >>> SYMBOL_BITS) <= sought) {
      low += entry >>> SYMBOL_BITS;
      at += 1;
      entry = models[at] ?? 0;
    }
    code -= low * range;
    range *= entry >>> SYMBOL_BITS;
    while (range < LOWER_BOUND) {
      range *= 256;
      code = code * 256 + decoder.cursor.readByte();
    }
    decoder.range = range;
    decoder.code = code;
    entry += ENTRY_STEP;
    models[at] = entry;
    models[place] = total + STEP;
    if (total + STEP > MAX_TOTAL) {
      this.#halve(place);
      entry = models[at] ?? 0;
    }
    // A symbol moves before one that has become less frequent.
    if (at > place + 1) {
      const before = models[at - 1] ?? 0;
      if (entry >>> SYMBOL_BITS > before >>> SYMBOL_BITS) {
        models[at - 1] = entry;
        models[at] = before;
      }
    }
    return entry & SYMBOL_MASK;
  }

  /** Starts a context with equal frequencies, and returns its place plus one. */
  #create(context: number): number {
    const place = this.#used;
    const end = place + 1 + this.#symbolCount;
    if (end > this.#models.length) {
      const grown = new Uint32Array(Math.min(2 * end, this.#places.length * (1 + this.#symbolCount)));
      grown.set(this.#models);
      this.#models = grown;
    }
    this.#models[place] = this.#symbolCount;
    for (let symbol = 0; symbol < this.#symbolCount; symbol++) {
      this.#models[place + 1 + symbol] = (1 << SYMBOL_BITS) + symbol;
    }
    this.#used = end;
    this.#places[context] = place + 1;
    return place + 1;
  }

  /** Halves all frequencies of a context, rounding up. */
  #halve(place: number): void {
    const models = this.#models;
    let total = 0;
    for (let at = place + 1; at <= place + this.#symbolCount; at++) {
      const entry = models[at] ?? 0;
      const frequency = entry >>> SYMBOL_BITS;
      const half = frequency - (frequency >>> 1);
      models[at] = (half << SYMBOL_BITS) + (entry & SYMBOL_MASK);
      total += half;
    }
    models[place] = total;
  }
}
