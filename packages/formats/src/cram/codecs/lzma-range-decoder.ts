import type { ByteCursor } from '../byte-cursor.js';

/** The bits of a probability, and the shift by which it adapts. */
const MODEL_BITS = 11;
const MOVE_BITS = 5;
/** The initial probability: both values of a bit are equally likely. */
const EVEN = 2 ** (MODEL_BITS - 1);
/** The range is kept at or above this bound. */
const LOWER_BOUND = 2 ** 24;

/** The probabilities of bits, one for each context. */
export type BitModels = Uint16Array;

/** Creates the models of `count` contexts in their initial state. */
export function createBitModels(count: number): BitModels {
  return new Uint16Array(count).fill(EVEN);
}

/** The range decoder of LZMA: decodes bits with adaptive probabilities. Throws `FormatError` `TRUNCATED` at the end of the data. */
export class LzmaRangeDecoder {
  readonly #cursor: ByteCursor;
  #range = 0xffffffff;
  #code: number;

  /** Reads the first five bytes. Throws `INVALID_DATA` if the first is not 0. */
  constructor(cursor: ByteCursor) {
    this.#cursor = cursor;
    if (cursor.readByte() !== 0) throw cursor.invalid('LZMA data does not start with a zero');
    let code = 0;
    for (let i = 0; i < 4; i++) code = code * 256 + cursor.readByte();
    this.#code = code;
  }

  /** Reads a bit with the model at `at`. Hot. */
  readBit(models: BitModels, at: number): 0 | 1 {
    const model = models[at] ?? EVEN;
    const bound = (this.#range >>> MODEL_BITS) * model;
    const bit = this.#code < bound ? 0 : 1;
    if (bit === 0) {
      this.#range = bound;
      models[at] = model + ((2 ** MODEL_BITS - model) >> MOVE_BITS);
    } else {
      this.#range -= bound;
      this.#code -= bound;
      models[at] = model - (model >> MOVE_BITS);
    }
    this.#normalize();
    return bit;
  }

  /** Reads `bits` bits, the highest first. The context of each is the bits before it; models begin at `start`. */
  readTree(models: BitModels, start: number, bits: number): number {
    let node = 1;
    for (let i = 0; i < bits; i++) node = 2 * node + this.readBit(models, start + node);
    return node - 2 ** bits;
  }

  /** Reads `bits` bits as `readTree` does, but the lowest first. */
  readReverseTree(models: BitModels, start: number, bits: number): number {
    let node = 1;
    let value = 0;
    for (let i = 0; i < bits; i++) {
      const bit = this.readBit(models, start + node);
      node = 2 * node + bit;
      value += bit * 2 ** i;
    }
    return value;
  }

  /** Reads bits without models, the highest first. */
  readDirect(bits: number): number {
    let value = 0;
    for (let i = 0; i < bits; i++) {
      this.#range >>>= 1;
      const bit = this.#code < this.#range ? 0 : 1;
      if (bit === 1) this.#code -= this.#range;
      value = 2 * value + bit;
      this.#normalize();
    }
    return value;
  }

  #normalize(): void {
    if (this.#range >= LOWER_BOUND) return;
    this.#range = (this.#range << 8) >>> 0;
    this.#code = ((this.#code << 8) | this.#cursor.readByte()) >>> 0;
  }
}
