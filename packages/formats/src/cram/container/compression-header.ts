import type { ByteCursor } from '../byte-cursor.js';
import { type CramEncoding, readEncoding } from './encoding.js';

/** The compression header of a container, which says how its slices are encoded (CRAM 3.1 §8.4). */
export interface CramCompressionHeader {
  /** Whether all records store their names, not only those that are detached from their mates. */
  readonly hasReadNames: boolean;
  /** Whether positions are stored as differences from the record before. */
  readonly hasPositionDeltas: boolean;
  /** Whether the bases of records are stored as differences from a reference. */
  readonly needsReference: boolean;
  /** For each reference base of `ACGTN`, the four bases that the codes of substitutions stand for. */
  readonly substitutions: Uint8Array;
  /** The tags of each line of the tag dictionary, as keys of `tagEncodings`. */
  readonly tagLines: readonly (readonly number[])[];
  /** The encoding of each data series, by its two letters. */
  readonly encodings: ReadonlyMap<string, CramEncoding>;
  /** The encoding of each tag, by the number that its two letters and its type form. */
  readonly tagEncodings: ReadonlyMap<number, CramEncoding>;
}

/** The reference bases of the substitution matrix, in order. */
const MATRIX_BASES = new TextEncoder().encode('ACGTN');
const SUBSTITUTIONS = MATRIX_BASES.length - 1;
/** Bytes of a tag in the dictionary: two letters and a type. */
const TAG_BYTES = 3;

/** Reads a compression header. Throws `FormatError` `INVALID_DATA` and `TRUNCATED`. */
export function readCompressionHeader(cursor: ByteCursor): CramCompressionHeader {
  const { hasReadNames, hasPositionDeltas, needsReference, substitutions, tagLines } = readPreservation(cursor);
  const encodings = new Map<string, CramEncoding>();
  readMap(cursor, () => encodings.set(readKey(cursor), readEncoding(cursor)));
  const tagEncodings = new Map<number, CramEncoding>();
  readMap(cursor, () => tagEncodings.set(cursor.readItf8(), readEncoding(cursor)));
  // Not a spread, which would give each header a hidden class of its own: what reads it would be compiled again and again.
  return { hasReadNames, hasPositionDeltas, needsReference, substitutions, tagLines, encodings, tagEncodings };
}

type Preservation = Omit<CramCompressionHeader, 'encodings' | 'tagEncodings'>;

function readPreservation(cursor: ByteCursor): Preservation {
  let hasReadNames = true;
  let hasPositionDeltas = true;
  let needsReference = true;
  let substitutions = parseMatrix(new Uint8Array(MATRIX_BASES.length).fill(0x1b));
  let tagLines: number[][] = [];
  readMap(cursor, () => {
    const key = readKey(cursor);
    if (key === 'SM') substitutions = parseMatrix(cursor.readBytes(MATRIX_BASES.length));
    else if (key === 'TD') tagLines = readTagLines(cursor);
    else {
      const isSet = cursor.readByte() !== 0;
      if (key === 'RN') hasReadNames = isSet;
      if (key === 'AP') hasPositionDeltas = isSet;
      if (key === 'RR') needsReference = isSet;
    }
  });
  return { hasReadNames, hasPositionDeltas, needsReference, substitutions, tagLines };
}

/** Expands a substitution matrix (CRAM 3.1 §10.6.1): a byte for each reference base has the codes of the other bases. */
function parseMatrix(matrix: Uint8Array): Uint8Array {
  const substitutions = new Uint8Array(SUBSTITUTIONS * MATRIX_BASES.length);
  for (const [reference, codes] of matrix.entries()) {
    const others = MATRIX_BASES.filter((_, base) => base !== reference);
    for (const [other, base] of others.entries()) {
      substitutions[SUBSTITUTIONS * reference + ((codes >> (6 - 2 * other)) & 3)] = base;
    }
  }
  return substitutions;
}

/** Reads the entries of a map (CRAM 3.1 §2.3), and checks that they fill its size in bytes. */
function readMap(cursor: ByteCursor, readEntry: () => void): void {
  const size = cursor.readCount();
  const end = cursor.at + size;
  const count = cursor.readCount();
  if (count > size) throw cursor.invalid(`map of ${count} entries does not fit into ${size} bytes`);
  for (let entry = 0; entry < count; entry++) readEntry();
  if (cursor.at !== end) throw cursor.invalid('entries of a map do not fill its size');
}

function readKey(cursor: ByteCursor): string {
  return String.fromCharCode(...cursor.readBytes(2));
}

/** Reads the tag dictionary (CRAM 3.1 §8.4): lists of tags, each followed by a zero. */
function readTagLines(cursor: ByteCursor): number[][] {
  const { offset } = cursor;
  const dictionary = cursor.readBytes(cursor.readCount());
  const lines: number[][] = [];
  let line: number[] = [];
  for (let at = 0; at < dictionary.length; ) {
    if (dictionary[at] === 0) {
      lines.push(line);
      line = [];
      at += 1;
      continue;
    }
    const [first = 0, second = 0, type] = dictionary.subarray(at, at + TAG_BYTES);
    if (type === undefined) throw cursor.invalid(`tag dictionary at byte ${offset} ends within a tag`);
    line.push(first * 2 ** 16 + second * 2 ** 8 + type);
    at += TAG_BYTES;
  }
  if (line.length > 0) lines.push(line);
  return lines;
}
