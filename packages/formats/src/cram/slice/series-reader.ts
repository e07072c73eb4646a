import type { BitReader, ByteCursor } from '../byte-cursor.js';
import type { HuffmanCode } from '../codecs/huffman-code.js';
import type { CramEncoding } from '../container/encoding.js';

/** Reads a data series of numbers. */
export interface ValueReader {
  read(): number;
  /** Skips `count` values. */
  skip(count: number): void;
}

/** Skips a value of a data series of byte arrays, and returns its length. */
export type ArraySkipper = () => number;

/** The uncompressed blocks of a slice. */
export interface SliceStreams {
  readonly core: BitReader;
  /** Returns the cursor of an external block. Series that share a block share its cursor. */
  external(contentId: number): ByteCursor;
}

/** How an external block stores a value: as a byte, or as an ITF8 number. */
export type ValueType = 'byte' | 'number';

/**
 * Creates a reader of values that an encoding (CRAM 3.1 §13) stores in an external block or as bits in the core block. Throws
 * `FormatError` `INVALID_DATA` for an encoding of arrays.
 */
export function createValueReader(encoding: CramEncoding, type: ValueType, streams: SliceStreams): ValueReader {
  const { core } = streams;
  switch (encoding.kind) {
    case 'EXTERNAL':
      return createExternalReader(streams.external(encoding.contentId), type);
    case 'HUFFMAN':
      return createHuffmanReader(encoding.code, core);
    case 'BETA':
      return createBetaReader(encoding, core);
    case 'GAMMA':
      return createBitReader(() => readGamma(core) - encoding.offset);
    case 'SUBEXP':
      return createBitReader(() => readSubexponential(core, encoding.order) - encoding.offset);
    case 'GOLOMB':
      return createBitReader(() => readGolomb(core, encoding.divisor) - encoding.offset);
    case 'GOLOMB_RICE':
      return createBitReader(() => readRice(core, encoding.bits) - encoding.offset);
    case 'NULL':
    case 'BYTE_ARRAY_LEN':
    case 'BYTE_ARRAY_STOP':
      throw core.cursor.invalid(`encoding ${encoding.kind} cannot store numbers`);
  }
}

/** Creates a skipper of byte arrays. Throws `FormatError` `INVALID_DATA` for an encoding of numbers. */
export function createArraySkipper(encoding: CramEncoding, streams: SliceStreams): ArraySkipper {
  if (encoding.kind === 'BYTE_ARRAY_LEN') {
    const lengths = createValueReader(encoding.lengths, 'number', streams);
    const values = createValueReader(encoding.values, 'byte', streams);
    return () => {
      const length = lengths.read();
      if (length < 0) throw streams.core.cursor.invalid(`${length} is not a valid array length`);
      values.skip(length);
      return length;
    };
  }
  if (encoding.kind !== 'BYTE_ARRAY_STOP') {
    throw streams.core.cursor.invalid(`encoding ${encoding.kind} cannot store arrays`);
  }
  const { stop } = encoding;
  const cursor = streams.external(encoding.contentId);
  return () => {
    const length = cursor.bytes.indexOf(stop, cursor.at) - cursor.at;
    if (length < 0) throw cursor.invalid('array lacks its stop byte');
    cursor.skip(length + 1);
    return length;
  };
}

function createExternalReader(cursor: ByteCursor, type: ValueType): ValueReader {
  if (type === 'byte') return { read: () => cursor.readByte(), skip: (count) => cursor.skip(count) };
  return { read: () => cursor.readItf8(), skip: (count) => repeat(count, () => cursor.readItf8()) };
}

function createHuffmanReader(code: HuffmanCode, core: BitReader): ValueReader {
  const { constant } = code;
  return constant === undefined ? createBitReader(() => code.decode(core)) : createConstant(constant);
}

function createBetaReader(
  { offset, bits }: { readonly offset: number; readonly bits: number },
  core: BitReader,
): ValueReader {
  return bits === 0 ? createConstant(0 - offset) : createBitReader(() => (core.readBits(bits) | 0) - offset);
}

/** Creates a reader of a value that takes no bits. */
function createConstant(value: number): ValueReader {
  return { read: () => value, skip: () => undefined };
}

/** Creates a reader of values of at least one bit, so that skipping any number of them stops at the end of the data. */
function createBitReader(read: () => number): ValueReader {
  return { read, skip: (count) => repeat(count, read) };
}

function repeat(count: number, read: () => number): void {
  for (let i = 0; i < count; i++) read();
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
