import { decodeText } from '@htskit/io';
import { FormatError, invalidData } from '../format-error.js';

/** The header of a 2bit file (UCSC, "2bit format"). */
export interface TwoBitHeader {
  /** The byte order of all numbers in the file. */
  readonly isLittleEndian: boolean;
  /** Offsets of sequences have 32 bits in version 0 and 64 bits in version 1. */
  readonly version: 0 | 1;
  readonly sequenceCount: number;
}

/** Bytes of the header. The index of the sequences follows. */
export const TWO_BIT_HEADER_LENGTH = 16;

const SIGNATURE = 0x1a412743;

/**
 * Parses the header that `bytes` starts with, in either byte order. Throws `FormatError` `TRUNCATED` for fewer than 16 bytes,
 * `INVALID_MAGIC` for another format, `UNSUPPORTED` for a version other than 0 and 1.
 */
export function parseTwoBitHeader(bytes: Uint8Array): TwoBitHeader {
  if (bytes.length < TWO_BIT_HEADER_LENGTH) {
    throw new FormatError('TRUNCATED', 'data ends within the 2bit header', { offset: bytes.length });
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const isLittleEndian = view.getUint32(0, true) === SIGNATURE;
  if (!isLittleEndian && view.getUint32(0) !== SIGNATURE) {
    throw new FormatError('INVALID_MAGIC', 'not 2bit data: expected the signature 0x1A412743', { offset: 0 });
  }
  const version = view.getUint32(4, isLittleEndian);
  if (version !== 0 && version !== 1) {
    throw new FormatError('UNSUPPORTED', `2bit version ${version} is not supported`, { offset: 4 });
  }
  return { isLittleEndian, version, sequenceCount: view.getUint32(8, isLittleEndian) };
}

/** The name of one sequence of a 2bit file, and the offset of its record. */
export interface TwoBitIndexEntry {
  readonly name: string;
  /** Bytes from the start of the file to the record. */
  readonly offset: number;
}

/** Bytes of the shortest and of the longest name, the byte of its length included. */
const [MIN_NAME_BYTES, MAX_NAME_BYTES] = [2, 256];

function offsetBytes({ version }: TwoBitHeader): number {
  return version === 0 ? 4 : 8;
}

/** Returns the minimum and maximum length in bytes of the index, which follows the header. */
export function twoBitIndexBounds(header: TwoBitHeader): { readonly least: number; readonly most: number } {
  const { sequenceCount } = header;
  return {
    least: sequenceCount * (MIN_NAME_BYTES + offsetBytes(header)),
    most: sequenceCount * (MAX_NAME_BYTES + offsetBytes(header)),
  };
}

/**
 * Parses the index that `bytes`, the data after the header, starts with. Throws `FormatError` `TRUNCATED` if the index is
 * incomplete, `INVALID_DATA` for an empty or repeated name and for an offset over 2^53 − 1. The offsets of errors count from
 * the start of the file.
 */
export function parseTwoBitIndex(bytes: Uint8Array, header: TwoBitHeader): TwoBitIndexEntry[] {
  const { least } = twoBitIndexBounds(header);
  if (bytes.length < least) throw truncated(bytes);
  const entries: TwoBitIndexEntry[] = [];
  const names = new Set<string>();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; entries.length < header.sequenceCount; ) {
    const nameEnd = at + 1 + (bytes[at] ?? 0);
    const end = nameEnd + offsetBytes(header);
    if (end > bytes.length) throw truncated(bytes);
    const name = decodeText(bytes, at + 1, nameEnd);
    if (name === '') throw invalidData('name of a sequence is empty', TWO_BIT_HEADER_LENGTH + at);
    if (names.has(name)) throw invalidData('two sequences have the same name', TWO_BIT_HEADER_LENGTH + at);
    names.add(name);
    const offset = readOffset(view, nameEnd, header);
    if (!Number.isSafeInteger(offset)) {
      throw invalidData('offset of a sequence is over 2^53 - 1', TWO_BIT_HEADER_LENGTH + nameEnd);
    }
    entries.push({ name, offset });
    at = end;
  }
  return entries;
}

function readOffset(view: DataView, at: number, { version, isLittleEndian }: TwoBitHeader): number {
  const first = view.getUint32(at, isLittleEndian);
  if (version === 0) return first;
  const second = view.getUint32(at + 4, isLittleEndian);
  return isLittleEndian ? first + second * 2 ** 32 : first * 2 ** 32 + second;
}

function truncated(bytes: Uint8Array): FormatError {
  return new FormatError('TRUNCATED', 'data ends within the 2bit index', {
    offset: TWO_BIT_HEADER_LENGTH + bytes.length,
  });
}
