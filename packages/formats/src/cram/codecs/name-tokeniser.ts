import { invalidData } from '../../format-error.js';
import type { ByteCursor } from '../byte-cursor.js';
import { decodeArithmetic } from './arithmetic.js';
import type { EntropyEngine } from './engines/entropy-engine.js';
import { readTokenStreams, TOKEN, type TokenStreams } from './name-tokens.js';
import { decodeRansNx16 } from './rans-nx16.js';

/** The maximum number of digits of a number of 32 bits. */
const MAX_DIGITS = 10;
const ZERO = 0x30;

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
  const decode = cursor.readByte() === 0 ? decodeRansNx16 : decodeArithmetic;
  const decodeStream = (stream: ByteCursor, length: number): Uint8Array => decode(stream, length, engine);
  const streams = readTokenStreams(cursor, { nameCount, size, decodeStream });
  return new NameDecoder(streams, { nameCount, size, cursor }).decode();
}

interface NameBlock {
  readonly nameCount: number;
  readonly size: number;
  /** The cursor whose offset errors report. */
  readonly cursor: ByteCursor;
}

/** The state of decoding names. Later names refer to the names and tokens of earlier ones. */
class NameDecoder {
  readonly #streams: TokenStreams;
  readonly #block: NameBlock;
  readonly #output: Uint8Array;
  #outputEnd = 0;
  /** For each name: its bytes in the output, and its first token. A name has a token for each position from 1 on. */
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #firstTokens: Uint32Array;
  readonly #tokenCounts: Uint8Array;
  /** For each token: its type, its number or character, and its start in the output or its count of digits. */
  readonly #types: Uint8Array;
  readonly #values: Uint32Array;
  readonly #places: Uint32Array;
  #tokenEnd = 0;

  constructor(streams: TokenStreams, block: NameBlock) {
    this.#streams = streams;
    this.#block = block;
    this.#output = new Uint8Array(block.size);
    this.#starts = new Uint32Array(block.nameCount);
    this.#ends = new Uint32Array(block.nameCount);
    this.#firstTokens = new Uint32Array(block.nameCount);
    this.#tokenCounts = new Uint8Array(block.nameCount);
    this.#types = new Uint8Array(streams.tokenCount);
    this.#values = new Uint32Array(streams.tokenCount);
    this.#places = new Uint32Array(streams.tokenCount);
  }

  decode(): Uint8Array {
    const { nameCount, size, cursor } = this.#block;
    for (let name = 0; name < nameCount; name++) this.#decodeName(name);
    if (this.#outputEnd !== size) throw cursor.invalid(`names have ${this.#outputEnd} bytes, not ${size}`);
    return this.#output;
  }

  #decodeName(name: number): void {
    const type = this.#streams.stream(0, TOKEN.type).readByte();
    if (type !== TOKEN.duplicate && type !== TOKEN.difference) throw this.#invalid(`a name has token type ${type}`);
    const distance = this.#streams.stream(0, type).readUint32();
    if (distance > name || (type === TOKEN.duplicate && distance === 0)) {
      throw this.#invalid(`name ${name} refers to the name ${distance} before it`);
    }
    const previous = name - distance;
    this.#starts[name] = this.#outputEnd;
    if (type === TOKEN.duplicate) {
      this.#firstTokens[name] = this.#firstTokens[previous] ?? 0;
      this.#tokenCounts[name] = this.#tokenCounts[previous] ?? 0;
      this.#copyOutput(this.#starts[previous] ?? 0, this.#ends[previous] ?? 0);
    } else {
      this.#firstTokens[name] = this.#tokenEnd;
      this.#decodeTokens(name, previous);
    }
    this.#ends[name] = this.#outputEnd;
    this.#appendByte(0);
  }

  /** Decodes the tokens of a name up to its end. A token may refer to the one at the same position of the name `previous`. */
  #decodeTokens(name: number, previous: number): void {
    const { positionCount } = this.#streams;
    const first = (this.#firstTokens[previous] ?? 0) - 1;
    const firstEnd = first + (previous === name ? 0 : (this.#tokenCounts[previous] ?? 0));
    for (let position = 1; position < positionCount; position++) {
      const type = this.#streams.stream(position, TOKEN.type).readByte();
      if (type === TOKEN.end) {
        this.#tokenCounts[name] = position - 1;
        return;
      }
      const earlier = first + position;
      this.#decodeToken(type, position, earlier <= firstEnd ? earlier : undefined);
    }
    throw this.#invalid('name has more tokens than there are token streams');
  }

  #decodeToken(type: number, position: number, earlier: number | undefined): void {
    const streams = this.#streams;
    switch (type) {
      case TOKEN.string:
        this.#addString(streams.stream(position, TOKEN.string));
        break;
      case TOKEN.char:
        this.#addChar(streams.stream(position, TOKEN.char).readByte());
        break;
      case TOKEN.digits:
        this.#addNumber(TOKEN.digits, streams.stream(position, TOKEN.digits).readUint32(), 0);
        break;
      case TOKEN.digits0: {
        const digits = streams.stream(position, TOKEN.digits0Length).readByte();
        this.#addNumber(TOKEN.digits0, streams.stream(position, TOKEN.digits0).readUint32(), digits);
        break;
      }
      case TOKEN.delta:
      case TOKEN.delta0: {
        const matched = this.#matched(earlier, type === TOKEN.delta ? TOKEN.digits : TOKEN.digits0);
        const value = (this.#values[matched] ?? 0) + streams.stream(position, type).readByte();
        this.#addNumber(this.#types[matched] ?? 0, value, this.#places[matched] ?? 0);
        break;
      }
      case TOKEN.match:
        this.#addMatch(this.#matched(earlier));
        break;
      case TOKEN.nothing:
        this.#addToken(TOKEN.nothing, 0, 0);
        break;
      default:
        throw this.#invalid(`unknown token type ${type}`);
    }
  }

  /** Returns the token that another one refers to. */
  #matched(earlier: number | undefined, type?: number): number {
    if (earlier === undefined || (type !== undefined && this.#types[earlier] !== type)) {
      throw this.#invalid('token refers to one that the earlier name does not have');
    }
    return earlier;
  }

  #addMatch(earlier: number): void {
    const value = this.#values[earlier] ?? 0;
    const place = this.#places[earlier] ?? 0;
    switch (this.#types[earlier] ?? TOKEN.nothing) {
      case TOKEN.char:
        this.#addChar(value);
        break;
      case TOKEN.string:
        this.#addToken(TOKEN.string, value, this.#outputEnd);
        this.#copyOutput(place, place + value);
        break;
      case TOKEN.digits:
        this.#addNumber(TOKEN.digits, value, 0);
        break;
      case TOKEN.digits0:
        this.#addNumber(TOKEN.digits0, value, place);
        break;
      default:
        throw this.#invalid('token matches one that has no value');
    }
  }

  #addString(stream: ByteCursor): void {
    const length = stream.bytes.indexOf(0, stream.at) - stream.at;
    if (length < 0) throw this.#invalid('string of a name lacks its end');
    this.#addToken(TOKEN.string, length, this.#outputEnd);
    this.#ensure(length);
    this.#output.set(stream.readBytes(length), this.#outputEnd);
    this.#outputEnd += length;
    stream.skip(1);
  }

  #addChar(char: number): void {
    this.#addToken(TOKEN.char, char, 0);
    this.#appendByte(char);
  }

  /** Appends a number with exactly `digits` digits, or with as many as it needs if that is 0 and the type allows it. */
  #addNumber(type: number, value: number, digits: number): void {
    const length = type === TOKEN.digits ? String(value).length : digits;
    if (value >= 2 ** 32 || length > MAX_DIGITS || value >= 10 ** length) {
      throw this.#invalid(`number ${value} of a name does not fit into ${length} digits`);
    }
    this.#addToken(type, value, digits);
    this.#ensure(length);
    let rest = value;
    for (let at = this.#outputEnd + length - 1; at >= this.#outputEnd; at--) {
      this.#output[at] = ZERO + (rest % 10);
      rest = Math.floor(rest / 10);
    }
    this.#outputEnd += length;
  }

  #addToken(type: number, value: number, place: number): void {
    this.#types[this.#tokenEnd] = type;
    this.#values[this.#tokenEnd] = value;
    this.#places[this.#tokenEnd] = place;
    this.#tokenEnd += 1;
  }

  #copyOutput(start: number, end: number): void {
    this.#ensure(end - start);
    this.#output.copyWithin(this.#outputEnd, start, end);
    this.#outputEnd += end - start;
  }

  #appendByte(byte: number): void {
    this.#ensure(1);
    this.#output[this.#outputEnd] = byte;
    this.#outputEnd += 1;
  }

  #ensure(length: number): void {
    if (length > this.#output.length - this.#outputEnd) {
      throw this.#invalid(`names have more than ${this.#output.length} bytes`);
    }
  }

  #invalid(message: string): Error {
    return this.#block.cursor.invalid(message);
  }
}
