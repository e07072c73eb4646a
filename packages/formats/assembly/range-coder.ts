// The range decoder and the adaptive models of the arithmetic coder (CRAM codecs §4).
import { allocate } from './memory';

/** Results of decoding besides a symbol. */
export const INVALID: i32 = -1;
export const TRUNCATED: i32 = -2;

/** The range is kept at or above this bound. */
const LOWER_BOUND: u32 = 1 << 24;
/** The increment of a symbol's frequency each time it is decoded. */
const STEP: u32 = 16;
const MAX_TOTAL: u32 = 65519;

/** An entry of a model holds a symbol in its low bits and the frequency of that symbol above them. */
const SYMBOL_BITS: u32 = 8;

let range: u32 = 0;
let code: u32 = 0;
let next: usize = 0;
let end: usize = 0;

/** Starts with the first four bytes of the code. */
export function startRange(first: u32, input: usize, inputEnd: usize): void {
  range = 0xffffffff;
  code = first;
  next = input;
  end = inputEnd;
}

/** Returns the address of the next byte of the input. */
export function rangePosition(): usize {
  return next;
}

/**
 * Creates models of `symbolCount` symbols for contexts below `contextCount`: the count, and the address of the model of each
 * context. A context takes memory when it is first used.
 */
export function createModels(symbolCount: i32, contextCount: i32): usize {
  const length = (<usize>(1 + contextCount)) << 2;
  const models = allocate(length);
  memory.fill(models, 0, length);
  store<u32>(models, symbolCount);
  return models;
}

/** Creates a model with equal frequencies: their sum, and an entry for each symbol. */
function createModel(symbolCount: u32): usize {
  const model = allocate((1 + symbolCount) << 2);
  store<u32>(model, symbolCount);
  for (let symbol: u32 = 0; symbol < symbolCount; symbol += 1) {
    store<u32>(model + 4 + (symbol << 2), (1 << SYMBOL_BITS) + symbol);
  }
  return model;
}

/** Halves all frequencies, rounding up. */
function halve(model: usize, symbolCount: u32): void {
  let total: u32 = 0;
  for (let at = model + 4; at <= model + (symbolCount << 2); at += 4) {
    const entry = load<u32>(at);
    const frequency = entry >>> SYMBOL_BITS;
    const half = frequency - (frequency >>> 1);
    store<u32>(at, (half << SYMBOL_BITS) + (entry & 0xff));
    total += half;
  }
  store<u32>(model, total);
}

/** Decodes the next symbol in a context. Returns the symbol, INVALID or TRUNCATED. */
export function decodeSymbol(models: usize, context: i32): i32 {
  const place = models + 4 + ((<usize>context) << 2);
  let model: usize = load<u32>(place);
  if (model == 0) {
    model = createModel(load<u32>(models));
    store<u32>(place, model);
  }
  const total = load<u32>(model);
  const share = range / total;
  const sought = code / share;
  if (sought >= total) return INVALID;
  let at = model + 4;
  let low: u32 = 0;
  let entry = load<u32>(at);
  while (low + (entry >>> SYMBOL_BITS) <= sought) {
    low += entry >>> SYMBOL_BITS;
    at += 4;
    entry = load<u32>(at);
  }
  code -= low * share;
  range = share * (entry >>> SYMBOL_BITS);
  while (range < LOWER_BOUND) {
    if (next >= end) return TRUNCATED;
    range <<= 8;
    code = (code << 8) | <u32>load<u8>(next);
    next += 1;
  }
  entry += STEP << SYMBOL_BITS;
  store<u32>(at, entry);
  store<u32>(model, total + STEP);
  if (total + STEP > MAX_TOTAL) {
    halve(model, load<u32>(models));
    entry = load<u32>(at);
  }
  // A symbol moves before one that has become less frequent.
  if (at > model + 4) {
    const before = load<u32>(at - 4);
    if (entry >>> SYMBOL_BITS > before >>> SYMBOL_BITS) {
      store<u32>(at - 4, entry);
      store<u32>(at, before);
    }
  }
  return entry & 0xff;
}

/** Decodes `size` symbols, each in the context of the one before, or all in context 0. Returns 0, INVALID or TRUNCATED. */
export function decodeSymbols(models: usize, output: usize, size: usize, isOrder1: bool): i32 {
  let symbol = 0;
  for (const outputEnd = output + size; output < outputEnd; output += 1) {
    symbol = decodeSymbol(models, isOrder1 ? symbol : 0);
    if (symbol < 0) return symbol;
    store<u8>(output, <u8>symbol);
  }
  return 0;
}
