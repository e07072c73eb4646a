import { BitReader } from '../bit-reader.js';
import type { ByteCursor } from '../byte-cursor.js';
import { readCodeTables, readSelectors } from './bzip2-tables.js';

/** "BZh" */
const MAGIC = 0x425a68;
const BLOCK_MAGIC = 0x314159265359;
const END_MAGIC = 0x177245385090;
const MAGIC_BITS = 48;
/** Bytes of a block by the level of the stream, before runs are expanded. */
const LEVEL_BYTES = 100_000;
/** Symbols that are coded by the same table. */
const GROUP_LENGTH = 50;
/** So many equal bytes are followed by how many more there are. */
const RUN_THRESHOLD = 4;

/**
 * Decodes a bzip2 stream. Its own checksums are left aside: CRAM has one for each block. Throws `FormatError` INVALID_DATA
 * if it is corrupt or does not yield `size` bytes, TRUNCATED if it ends early.
 */
export function decodeBzip2(cursor: ByteCursor, size: number): Uint8Array {
  const reader = new BitReader(cursor);
  if (reader.readBits(24) !== MAGIC) throw cursor.invalid('a bzip2 stream begins with "BZh"');
  const level = reader.readBits(8) - 0x30;
  if (level < 1 || level > 9) throw cursor.invalid('a bzip2 stream has a level of 1 to 9');
  const output = new Uint8Array(size);
  let length = 0;
  for (let magic = reader.readBits(MAGIC_BITS); magic !== END_MAGIC; magic = reader.readBits(MAGIC_BITS)) {
    if (magic !== BLOCK_MAGIC) throw cursor.invalid('neither a bzip2 block nor the end of the stream');
    const bytes = decodeBlock(reader, level * LEVEL_BYTES);
    length = expandRuns(bytes, { output, length, cursor });
  }
  if (length < size) throw cursor.invalid(`the bzip2 data has ${length} bytes instead of ${size}`);
  return output;
}

function decodeBlock(reader: BitReader, maxBytes: number): Uint8Array {
  const { cursor } = reader;
  reader.readBits(32);
  if (reader.readBit() === 1) throw cursor.invalid('randomised bzip2 blocks are not read');
  const origin = reader.readBits(24);
  const symbols = readSymbolMap(reader);
  if (symbols.length === 0) throw cursor.invalid('a bzip2 block has no symbols');
  const permuted = decodeSymbols(reader, symbols, maxBytes);
  if (origin >= permuted.length) throw cursor.invalid('a bzip2 block begins outside of itself');
  return invertPermutation(permuted, origin);
}

/** The bytes that occur, ascending: sixteen bits for sixteen of them each, where there are any. */
function readSymbolMap(reader: BitReader): number[] {
  const groups = reader.readBits(16);
  const symbols: number[] = [];
  for (let group = 0; group < 16; group++) {
    if (((groups >> (15 - group)) & 1) === 0) continue;
    const bits = reader.readBits(16);
    for (let low = 0; low < 16; low++) if (((bits >> (15 - low)) & 1) === 1) symbols.push(16 * group + low);
  }
  return symbols;
}

/** Undoes Huffman coding, the run lengths of front symbols, and moving to the front. */
function decodeSymbols(reader: BitReader, front: number[], maxBytes: number): Uint8Array {
  const { cursor } = reader;
  const endOfBlock = front.length + 1;
  const tableCount = reader.readBits(3);
  if (tableCount < 2 || tableCount > 6) throw cursor.invalid('a bzip2 block has two to six tables');
  const selectors = readSelectors(reader, tableCount);
  const tables = readCodeTables(reader, tableCount, endOfBlock + 1);
  const output = new Uint8Array(maxBytes);
  let length = 0;
  let runWeight = 1;
  for (let decoded = 0; ; decoded++) {
    const table = tables[selectors[Math.floor(decoded / GROUP_LENGTH)] ?? tableCount];
    if (table === undefined) throw cursor.invalid('a bzip2 block has too few selectors');
    const symbol = table.decode(reader);
    if (symbol === endOfBlock) return output.subarray(0, length);
    // 0 and 1 are digits, of values 1 and 2, of how often the front symbol comes
    const isRun = symbol <= 1;
    const count = isRun ? runWeight * (symbol + 1) : 1;
    runWeight = isRun ? runWeight * 2 : 1;
    if (length + count > maxBytes) throw cursor.invalid('a bzip2 block is longer than its level allows');
    if (!isRun) moveToFront(front, symbol - 1);
    output.fill(front[0] ?? 0, length, length + count);
    length += count;
  }
}

function moveToFront(front: number[], rank: number): void {
  const symbol = front[rank] ?? 0;
  front.copyWithin(1, 0, rank);
  front[0] = symbol;
}

/** Undoes the Burrows–Wheeler transform. */
function invertPermutation(permuted: Uint8Array, origin: number): Uint8Array {
  const nextOfByte = new Uint32Array(256);
  for (const byte of permuted) nextOfByte[byte] = (nextOfByte[byte] ?? 0) + 1;
  let sum = 0;
  for (const [byte, count] of nextOfByte.entries()) {
    nextOfByte[byte] = sum;
    sum += count;
  }
  const following = new Uint32Array(permuted.length);
  for (const [at, byte] of permuted.entries()) {
    const rank = nextOfByte[byte] ?? 0;
    following[rank] = at;
    nextOfByte[byte] = rank + 1;
  }
  const output = new Uint8Array(permuted.length);
  let at = following[origin] ?? 0;
  for (let i = 0; i < output.length; i++) {
    output[i] = permuted[at] ?? 0;
    at = following[at] ?? 0;
  }
  return output;
}

interface Expansion {
  readonly output: Uint8Array;
  readonly length: number;
  readonly cursor: ByteCursor;
}

/** Appends the bytes of a block to the first `length` ones of the output; returns how many it has then. */
function expandRuns(bytes: Uint8Array, { output, length, cursor }: Expansion): number {
  let at = length;
  let run = 0;
  let last = -1;
  for (const byte of bytes) {
    const count = run === RUN_THRESHOLD ? byte : 1;
    if (at + count > output.length) throw cursor.invalid('the bzip2 data is longer than the block says');
    if (run === RUN_THRESHOLD) {
      output.fill(last, at, at + count);
      run = 0;
      last = -1;
    } else {
      output[at] = byte;
      run = byte === last ? run + 1 : 1;
      last = byte;
    }
    at += count;
  }
  return at;
}
