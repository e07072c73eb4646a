import { BitReader, type ByteCursor } from '../byte-cursor.js';
import { HuffmanCode } from './huffman-code.js';

/** "BZh" */
const MAGIC = 0x425a68;
const BLOCK_MAGIC = 0x314159265359;
const END_MAGIC = 0x177245385090;
const MAGIC_BITS = 48;
/** Bytes of a block, before runs are expanded, for each level of the stream. */
const LEVEL_BYTES = 100_000;
/** Symbols that share a code table. */
const GROUP_LENGTH = 50;
/** The maximum number of bits of a codeword. */
const MAX_CODE_LENGTH = 20;
/** After four equal bytes, a byte is the number of further ones. */
const RUN_THRESHOLD = 4;

/**
 * Decodes a bzip2 stream. Its checksums are not verified: CRAM 3 has one for each block. Throws `FormatError` `INVALID_DATA` if
 * the stream is corrupt or does not yield `size` bytes, `TRUNCATED` if it is incomplete.
 */
export function decodeBzip2(cursor: ByteCursor, size: number): Uint8Array {
  const reader = new BitReader(cursor);
  if (reader.readBits(24) !== MAGIC) throw cursor.invalid('not bzip2 data: expected "BZh"');
  const level = reader.readBits(8) - 0x30;
  if (level < 1 || level > 9) throw cursor.invalid('level of a bzip2 stream is not between 1 and 9');
  const output = new Uint8Array(size);
  let length = 0;
  for (let magic = reader.readBits(MAGIC_BITS); magic !== END_MAGIC; magic = reader.readBits(MAGIC_BITS)) {
    if (magic !== BLOCK_MAGIC) throw cursor.invalid('expected a bzip2 block or the end of the stream');
    const bytes = decodeBlock(reader, level * LEVEL_BYTES);
    length = expandRuns(bytes, { output, length, cursor });
  }
  if (length < size)
    throw cursor.invalid(`bzip2 data has ${length} uncompressed bytes, but the block declares ${size}`);
  return output;
}

function decodeBlock(reader: BitReader, maxBytes: number): Uint8Array {
  const { cursor } = reader;
  reader.readBits(32);
  if (reader.readBit() === 1) throw cursor.invalid('randomised bzip2 blocks are not supported');
  const origin = reader.readBits(24);
  const symbols = readSymbolMap(reader);
  if (symbols.length === 0) throw cursor.invalid('bzip2 block has no symbols');
  const permuted = decodeSymbols(reader, symbols, maxBytes);
  if (origin >= permuted.length) throw cursor.invalid('origin of a bzip2 block is past its end');
  return invertPermutation(permuted, origin);
}

/** Reads which bytes occur, ascending: 16 bits say which groups of 16 bytes follow, each with 16 bits of its own. */
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

/** Undoes the Huffman coding, the run lengths of front symbols, and the move-to-front transform. */
function decodeSymbols(reader: BitReader, front: number[], maxBytes: number): Uint8Array {
  const { cursor } = reader;
  const endOfBlock = front.length + 1;
  const tableCount = reader.readBits(3);
  if (tableCount < 2 || tableCount > 6)
    throw cursor.invalid('number of tables of a bzip2 block is not between 2 and 6');
  const selectors = readSelectors(reader, tableCount);
  const tables = readCodeTables(reader, tableCount, endOfBlock + 1);
  const output = new Uint8Array(maxBytes);
  let length = 0;
  let runWeight = 1;
  for (let decoded = 0; ; decoded++) {
    const table = tables[selectors[Math.floor(decoded / GROUP_LENGTH)] ?? tableCount];
    if (table === undefined) throw cursor.invalid('bzip2 block has too few selectors');
    const symbol = table.decode(reader);
    if (symbol === endOfBlock) return output.subarray(0, length);
    // 0 and 1 are the digits, of values 1 and 2, of a run length of the front symbol.
    const isRun = symbol <= 1;
    const count = isRun ? runWeight * (symbol + 1) : 1;
    runWeight = isRun ? runWeight * 2 : 1;
    if (length + count > maxBytes) throw cursor.invalid('bzip2 block is longer than its level allows');
    if (!isRun) moveToFront(front, symbol - 1);
    output.fill(front[0] ?? 0, length, length + count);
    length += count;
  }
}

/** Moves the symbol at `index` to the front, and returns it. A loop takes a fifth of the time of `copyWithin`. */
function moveToFront(front: number[], index: number): number {
  const symbol = front[index] ?? 0;
  for (let at = index; at > 0; at--) front[at] = front[at - 1] ?? 0;
  front[0] = symbol;
  return symbol;
}

/** Reads the table of each group of symbols. Tables are coded by move-to-front. */
function readSelectors(reader: BitReader, tableCount: number): Uint8Array {
  const selectors = new Uint8Array(reader.readBits(15));
  const front = Array.from({ length: tableCount }, (_, table) => table);
  for (let group = 0; group < selectors.length; group++) {
    selectors[group] = moveToFront(front, reader.readUnary(1, tableCount - 1));
  }
  return selectors;
}

/** Reads the code tables. The lengths of a table's codewords are coded as steps up and down from one to the next. */
function readCodeTables(reader: BitReader, tableCount: number, symbolCount: number): HuffmanCode[] {
  return Array.from({ length: tableCount }, () => {
    const lengths: number[] = [];
    let length = reader.readBits(5);
    while (lengths.length < symbolCount) {
      while (reader.readBit() === 1) {
        length += reader.readBit() === 0 ? 1 : -1;
        if (length < 1 || length > MAX_CODE_LENGTH) {
          throw reader.cursor.invalid(`codeword of bzip2 has ${length} bits, not 1 to ${MAX_CODE_LENGTH}`);
        }
      }
      lengths.push(length);
    }
    const symbols = lengths.map((_, symbol) => symbol);
    return new HuffmanCode({ symbols, lengths, cursor: reader.cursor });
  });
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
    const index = nextOfByte[byte] ?? 0;
    following[index] = at;
    nextOfByte[byte] = index + 1;
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

/** Appends the expanded bytes of a block to the first `length` bytes of the output, and returns the new length. */
function expandRuns(bytes: Uint8Array, { output, length, cursor }: Expansion): number {
  let at = length;
  let run = 0;
  let last = -1;
  for (const byte of bytes) {
    const count = run === RUN_THRESHOLD ? byte : 1;
    if (at + count > output.length) throw cursor.invalid('bzip2 data is longer than the block declares');
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
