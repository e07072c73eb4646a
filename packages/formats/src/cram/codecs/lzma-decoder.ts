import type { ByteCursor } from '../byte-cursor.js';
import { type BitModels, createBitModels, LzmaRangeDecoder } from './lzma-range-decoder.js';

/** States encode what was decoded last. States below this one mean a literal. */
const LITERAL_STATES = 7;
const STATES = 12;
/** The maximum number of contexts that the low bits of the position select. */
const MAX_POSITION_STATES = 16;
const LITERAL_MODELS = 0x300;
const MIN_MATCH = 2;
/** The number of length classes that have their own models of distances. */
const LENGTH_STATES = 4;
const SLOT_BITS = 6;
/** From this slot on, the middle bits of a distance have no models. */
const DIRECT_SLOT = 14;
const ALIGN_BITS = 4;

/** The models of lengths: those of matches, or those of repeats. */
interface LengthModels {
  readonly choice: BitModels;
  readonly low: BitModels;
  readonly middle: BitModels;
  readonly high: BitModels;
}

/** Creates the models in their initial state. */
function createModels(literalContexts: number) {
  return {
    literal: createBitModels(LITERAL_MODELS * literalContexts),
    isMatch: createBitModels(STATES * MAX_POSITION_STATES),
    isRepeat: createBitModels(STATES),
    isLaterRepeat: createBitModels(STATES),
    isThirdRepeat: createBitModels(STATES),
    isFourthRepeat: createBitModels(STATES),
    isLongRepeat: createBitModels(STATES * MAX_POSITION_STATES),
    slot: createBitModels(LENGTH_STATES << SLOT_BITS),
    /** Indexed by the first distance of the slot minus the slot. */
    distance: createBitModels(128),
    align: createBitModels(1 << ALIGN_BITS),
    matchLength: createLengthModels(),
    repeatLength: createLengthModels(),
  };
}

function createLengthModels(): LengthModels {
  const low = createBitModels(MAX_POSITION_STATES << 3);
  return { choice: createBitModels(2), low, middle: createBitModels(low.length), high: createBitModels(256) };
}

/** Decodes LZMA into a buffer that holds the whole output, so that it also serves as the dictionary. */
export class LzmaDecoder {
  readonly #output: Uint8Array;
  #length = 0;
  /** The start of the dictionary in the output. */
  #start = 0;
  #literalContextBits = 0;
  #literalPositionMask = 0;
  #positionMask = 0;
  #models: ReturnType<typeof createModels> = createModels(0);
  #state = 0;
  #repeats: [number, number, number, number] = [0, 0, 0, 0];

  constructor(output: Uint8Array) {
    this.#output = output;
  }

  /** Bytes decoded so far. */
  get length(): number {
    return this.#length;
  }

  resetDictionary(): void {
    this.#start = this.#length;
  }

  /** Sets the properties, which select contexts, from their byte. Throws `FormatError` `INVALID_DATA` for an invalid one. */
  setProperties(byte: number, cursor: ByteCursor): void {
    const literalContextBits = byte % 9;
    const literalPositionBits = Math.floor(byte / 9) % 5;
    const positionBits = Math.floor(byte / 45);
    if (positionBits > 4 || literalContextBits + literalPositionBits > 4) {
      throw cursor.invalid(`${byte} is not a valid properties byte of LZMA2`);
    }
    this.#literalContextBits = literalContextBits;
    this.#literalPositionMask = 2 ** literalPositionBits - 1;
    this.#positionMask = 2 ** positionBits - 1;
  }

  resetState(): void {
    this.#models = createModels((this.#literalPositionMask + 1) << this.#literalContextBits);
    this.#state = 0;
    this.#repeats = [0, 0, 0, 0];
  }

  /** Appends uncompressed bytes. */
  append(bytes: Uint8Array): void {
    this.#output.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Decodes until the output has `end` bytes. Throws `FormatError` `INVALID_DATA` and `TRUNCATED` for corrupt data. */
  decodeTo(end: number, cursor: ByteCursor): void {
    const decoder = new LzmaRangeDecoder(cursor);
    const { isMatch, isRepeat } = this.#models;
    while (this.#length < end) {
      const positionState = (this.#length - this.#start) & this.#positionMask;
      if (decoder.readBit(isMatch, this.#state * MAX_POSITION_STATES + positionState) === 0) {
        this.#decodeLiteral(decoder);
        continue;
      }
      const isRepeated = decoder.readBit(isRepeat, this.#state) === 1;
      const length = isRepeated
        ? this.#decodeRepeat(decoder, positionState)
        : this.#decodeMatch(decoder, positionState);
      this.#copy(length, end, cursor);
    }
  }

  #decodeLiteral(decoder: LzmaRangeDecoder): void {
    const output = this.#output;
    const position = this.#length - this.#start;
    const previous = position > 0 ? (output[this.#length - 1] ?? 0) : 0;
    const context =
      ((position & this.#literalPositionMask) << this.#literalContextBits) +
      (previous >> (8 - this.#literalContextBits));
    const { literal } = this.#models;
    const models = literal.subarray(LITERAL_MODELS * context, LITERAL_MODELS * (context + 1));
    let node = 1;
    if (this.#state >= LITERAL_STATES) {
      // Bits have separate contexts while they equal those of the byte with which the last match would continue.
      const expected = output[this.#length - this.#repeats[0] - 1] ?? 0;
      for (let shift = 7; node < 0x100; shift--) {
        const expectedBit = (expected >> shift) & 1;
        const bit = decoder.readBit(models, ((1 + expectedBit) << 8) + node);
        node = 2 * node + bit;
        if (bit !== expectedBit) break;
      }
    }
    while (node < 0x100) node = 2 * node + decoder.readBit(models, node);
    output[this.#length] = node & 0xff;
    this.#length += 1;
    if (this.#state < 4) this.#state = 0;
    else this.#state -= this.#state < 10 ? 3 : 6;
  }

  /** Decodes a match at one of the last four distances, which becomes the last one, and returns its length. */
  #decodeRepeat(decoder: LzmaRangeDecoder, positionState: number): number {
    const { isLaterRepeat, isThirdRepeat, isFourthRepeat, isLongRepeat, repeatLength } = this.#models;
    const wasLiteral = this.#state < LITERAL_STATES;
    const [first, second, third, fourth] = this.#repeats;
    if (decoder.readBit(isLaterRepeat, this.#state) === 0) {
      if (decoder.readBit(isLongRepeat, this.#state * MAX_POSITION_STATES + positionState) === 0) {
        this.#state = wasLiteral ? 9 : 11;
        return 1;
      }
    } else if (decoder.readBit(isThirdRepeat, this.#state) === 0) this.#repeats = [second, first, third, fourth];
    else if (decoder.readBit(isFourthRepeat, this.#state) === 0) this.#repeats = [third, first, second, fourth];
    else this.#repeats = [fourth, first, second, third];
    this.#state = wasLiteral ? 8 : 11;
    return readLength(decoder, repeatLength, positionState);
  }

  /** Decodes a match at a new distance, and returns its length. */
  #decodeMatch(decoder: LzmaRangeDecoder, positionState: number): number {
    const [first, second, third] = this.#repeats;
    const length = readLength(decoder, this.#models.matchLength, positionState);
    this.#state = this.#state < LITERAL_STATES ? 7 : 10;
    this.#repeats = [this.#readDistance(decoder, length), first, second, third];
    return length;
  }

  #readDistance(decoder: LzmaRangeDecoder, length: number): number {
    const { slot: slots, distance, align } = this.#models;
    const lengthState = Math.min(length - MIN_MATCH, LENGTH_STATES - 1);
    const slot = decoder.readTree(slots, lengthState << SLOT_BITS, SLOT_BITS);
    if (slot < 4) return slot;
    const bits = (slot >> 1) - 1;
    const base = (2 + (slot & 1)) * 2 ** bits;
    if (slot < DIRECT_SLOT) return base + decoder.readReverseTree(distance, base - slot, bits);
    const middle = decoder.readDirect(bits - ALIGN_BITS) * 2 ** ALIGN_BITS;
    return base + middle + decoder.readReverseTree(align, 0, ALIGN_BITS);
  }

  /** Copies `length` bytes from the last distance. Source and target may overlap. */
  #copy(length: number, end: number, cursor: ByteCursor): void {
    const from = this.#length - this.#repeats[0] - 1;
    if (from < this.#start) throw cursor.invalid('LZMA match is before the start of the dictionary');
    if (this.#length + length > end) throw cursor.invalid('LZMA match is longer than its chunk');
    for (let at = 0; at < length; at++) this.#output[this.#length + at] = this.#output[from + at] ?? 0;
    this.#length += length;
  }
}

function readLength(
  decoder: LzmaRangeDecoder,
  { choice, low, middle, high }: LengthModels,
  positionState: number,
): number {
  if (decoder.readBit(choice, 0) === 0) return MIN_MATCH + decoder.readTree(low, positionState << 3, 3);
  if (decoder.readBit(choice, 1) === 0) return MIN_MATCH + 8 + decoder.readTree(middle, positionState << 3, 3);
  return MIN_MATCH + 16 + decoder.readTree(high, 0, 8);
}
