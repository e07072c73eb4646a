import { ByteCursor } from '../byte-cursor.js';
import type { EntropyEngine, RansCode } from './engines/entropy-engine.js';
import { type RansOutput, readSymbols } from './rans-4x8.js';
import { decodeTransformed, FLAG } from './transforms.js';

/** The flag of data with 32 states (CRAM codecs §3.7). */
const STATES_32 = 4;

/** The sum of the frequencies of order 0 is 2^12. */
const ORDER_0_BITS = 12;
/** The maximum number of bytes of the tables of order 1: 256 lists of 256 frequencies of up to two bytes take half of them. */
const MAX_TABLE_BYTES = 2 ** 18;

/**
 * Decodes rANS Nx16 data (CRAM codecs §3). Throws `FormatError` `INVALID_DATA` and `TRUNCATED` if it is corrupt or does not
 * yield `size` bytes.
 */
export function decodeRansNx16(cursor: ByteCursor, { size, engine, output }: RansOutput): Uint8Array {
  return decodeTransformed(cursor, size, {
    name: 'rANS data',
    decode: (coded, codedSize, flags) => {
      const stateCount = (flags & STATES_32) === 0 ? 4 : 32;
      if ((flags & FLAG.runLengths) === 0) {
        const isWhole = (flags & FLAG.packed) === 0 && codedSize === size;
        return decodeEntropy(coded, {
          flags,
          stateCount,
          engine,
          size: codedSize,
          output: isWhole ? output : undefined,
        });
      }
      const runs = readRuns(coded, { stateCount, engine, size: codedSize });
      const data = decodeEntropy(coded, { flags, stateCount, engine, size: runs.literalCount });
      return expandRuns(data, runs, codedSize);
    },
  });
}

interface Coded extends RansOutput {
  readonly stateCount: number;
}

function decodeEntropy(cursor: ByteCursor, { flags, ...coded }: Coded & { readonly flags: number }): Uint8Array {
  if ((flags & FLAG.stored) !== 0) return cursor.readBytes(coded.size);
  if (coded.size === 0) return new Uint8Array(0);
  return (flags & FLAG.order1) === 0 ? decodeOrder0(cursor, coded) : decodeOrder1(cursor, coded);
}

function decodeOrder0(cursor: ByteCursor, { engine, ...coded }: Coded): Uint8Array {
  const frequencies = new Uint16Array(256);
  const symbols: number[] = [];
  readSymbols(cursor, (symbol) => symbols.push(symbol));
  for (const symbol of symbols) frequencies[symbol] = readFrequency(cursor);
  const normalized = normalize(frequencies, ORDER_0_BITS, cursor);
  return engine.decodeRans(cursor, { ...coded, bits: ORDER_0_BITS, hasWords: true, frequencies: normalized });
}

function decodeOrder1(cursor: ByteCursor, { engine, ...coded }: Coded): Uint8Array {
  const tables = readTables(cursor, engine);
  return engine.decodeRans(cursor, { ...coded, ...tables, hasWords: true });
}

/** Reads the tables of order 1 (CRAM codecs §3.1). They share one alphabet; a frequency of zero is followed by a run length. */
function readTables(cursor: ByteCursor, engine: EntropyEngine): Pick<RansCode, 'bits' | 'frequencies'> {
  const first = cursor.readByte();
  const bits = first >> 4;
  if (bits !== 10 && bits !== 12) throw cursor.invalid(`frequencies have ${bits} bits, not 10 or 12`);
  const source = (first & 1) === 0 ? cursor : decompressTables(cursor, engine);
  const symbols: number[] = [];
  readSymbols(source, (symbol) => symbols.push(symbol));
  const tables: (Uint16Array | undefined)[] = [];
  for (const context of symbols) {
    const frequencies = new Uint16Array(256);
    let zeros = 0;
    for (const symbol of symbols) {
      if (zeros > 0) zeros -= 1;
      else {
        const frequency = readFrequency(source);
        frequencies[symbol] = frequency;
        if (frequency === 0) zeros = source.readByte();
      }
    }
    if (frequencies.some((frequency) => frequency > 0)) tables[context] = normalize(frequencies, bits, cursor);
  }
  return { bits, frequencies: tables };
}

function decompressTables(cursor: ByteCursor, engine: EntropyEngine): ByteCursor {
  const { offset } = cursor;
  const size = cursor.readUint7();
  const compressedSize = cursor.readUint7();
  if (size > MAX_TABLE_BYTES)
    throw cursor.invalid(`frequency tables of ${size} bytes are over the limit of ${MAX_TABLE_BYTES}`);
  const compressed = new ByteCursor(cursor.readBytes(compressedSize), offset);
  return new ByteCursor(decodeOrder0(compressed, { stateCount: 4, engine, size }), offset);
}

function readFrequency(cursor: ByteCursor): number {
  const frequency = cursor.readUint7();
  if (frequency > 2 ** ORDER_0_BITS) throw cursor.invalid(`${frequency} is not a valid frequency`);
  return frequency;
}

/** Scales the frequencies to the sum 2^`bits`. Throws `FormatError` `INVALID_DATA` if their sum is not a power of two below. */
function normalize(frequencies: Uint16Array, bits: number, cursor: ByteCursor): Uint16Array {
  const sum = frequencies.reduce((total, frequency) => total + frequency, 0);
  const factor = 2 ** bits / sum;
  if (!(factor >= 1) || !Number.isInteger(Math.log2(factor))) {
    throw cursor.invalid(`sum of frequencies is ${sum}, not a power of two up to ${2 ** bits}`);
  }
  return frequencies.map((frequency) => frequency * factor);
}

interface Runs {
  /** 1 for each symbol that is followed by a run length. */
  readonly hasRun: Uint8Array;
  readonly lengths: ByteCursor;
  /** Bytes before runs are expanded. */
  readonly literalCount: number;
}

/** Reads the run lengths (CRAM codecs §3.4) of data that expands to `size` bytes. */
function readRuns(cursor: ByteCursor, coded: Coded): Runs {
  const { size } = coded;
  const sizeAndFlag = cursor.readUint7();
  const literalCount = cursor.readUint7();
  if (literalCount > size) throw cursor.invalid('runs of rANS have more literals than the data has bytes');
  const runsSize = Math.floor(sizeAndFlag / 2);
  const lengths = sizeAndFlag % 2 === 1 ? plainRuns(cursor, runsSize) : decodedRuns(cursor, coded, runsSize);
  const count = lengths.readByte() || 256;
  const hasRun = new Uint8Array(256);
  for (const symbol of lengths.readBytes(count)) hasRun[symbol] = 1;
  return { hasRun, lengths, literalCount };
}

function plainRuns(cursor: ByteCursor, runsSize: number): ByteCursor {
  const { offset } = cursor;
  return new ByteCursor(cursor.readBytes(runsSize), offset);
}

function decodedRuns(cursor: ByteCursor, coded: Coded, runsSize: number): ByteCursor {
  const { offset } = cursor;
  // A count, up to 256 symbols, and a length of up to five bytes for each literal.
  if (runsSize > 257 + 5 * coded.size) throw cursor.invalid('run lengths of rANS take more bytes than the data allows');
  const compressed = new ByteCursor(cursor.readBytes(cursor.readUint7()), offset);
  return new ByteCursor(decodeOrder0(compressed, { ...coded, size: runsSize, output: undefined }), offset);
}

function expandRuns(literals: Uint8Array, { hasRun, lengths }: Runs, size: number): Uint8Array {
  const output = new Uint8Array(size);
  let at = 0;
  for (const symbol of literals) {
    const end = at + 1 + (hasRun[symbol] === 1 ? lengths.readUint7() : 0);
    if (end > size) throw lengths.invalid('runs of rANS are longer than the block');
    output.fill(symbol, at, end);
    at = end;
  }
  if (at !== size) throw lengths.invalid('runs of rANS are shorter than the block');
  return output;
}
