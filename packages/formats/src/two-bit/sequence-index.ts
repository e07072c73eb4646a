import { FormatError } from '../format-error.js';
import { TWO_BIT_HEADER_LENGTH, type TwoBitHeader } from './header.js';

/** Where one sequence of a 2bit file is to be found. */
export interface TwoBitIndexEntry {
  readonly name: string;
  /** Bytes from the start of the file to the record. */
  readonly offset: number;
}

/** Bytes of the shortest name, with its length in front. */
const LEAST_NAME_BYTES = 2;
/** Bytes of the longest name, with its length in front. */
const MOST_NAME_BYTES = 256;

function offsetBytes({ version }: TwoBitHeader): number {
  return version === 0 ? 4 : 8;
}

/** Bytes that the index has at least and at most; it follows the header. */
export function twoBitIndexBounds(header: TwoBitHeader): { readonly least: number; readonly most: number } {
  const { sequenceCount } = header;
  return {
    least: sequenceCount * (LEAST_NAME_BYTES + offsetBytes(header)),
    most: sequenceCount * (MOST_NAME_BYTES + offsetBytes(header)),
  };
}

/**
 * Parses the index, which `bytes` begins with. Throws `FormatError` TRUNCATED where the bytes end before it, INVALID_DATA
 * for a name that is empty or comes twice, and for an offset over 2^53 − 1. Error offsets are those in the file.
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
    if (name === '' || names.has(name)) throw invalid('a name is empty or comes twice', at);
    names.add(name);
    const offset = readOffset(view, nameEnd, header);
    if (!Number.isSafeInteger(offset)) throw invalid('an offset is larger than 2^53 - 1', nameEnd);
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
  return new FormatError('TRUNCATED', 'the data ends inside the index', {
    offset: TWO_BIT_HEADER_LENGTH + bytes.length,
  });
}

function invalid(message: string, at: number): FormatError {
  return new FormatError('INVALID_DATA', message, { offset: TWO_BIT_HEADER_LENGTH + at });
}
