import type { ByteCursor } from '../../byte-cursor.js';
import type { CodedQualities, ModelsId, RangeCoder } from './entropy-engine.js';
import { readRangeCode } from './initial-state.js';

/** The range is kept at or above this bound. */
const LOWER_BOUND = 2 ** 24;

/** The increment of a symbol's frequency each time it is decoded. */
const STEP = 16;
const MAX_TOTAL = 2 ** 16 - 17;

/** A model entry holds a symbol in its low bits and the frequency of that symbol above them. */
const SYMBOL_BITS = 8;
const SYMBOL_MASK = 2 ** SYMBOL_BITS - 1;
const ENTRY_STEP = STEP << SYMBOL_BITS;

/** The coder in JavaScript. */
export class JsRangeCoder implements RangeCoder {
  readonly #cursor: ByteCursor;
  /** Unsigned 32-bit numbers. */
  #range: number = 2 ** 32 - 1;
  #code: number;
  readonly #models: SymbolModels[] = [];
  /** The qualities of the last record. */
  #record = new Uint8Array(0);

  constructor(cursor: ByteCursor) {
    this.#cursor = cursor;
    this.#code = readRangeCode(cursor);
  }

  createModels(symbolCount: number, contextCount: number): ModelsId {
    return this.#models.push(new SymbolModels(symbolCount, contextCount)) - 1;
  }

  decodeSymbol(models: ModelsId, context: number): number {
    return this.#decode(this.#modelsOf(models), context);
  }

  decodeSymbols(id: ModelsId, { size, isOrder1 }: { readonly size: number; readonly isOrder1: boolean }): Uint8Array {
    const models = this.#modelsOf(id);
    const output = new Uint8Array(size);
    let symbol = 0;
    for (let at = 0; at < size; at++) {
      symbol = this.#decode(models, isOrder1 ? symbol : 0);
      output[at] = symbol;
    }
    return output;
  }

  /** Hot. */
  decodeQualities(id: ModelsId, { tables, length, selectorPart }: CodedQualities): Uint8Array {
    if (length > this.#record.length) this.#record = new Uint8Array(2 * length);
    const output = this.#record.subarray(0, length);
    const { symbolParts, positionParts, deltaParts, qualities, qualityMask, qualityShift, qualityPlace } = tables;
    const models = this.#modelsOf(id);
    let { context } = tables;
    let history = 0;
    let changes = 0;
    let previous = 0;
    for (let at = 0; at < length; at++) {
      const symbol = this.#decode(models, context);
      output[at] = qualities[symbol] ?? 0;
      history = ((history << qualityShift) + (symbolParts[symbol] ?? 0)) & qualityMask;
      const position = Math.min(length - at, positionParts.length - 1);
      const parts = (positionParts[position] ?? 0) + (deltaParts[Math.min(changes, 255)] ?? 0) + selectorPart;
      context = ((history << qualityPlace) + parts) & 0xffff;
      if (symbol !== previous) changes += 1;
      previous = symbol;
    }
    return output;
  }

  #modelsOf(id: ModelsId): SymbolModels {
    const models = this.#models[id];
    if (models === undefined) throw new RangeError('models of another coder');
    return models;
  }

  /** Decodes the next symbol in a context. Hot. */
  #decode(models: SymbolModels, context: number): number {
    const place = models.placeOf(context);
    const { entries } = models;
    const total = entries[place] ?? 0;
    let range = (this.#range / total) >>> 0;
    let code = this.#code;
    const sought = (code / range) >>> 0;
    if (sought >= total) throw this.#cursor.invalid('code of the arithmetic coder is outside the range');
    let at = place + 1;
    let low = 0;
    let entry = entries[at] ?? 0;
    while (low + (entry >>> SYMBOL_BITS) <= sought) {
      low += entry >>> SYMBOL_BITS;
      at += 1;
      entry = entries[at] ?? 0;
    }
    code -= low * range;
    range *= entry >>> SYMBOL_BITS;
    while (range < LOWER_BOUND) {
      range *= 256;
      code = code * 256 + this.#cursor.readByte();
    }
    this.#range = range;
    this.#code = code;
    return models.count(place, at);
  }
}

/**
 * Adaptive frequencies of symbols in many contexts, roughly sorted by frequency so that frequent symbols are found first
 * (CRAM codecs §4.1). A context takes memory when it is first used: fqzcomp has 65,536 contexts and uses a few of them.
 */
class SymbolModels {
  readonly #symbolCount: number;
  /** The place of each context in `entries`, plus one; 0 for a context that is not in use yet. */
  readonly #places: Uint32Array;
  /** For each context in use: the sum of its frequencies, and an entry for each symbol. */
  entries: Uint32Array;
  #used = 0;

  /** Creates models of at most 256 symbols for contexts below `contextCount`. */
  constructor(symbolCount: number, contextCount: number) {
    this.#symbolCount = symbolCount;
    this.#places = new Uint32Array(contextCount);
    this.entries = new Uint32Array(symbolCount + 1);
  }

  /** Returns the place of a context. */
  placeOf(context: number): number {
    return (this.#places[context] || this.#create(context)) - 1;
  }

  /** Counts the symbol of the entry at `at`, and returns it. */
  count(place: number, at: number): number {
    const { entries } = this;
    let entry = (entries[at] ?? 0) + ENTRY_STEP;
    entries[at] = entry;
    const total = (entries[place] ?? 0) + STEP;
    entries[place] = total;
    if (total > MAX_TOTAL) {
      this.#halve(place);
      entry = entries[at] ?? 0;
    }
    // A symbol moves before one that has become less frequent.
    if (at > place + 1) {
      const before = entries[at - 1] ?? 0;
      if (entry >>> SYMBOL_BITS > before >>> SYMBOL_BITS) {
        entries[at - 1] = entry;
        entries[at] = before;
      }
    }
    return entry & SYMBOL_MASK;
  }

  /** Starts a context with equal frequencies, and returns its place plus one. */
  #create(context: number): number {
    const place = this.#used;
    const end = place + 1 + this.#symbolCount;
    if (end > this.entries.length) {
      const grown = new Uint32Array(Math.min(2 * end, this.#places.length * (1 + this.#symbolCount)));
      grown.set(this.entries);
      this.entries = grown;
    }
    this.entries[place] = this.#symbolCount;
    for (let symbol = 0; symbol < this.#symbolCount; symbol++) {
      this.entries[place + 1 + symbol] = (1 << SYMBOL_BITS) + symbol;
    }
    this.#used = end;
    this.#places[context] = place + 1;
    return place + 1;
  }

  /** Halves all frequencies of a context, rounding up. */
  #halve(place: number): void {
    const { entries } = this;
    let total = 0;
    for (let at = place + 1; at <= place + this.#symbolCount; at++) {
      const entry = entries[at] ?? 0;
      const frequency = entry >>> SYMBOL_BITS;
      const half = frequency - (frequency >>> 1);
      entries[at] = (half << SYMBOL_BITS) + (entry & SYMBOL_MASK);
      total += half;
    }
    entries[place] = total;
  }
}
