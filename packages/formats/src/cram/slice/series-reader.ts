import { hasZero } from '../../bytes/copy-bytes.js';
import type { BitReader, ByteCursor } from '../byte-cursor.js';
import type { CramEncoding } from '../container/encoding.js';
import type { SliceStreams } from './stored-slice.js';
import { type ArrayReader, createFailingArrayReader, createFailingReader, type ValueReader } from './value-reader.js';

/** How an external block stores a value: as a byte, or as an ITF8 number. */
export type ValueType = 'byte' | 'number';

/**
 * Creates a reader of values that an encoding (CRAM 3.1 §13) stores in an external block or as bits in the core block. Reading
 * a value of an encoding of arrays throws `FormatError` `INVALID_DATA`.
 */
export function createValueReader(encoding: CramEncoding, type: ValueType, streams: SliceStreams): ValueReader {
  const { core } = streams;
  switch (encoding.kind) {
    case 'EXTERNAL':
      return createExternalReader(streams.external(encoding.contentId), type);
    case 'HUFFMAN':
      return constantReader(encoding) ?? new CodedReader(() => encoding.code.decode(core));
    case 'BETA':
      return constantReader(encoding) ?? new CodedReader(() => (core.readBits(encoding.bits) | 0) - encoding.offset);
    case 'GAMMA':
      return new CodedReader(() => readGamma(core) - encoding.offset);
    case 'SUBEXP':
      return new CodedReader(() => readSubexponential(core, encoding.order) - encoding.offset);
    case 'GOLOMB':
      return new CodedReader(() => readGolomb(core, encoding.divisor) - encoding.offset);
    case 'GOLOMB_RICE':
      return new CodedReader(() => readRice(core, encoding.bits) - encoding.offset);
    case 'NULL':
    case 'BYTE_ARRAY_LEN':
    case 'BYTE_ARRAY_STOP':
      return createFailingReader(() => core.cursor.invalid(`encoding ${encoding.kind} cannot store numbers`));
  }
}

/** Creates a reader of byte arrays. Reading an array of an encoding of numbers throws `FormatError` `INVALID_DATA`. */
export function createArrayReader(encoding: CramEncoding, streams: SliceStreams): ArrayReader {
  if (encoding.kind === 'BYTE_ARRAY_LEN') {
    const lengths = createValueReader(encoding.lengths, 'number', streams);
    const { values } = encoding;
    if (values.kind === 'EXTERNAL') {
      return new StoredArrayReader(lengths, streams.external(values.contentId), constantOf(encoding.lengths));
    }
    return new CodedArrayReader(lengths, createValueReader(values, 'byte', streams), streams);
  }
  if (encoding.kind !== 'BYTE_ARRAY_STOP') {
    return createFailingArrayReader(() => streams.core.cursor.invalid(`encoding ${encoding.kind} cannot store arrays`));
  }
  return new StoppedArrayReader(streams.external(encoding.contentId), encoding.stop);
}

/** Reads arrays that each end with a stop byte. */
class StoppedArrayReader implements ArrayReader {
  readonly #cursor: ByteCursor;
  readonly #stop: number;
  /** Four stop bytes. */
  readonly #stops: number;
  readonly bytes: Uint8Array;
  readonly view: DataView;
  start = 0;

  constructor(cursor: ByteCursor, stop: number) {
    this.#cursor = cursor;
    this.#stop = stop;
    this.#stops = Math.imul(stop, 0x01010101);
    this.bytes = cursor.bytes;
    this.view = cursor.view;
  }

  /** A loop, because most arrays are shorter than what a call of `indexOf` costs. It skips four other bytes at once. */
  read(): number {
    const { bytes, view } = this;
    const start = this.#cursor.at;
    const last = bytes.length - 4;
    let end = start;
    while (end <= last && !hasZero(view.getInt32(end, true) ^ this.#stops)) end += 4;
    while (end < bytes.length && bytes[end] !== this.#stop) end += 1;
    if (end === bytes.length) throw this.#cursor.invalid('array lacks its stop byte');
    this.start = start;
    this.#cursor.at = end + 1;
    return end - start;
  }

  skip(): number {
    return this.read();
  }
}

/** Reads arrays whose bytes are in an external block. */
class StoredArrayReader implements ArrayReader {
  readonly #lengths: ValueReader;
  /** The length of all arrays; −1 if it varies. */
  readonly #length: number;
  readonly #cursor: ByteCursor;
  readonly bytes: Uint8Array;
  readonly view: DataView;
  start = 0;

  constructor(lengths: ValueReader, cursor: ByteCursor, length = -1) {
    this.#lengths = lengths;
    this.#length = length;
    this.#cursor = cursor;
    this.bytes = cursor.bytes;
    this.view = cursor.view;
  }

  read(): number {
    const length = this.#length >= 0 ? this.#length : readLength(this.#lengths, this.#cursor);
    this.start = this.#cursor.at;
    this.#cursor.skip(length);
    return length;
  }

  skip(): number {
    return this.read();
  }
}

/** Reads arrays whose bytes are coded one by one, into memory of its own. */
class CodedArrayReader implements ArrayReader {
  readonly #lengths: ValueReader;
  readonly #values: ValueReader;
  readonly #streams: SliceStreams;
  readonly start = 0;
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  view: DataView<ArrayBuffer> = new DataView(this.bytes.buffer);

  constructor(lengths: ValueReader, values: ValueReader, streams: SliceStreams) {
    this.#lengths = lengths;
    this.#values = values;
    this.#streams = streams;
  }

  read(): number {
    const { core, budget } = this.#streams;
    const length = readLength(this.#lengths, core.cursor);
    // The values may take no bits, so that only the budget bounds their number.
    budget.spendBytes(length, core.cursor.offset);
    if (length > this.bytes.length) {
      this.bytes = new Uint8Array(2 * length);
      this.view = new DataView(this.bytes.buffer);
    }
    this.#values.readInto(this.bytes, 0, length);
    return length;
  }

  skip(): number {
    const length = readLength(this.#lengths, this.#streams.core.cursor);
    this.#values.skip(length);
    return length;
  }
}

function readLength(lengths: ValueReader, cursor: ByteCursor): number {
  const length = lengths.read();
  if (length < 0) throw cursor.invalid(`${length} is not a valid array length`);
  return length;
}

function createExternalReader(cursor: ByteCursor, type: ValueType): ValueReader {
  return type === 'number' ? new NumberReader(cursor) : new ByteReader(cursor);
}

/** Returns the value of an encoding whose values take no bits; undefined for other encodings. */
export function constantOf(encoding: CramEncoding): number | undefined {
  if (encoding.kind === 'HUFFMAN') return encoding.code.constant;
  return encoding.kind === 'BETA' && encoding.bits === 0 ? 0 - encoding.offset : undefined;
}

function constantReader(encoding: CramEncoding): ValueReader | undefined {
  const constant = constantOf(encoding);
  return constant === undefined ? undefined : new ConstantReader(constant);
}

// The readers are classes, so that the compiler can inline them where most values are of one kind.

class ByteReader implements ValueReader {
  readonly #cursor: ByteCursor;

  constructor(cursor: ByteCursor) {
    this.#cursor = cursor;
  }

  read(): number {
    return this.#cursor.readByte();
  }

  skip(count: number): void {
    this.#cursor.skip(count);
  }

  readInto(target: Uint8Array, at: number, count: number): void {
    target.set(this.#cursor.readBytes(count), at);
  }
}

/** Reads a value that takes no bits. */
class ConstantReader implements ValueReader {
  readonly #value: number;

  constructor(value: number) {
    this.#value = value;
  }

  read(): number {
    return this.#value;
  }

  skip(): void {
    // There is nothing to skip.
  }

  readInto(target: Uint8Array, at: number, count: number): void {
    target.fill(this.#value, at, at + count);
  }
}

/** Reads ITF8 numbers. */
class NumberReader implements ValueReader {
  readonly #cursor: ByteCursor;

  constructor(cursor: ByteCursor) {
    this.#cursor = cursor;
  }

  read(): number {
    return this.#cursor.readItf8();
  }

  skip(count: number): void {
    for (let i = 0; i < count; i++) this.read();
  }

  readInto(target: Uint8Array, at: number, count: number): void {
    for (let i = 0; i < count; i++) target[at + i] = this.read();
  }
}

/** Reads values of at least one bit, so that reading any number of them stops at the end of the data. */
class CodedReader implements ValueReader {
  readonly #read: () => number;

  constructor(read: () => number) {
    this.#read = read;
  }

  read(): number {
    return this.#read();
  }

  skip(count: number): void {
    for (let i = 0; i < count; i++) this.#read();
  }

  readInto(target: Uint8Array, at: number, count: number): void {
    for (let i = 0; i < count; i++) target[at + i] = this.#read();
  }
}

function readGamma(core: BitReader): number {
  const bits = core.readUnary(0, 31);
  return 2 ** bits + core.readBits(bits);
}

function readSubexponential(core: BitReader, order: number): number {
  const prefix = core.readUnary(1, 32);
  if (prefix === 0) return core.readBits(order);
  const bits = prefix + order - 1;
  if (bits > 32) throw core.cursor.invalid('subexponential number has more than 32 bits');
  return 2 ** bits + core.readBits(bits);
}

function readGolomb(core: BitReader, divisor: number): number {
  const quotient = core.readUnary(1, 2 ** 31);
  const bits = Math.ceil(Math.log2(divisor));
  if (bits === 0) return quotient;
  const short = 2 ** bits - divisor;
  const remainder = core.readBits(bits - 1);
  return quotient * divisor + (remainder < short ? remainder : remainder * 2 + core.readBit() - short);
}

function readRice(core: BitReader, bits: number): number {
  const quotient = core.readUnary(1, 2 ** 31);
  return quotient * 2 ** bits + core.readBits(bits);
}
