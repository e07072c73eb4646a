import { FormatError, invalidData } from '../format-error.js';
import { TWO_BIT_HEADER_LENGTH, type TwoBitHeader } from './header.js';

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
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for (let at = 0; entries.length < header.sequenceCount; ) {
    const nameEnd = at + 1 + (bytes[at] ?? 0);
    const end = nameEnd + offsetBytes(header);
    if (end > bytes.length) throw truncated(bytes);
    const name = decoder.decode(bytes.subarray(at + 1, nameEnd));
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
