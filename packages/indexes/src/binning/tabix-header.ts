import { IndexError } from '../index-error.js';

/** What `format` of the tabix specification says of the columns. */
export type TabixPreset = 'generic' | 'SAM' | 'VCF';

/** How the lines of an indexed text file are read (tabix specification; also in the auxiliary data of a CSI). */
export interface TabixHeader {
  readonly preset: TabixPreset;
  /** Whether the file counts positions from 0, half-open, as BED does; otherwise from 1, with the end included. */
  readonly isZeroBased: boolean;
  /** Columns, counted from 1, of the reference name, the start and the end; 0 where there is none. */
  readonly sequenceColumn: number;
  readonly startColumn: number;
  readonly endColumn: number;
  /** Lines that begin with this byte hold no record. */
  readonly metaCharacter: number;
  /** Lines at the front of the file that hold no record. */
  readonly skippedLines: number;
  /** References in the order of their ids. */
  readonly names: readonly string[];
}

/** Bytes from `format` up to `l_nm`, both included. */
export const TABIX_FIELDS_BYTES = 28;

const PRESETS: readonly TabixPreset[] = ['generic', 'SAM', 'VCF'];
const ZERO_BASED = 0x10000;
/** Names that are read, or written: each takes some hundred bytes. */
export const MAX_NAMES: number = 2 ** 21;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const latin1 = new TextDecoder('latin1');

/**
 * Parses the header that stands at `start`, and says how many bytes it has. Throws `IndexError` TRUNCATED where it
 * reaches beyond `bytes`, INVALID_DATA for a preset that does not exist, negative numbers, and names that come twice or
 * do not end, LIMIT_EXCEEDED for more than 2^21 names.
 */
export function parseTabixHeader(bytes: Uint8Array, start: number): { header: TabixHeader; byteLength: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const left = bytes.length - start;
  if (left < TABIX_FIELDS_BYTES) throw truncated(start, TABIX_FIELDS_BYTES, left);
  const field = (rank: number): number => view.getInt32(start + 4 * rank, true);
  const format = field(0);
  const preset = PRESETS[format & ~ZERO_BASED];
  if (preset === undefined) throw invalid(start, `there is no tabix format ${format}`);
  const [sequenceColumn, startColumn, endColumn] = [field(1), field(2), field(3)];
  const [metaCharacter, skippedLines, namesLength] = [field(4), field(5), field(6)];
  if (Math.min(sequenceColumn, startColumn, endColumn, skippedLines, namesLength) < 0) {
    throw invalid(start, 'a column or a length is negative');
  }
  if (metaCharacter < 0 || metaCharacter > 255) throw invalid(start + 16, 'the meta character is no byte');
  const namesStart = start + TABIX_FIELDS_BYTES;
  if (namesLength > bytes.length - namesStart) throw truncated(namesStart, namesLength, bytes.length - namesStart);
  const names = parseNames(bytes.subarray(namesStart, namesStart + namesLength), namesStart);
  const columns = { sequenceColumn, startColumn, endColumn, metaCharacter, skippedLines };
  return {
    header: { preset, isZeroBased: (format & ZERO_BASED) !== 0, ...columns, names },
    byteLength: TABIX_FIELDS_BYTES + namesLength,
  };
}

/** Each name ends with a NUL. */
function parseNames(bytes: Uint8Array, offset: number): string[] {
  const names = new Set<string>();
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0, at);
    if (end === -1) throw invalid(offset + at, 'the last name does not end');
    const name = decodeName(bytes.subarray(at, end));
    if (names.size === MAX_NAMES) {
      throw new IndexError('LIMIT_EXCEEDED', `more than ${MAX_NAMES} names`, { offset: offset + at });
    }
    if (names.has(name)) throw invalid(offset + at, 'a name comes twice');
    names.add(name);
    at = end + 1;
  }
  return [...names];
}

/** Names in another encoding than UTF-8 stay apart. */
function decodeName(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return latin1.decode(bytes);
  }
}

function truncated(offset: number, expected: number, left: number): IndexError {
  return new IndexError('TRUNCATED', `${expected} bytes expected, ${left} left`, { offset });
}

function invalid(offset: number, message: string): IndexError {
  return new IndexError('INVALID_DATA', message, { offset });
}
