import { ByteCursor } from '../byte-cursor.js';
import { HuffmanCode } from '../codecs/huffman-code.js';

/** How the values of a data series are stored (CRAM 3.1 §3 and §13). */
export type CramEncoding =
  | { readonly kind: 'NULL' }
  | { readonly kind: 'EXTERNAL'; readonly contentId: number }
  | { readonly kind: 'GOLOMB'; readonly offset: number; readonly divisor: number }
  | { readonly kind: 'HUFFMAN'; readonly code: HuffmanCode }
  | { readonly kind: 'BYTE_ARRAY_LEN'; readonly lengths: CramEncoding; readonly values: CramEncoding }
  | { readonly kind: 'BYTE_ARRAY_STOP'; readonly stop: number; readonly contentId: number }
  | { readonly kind: 'BETA'; readonly offset: number; readonly bits: number }
  | { readonly kind: 'SUBEXP'; readonly offset: number; readonly order: number }
  | { readonly kind: 'GOLOMB_RICE'; readonly offset: number; readonly bits: number }
  | { readonly kind: 'GAMMA'; readonly offset: number };

/** Stands for the core block among content ids; those of external blocks are not negative. */
export const CORE_BLOCK = -1;

/** The maximum number of bits that a number has. */
const MAX_BITS = 32;

/** The nesting that is allowed: an array has encodings of its lengths and values, which cannot be arrays. */
const MAX_DEPTH = 1;

/** Reads an encoding. Throws `FormatError` `TRUNCATED`, and `INVALID_DATA` for an unknown encoding or invalid parameters. */
export function readEncoding(cursor: ByteCursor, depth = 0): CramEncoding {
  const id = cursor.readItf8();
  const size = cursor.readCount();
  const { offset } = cursor;
  return readParameters(id, new ByteCursor(cursor.readBytes(size), offset), depth);
}

function readParameters(id: number, cursor: ByteCursor, depth: number): CramEncoding {
  switch (id) {
    case 0:
      return { kind: 'NULL' };
    case 1:
      return { kind: 'EXTERNAL', contentId: cursor.readCount() };
    case 2:
      return { kind: 'GOLOMB', offset: cursor.readItf8(), divisor: readBetween(cursor, 1, 2 ** 31) };
    case 3:
      return {
        kind: 'HUFFMAN',
        code: new HuffmanCode({ symbols: readList(cursor), lengths: readList(cursor), cursor }),
      };
    case 4:
      if (depth === MAX_DEPTH) throw cursor.invalid('encoding of an array is nested in another array');
      return {
        kind: 'BYTE_ARRAY_LEN',
        lengths: readEncoding(cursor, depth + 1),
        values: readEncoding(cursor, depth + 1),
      };
    case 5:
      return { kind: 'BYTE_ARRAY_STOP', stop: cursor.readByte(), contentId: cursor.readCount() };
    case 6:
      return { kind: 'BETA', offset: cursor.readItf8(), bits: readBetween(cursor, 0, MAX_BITS) };
    case 7:
      return { kind: 'SUBEXP', offset: cursor.readItf8(), order: readBetween(cursor, 0, MAX_BITS) };
    case 8:
      return { kind: 'GOLOMB_RICE', offset: cursor.readItf8(), bits: readBetween(cursor, 0, MAX_BITS) };
    case 9:
      return { kind: 'GAMMA', offset: cursor.readItf8() };
    default:
      throw cursor.invalid(`unknown encoding ${id}`);
  }
}

function readBetween(cursor: ByteCursor, minimum: number, maximum: number): number {
  const value = cursor.readItf8();
  if (value < minimum || value > maximum) {
    throw cursor.invalid(`parameter ${value} of an encoding is not between ${minimum} and ${maximum}`);
  }
  return value;
}

function readList(cursor: ByteCursor): number[] {
  const count = cursor.readCount();
  if (count > cursor.remaining) throw cursor.invalid(`${count} numbers do not fit into ${cursor.remaining} bytes`);
  return Array.from({ length: count }, () => cursor.readItf8());
}

/** Returns the content ids of the blocks that hold values of an encoding. Values that take no bits are in no block. */
export function encodedBlocks(encoding: CramEncoding): number[] {
  switch (encoding.kind) {
    case 'NULL':
      return [];
    case 'EXTERNAL':
    case 'BYTE_ARRAY_STOP':
      return [encoding.contentId];
    case 'BYTE_ARRAY_LEN':
      return [...encodedBlocks(encoding.lengths), ...encodedBlocks(encoding.values)];
    case 'HUFFMAN':
      return encoding.code.constant === undefined ? [CORE_BLOCK] : [];
    case 'BETA':
      return encoding.bits === 0 ? [] : [CORE_BLOCK];
    case 'GOLOMB':
    case 'SUBEXP':
    case 'GOLOMB_RICE':
    case 'GAMMA':
      return [CORE_BLOCK];
  }
}
