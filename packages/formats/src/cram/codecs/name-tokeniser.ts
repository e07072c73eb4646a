import { invalidData } from '../../format-error.js';
import type { ByteCursor } from '../byte-cursor.js';
import { decodeArithmetic } from './arithmetic.js';
import type { EntropyEngine } from './engines/entropy-engine.js';
import { readTokenStreams, TOKEN, TOKEN_TYPES, type TokenStreams } from './name-tokens.js';
import { decodeRansNx16 } from './rans-nx16.js';

/** The maximum number of digits of a number of 32 bits. */
const MAX_DIGITS = 10;
const ZERO = 0x30;
/** The powers of 10: the numbers below the one at an index have at most as many digits. */
const POWERS = Float64Array.from({ length: MAX_DIGITS + 1 }, (_, digits) => 10 ** digits);

const EMPTY: Uint8Array = new Uint8Array(0);

/**
 * Decodes the names that the name tokeniser compressed (CRAM codecs §5), each followed by a NUL. Throws `FormatError`
 * `INVALID_DATA` and `TRUNCATED` if they are corrupt or are not `size` bytes.
 */
export function decodeNames(cursor: ByteCursor, size: number, engine: EntropyEngine): Uint8Array {
  const { offset } = cursor;
  const declaredSize = cursor.readUint32();
  // noodles 0.102 does not count the last NUL.
  if (declaredSize !== size && declaredSize !== size - 1) {
    throw invalidData(`names declare ${declaredSize} bytes, but their block ${size}`, offset);
  }
  const nameCount = cursor.readUint32();
  if (nameCount > size) throw cursor.invalid(`${nameCount} names do not fit into ${size} bytes`);
  const isRans = cursor.readByte() === 0;
  const decodeStream = (stream: ByteCursor, length: number): Uint8Array =>
    isRans ? decodeRansNx16(stream, { size: length, engine }) : decodeArithmetic(stream, length, engine);
  const streams = readTokenStreams(cursor, { nameCount, size, decodeStream });
  // JavaScript reports what is wrong with damaged names.
  return (
    engine.decodeNames?.(streams, { nameCount, size }) ?? new NameDecoder(streams, { nameCount, size, cursor }).decode()
  );
}

interface NameBlock {
  readonly nameCount: number;
  readonly size: number;
  /** The cursor whose offset errors report. */
  readonly cursor: ByteCursor;
}

/** The state of decoding names. Later names refer to the names and tokens of earlier ones. */
class NameDecoder {
  readonly #streams: readonly Uint8Array[];
  readonly #positionCount: number;
  /** The next byte of each stream. */
  readonly #next: Uint32Array;
  readonly #block: NameBlock;
  readonly #output: Uint8Array;
  #outputEnd = 0;
  /** For each name: its bytes in the output, and its first token. A name has a token for each position from 1 on. */
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #firstTokens: Uint32Array;
  readonly #tokenCounts: Uint8Array;
  /** For each token: its type, its number, and the place of its text in the output. */
  readonly #types: Uint8Array;
  readonly #values: Uint32Array;
  readonly #places: Uint32Array;
  readonly #lengths: Uint32Array;
  #tokenEnd = 0;

  constructor({ streams, positionCount, tokenCount }: TokenStreams, block: NameBlock) {
    this.#streams = streams;
    this.#positionCount = positionCount;
    this.#next = new Uint32Array(streams.length);
    this.#block = block;
    this.#output = new Uint8Array(block.size);
    this.#starts = new Uint32Array(block.nameCount);
    this.#ends = new Uint32Array(block.nameCount);
    this.#firstTokens = new Uint32Array(block.nameCount);
    this.#tokenCounts = new Uint8Array(block.nameCount);
    this.#types = new Uint8Array(tokenCount);
    this.#values = new Uint32Array(tokenCount);
    this.#places = new Uint32Array(tokenCount);
    this.#lengths = new Uint32Array(tokenCount);
  }

  decode(): Uint8Array {
    const { nameCount, size, cursor } = this.#block;
    for (let name = 0; name < nameCount; name++) this.#decodeName(name);
    if (this.#outputEnd !== size) throw cursor.invalid(`names have ${this.#outputEnd} bytes, not ${size}`);
    return this.#output;
  }

  #decodeName(name: number): void {
    const type = this.#readByte(TOKEN.type);
    if (type !== TOKEN.duplicate && type !== TOKEN.difference) throw this.#invalid(`a name has token type ${type}`);
    const distance = this.#readUint32(type);
    if (distance > name || (type === TOKEN.duplicate && distance === 0)) {
      throw this.#invalid(`name ${name} refers to the name ${distance} before it`);
    }
    const previous = name - distance;
    this.#starts[name] = this.#outputEnd;
    if (type === TOKEN.duplicate) {
      this.#firstTokens[name] = this.#firstTokens[previous] ?? 0;
      this.#tokenCounts[name] = this.#tokenCounts[previous] ?? 0;
      const start = this.#starts[previous] ?? 0;
      this.#copyOutput(start, (this.#ends[previous] ?? 0) - start);
    } else {
      this.#firstTokens[name] = this.#tokenEnd;
      this.#decodeTokens(name, previous);
    }
    this.#ends[name] = this.#outputEnd;
    this.#output[this.#extend(1)] = 0;
  }

  /** Decodes the tokens of a name up to its end. A token may refer to the one at the same position of the name `previous`. */
  #decodeTokens(name: number, previous: number): void {
    const first = (this.#firstTokens[previous] ?? 0) - 1;
    const firstEnd = first + (previous === name ? 0 : (this.#tokenCounts[previous] ?? 0));
    for (let position = 1; position < this.#positionCount; position++) {
      const slot = position * TOKEN_TYPES;
      const type = this.#readByte(slot);
      if (type === TOKEN.end) {
        this.#tokenCounts[name] = position - 1;
        return;
      }
      const earlier = first + position;
      this.#decodeToken(type, slot, earlier <= firstEnd ? earlier : -1);
    }
    throw this.#invalid('name has more tokens than there are token streams');
  }

  /** Decodes a token. `slot` is the place of the streams of its position, `earlier` a token that it may refer to, or −1. */
  #decodeToken(type: number, slot: number, earlier: number): void {
    switch (type) {
      case TOKEN.match:
        this.#addMatch(earlier);
        break;
      case TOKEN.char: {
        const char = this.#readByte(slot + TOKEN.char);
        this.#output[this.#addToken(TOKEN.char, 0, 1)] = char;
        break;
      }
      case TOKEN.string:
        this.#addString(slot + TOKEN.string);
        break;
      case TOKEN.digits: {
        const value = this.#readUint32(slot + TOKEN.digits);
        this.#addNumber(TOKEN.digits, value, digitCount(value));
        break;
      }
      case TOKEN.digits0: {
        const digits = this.#readByte(slot + TOKEN.digits0Length);
        this.#addNumber(TOKEN.digits0, this.#readUint32(slot + TOKEN.digits0), digits);
        break;
      }
      case TOKEN.delta: {
        const value = this.#valueOf(earlier, TOKEN.digits) + this.#readByte(slot + TOKEN.delta);
        this.#addNumber(TOKEN.digits, value, digitCount(value));
        break;
      }
      case TOKEN.delta0: {
        const value = this.#valueOf(earlier, TOKEN.digits0) + this.#readByte(slot + TOKEN.delta0);
        this.#addNumber(TOKEN.digits0, value, this.#lengths[earlier] ?? 0);
        break;
      }
      case TOKEN.nothing:
        this.#addToken(TOKEN.nothing, 0, 0);
        break;
      default:
        throw this.#invalid(`unknown token type ${type}`);
    }
  }

  /** Returns the number of an earlier token, which must be of a type. */
  #valueOf(earlier: number, type: number): number {
    if (earlier < 0 || this.#types[earlier] !== type) {
      throw this.#invalid('token refers to one that the earlier name does not have');
    }
    return this.#values[earlier] ?? 0;
  }

  /** Adds a token that is equal to an earlier one, with the same text. */
  #addMatch(earlier: number): void {
    if (earlier < 0) throw this.#invalid('token refers to one that the earlier name does not have');
    const type = this.#types[earlier] ?? TOKEN.nothing;
    if (type === TOKEN.nothing) throw this.#invalid('token matches one that has no value');
    const place = this.#places[earlier] ?? 0;
    const length = this.#lengths[earlier] ?? 0;
    const output = this.#output;
    const to = this.#addToken(type, this.#values[earlier] ?? 0, length);
    // Most texts are too short for a call of `copyWithin`.
    for (let at = 0; at < length; at++) output[to + at] = output[place + at] ?? 0;
  }

  #addString(slot: number): void {
    const bytes = this.#streams[slot] ?? EMPTY;
    const start = this.#next[slot] ?? 0;
    const length = bytes.indexOf(0, start) - start;
    if (length < 0) throw this.#invalid('string of a name lacks its end');
    this.#output.set(bytes.subarray(start, start + length), this.#addToken(TOKEN.string, 0, length));
    this.#next[slot] = start + length + 1;
  }

  /** Appends a number with exactly `length` digits. */
  #addNumber(type: number, value: number, length: number): void {
    if (value >= 2 ** 32 || length > MAX_DIGITS || value >= (POWERS[length] ?? 0)) {
      throw this.#invalid(`number ${value} of a name does not fit into ${length} digits`);
    }
    const start = this.#addToken(type, value, length);
    const output = this.#output;
    let at = start + length - 1;
    let rest = value;
    if (rest >= 2 ** 31) {
      output[at--] = ZERO + (rest % 10);
      rest = Math.floor(rest / 10);
    }
    for (; at >= start; at--) {
      // With 32-bit operands, the division is a multiplication.
      const tens = ((rest | 0) / 10) | 0;
      output[at] = ZERO + rest - 10 * tens;
      rest = tens;
    }
  }

  /** Adds a token with a text of `length` bytes, and returns where the caller writes it. */
  #addToken(type: number, value: number, length: number): number {
    const at = this.#extend(length);
    const token = this.#tokenEnd++;
    this.#types[token] = type;
    this.#values[token] = value;
    this.#places[token] = at;
    this.#lengths[token] = length;
    return at;
  }

  #copyOutput(start: number, length: number): void {
    const at = this.#extend(length);
    this.#output.copyWithin(at, start, start + length);
  }

  /** Makes room for bytes of the output, and returns where they are. */
  #extend(length: number): number {
    const at = this.#outputEnd;
    if (length > this.#output.length - at) throw this.#invalid(`names have more than ${this.#output.length} bytes`);
    this.#outputEnd = at + length;
    return at;
  }

  #readByte(slot: number): number {
    const at = this.#next[slot] ?? 0;
    const byte = this.#streams[slot]?.[at];
    if (byte === undefined) throw this.#block.cursor.truncated();
    this.#next[slot] = at + 1;
    return byte;
  }

  #readUint32(slot: number): number {
    const at = this.#next[slot] ?? 0;
    const bytes = this.#streams[slot] ?? EMPTY;
    if (at + 4 > bytes.length) throw this.#block.cursor.truncated();
    this.#next[slot] = at + 4;
    const low = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
    return low + (bytes[at + 3] ?? 0) * 2 ** 24;
  }

  #invalid(message: string): Error {
    return this.#block.cursor.invalid(message);
  }
}

function digitCount(value: number): number {
  let count = 1;
  while (value >= (POWERS[count] ?? Number.POSITIVE_INFINITY)) count += 1;
  return count;
}
