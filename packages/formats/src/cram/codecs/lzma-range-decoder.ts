import type { ByteCursor } from '../byte-cursor.js';

/** Bits of a probability, and how fast it adapts. */
const MODEL_BITS = 11;
const MOVE_BITS = 5;
/** The probability of a bit that nothing is known of. */
const EVEN = 2 ** (MODEL_BITS - 1);
/** The range is kept above. */
const LOWER_BOUND = 2 ** 24;

/** Probabilities of bits, each of its own context. */
export type BitModels = Uint16Array;

export function createBitModels(count: number): BitModels {
  return new Uint16Array(count).fill(EVEN);
}

/** The range coder of LZMA: bits with probabilities that adapt. */
export class LzmaRangeDecoder {
  readonly #cursor: ByteCursor;
  #range = 0xffffffff;
  #code: number;

  /** Reads the first five bytes, of which the first is 0. */
  constructor(cursor: ByteCursor) {
    this.#cursor = cursor;
    if (cursor.readByte() !== 0) throw cursor.invalid('LZMA data begins with a zero');
    let code = 0;
    for (let i = 0; i < 4; i++) code = code * 256 + cursor.readByte();
    this.#code = code;
  }

  /** Hot: a bit of the context at `at`. */
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

  /** A bit tree: `bits` bits, the highest first, whose contexts are those in front. They begin at `start`. */
  readTree(models: BitModels, start: number, bits: number): number {
    let node = 1;
    for (let i = 0; i < bits; i++) node = 2 * node + this.readBit(models, start + node);
    return node - 2 ** bits;
  }

  /** The same, the lowest bit first. */
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

  /** Bits that are as likely as not, the highest first. */
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
