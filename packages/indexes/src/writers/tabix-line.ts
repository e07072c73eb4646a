import { FormatError } from '@htskit/formats';
import { parseVcfRecordSpan } from '@htskit/formats/internal';
import { decodeText } from '@htskit/io';
import { MAX_NAMES, type TabixSettings } from '../binning/tabix-header.js';

/** The sequence name and the span of a line of tab-delimited text. */
export interface TabixLineSpan {
  /** The bytes of the line that are the sequence name, half-open. */
  readonly nameStart: number;
  readonly nameEnd: number;
  /** 0-based, half-open. */
  readonly baseStart: number;
  readonly baseEnd: number;
}

const TAB = 0x09;
const CIGAR_COLUMN = 6;
/** The CIGAR operations M, D, N, = and X (SAMv1 §1.4.6). */
const CONSUMES_REFERENCE = Uint8Array.of(0x4d, 0x44, 0x4e, 0x3d, 0x58);
const [PLUS, MINUS, DOT] = [0x2b, 0x2d, 0x2e];
const [SPACE, ZERO, NINE, LOWER_X] = [0x20, 0x30, 0x39, 0x78];

/** How the columns of a line are read. */
export type TabixColumns = Omit<TabixSettings, 'metaCharacter' | 'skippedLines'>;

/**
 * Parses the span of a line according to `settings`. Throws `FormatError` INVALID_DATA, with an offset from the start of the
 * line, if a column is missing or a position is not a number.
 */
export function parseTabixLine(line: Uint8Array, settings: TabixColumns): TabixLineSpan {
  if (settings.preset === 'VCF' && settings.sequenceColumn === 1 && settings.startColumn === 2) {
    const { nameLength, baseStart, baseEnd, refLength } = parseVcfRecordSpan(line);
    // Like htslib, counts REF from the first base on for a telomere, too.
    return { nameStart: 0, nameEnd: nameLength, baseStart, baseEnd: Math.max(baseEnd, baseStart + refLength) };
  }
  const { preset, isZeroBased, sequenceColumn, startColumn } = settings;
  const name = requireColumn(line, sequenceColumn);
  const position = columnNumber(line, startColumn);
  const baseStart = Math.max(0, isZeroBased ? position : position - 1);
  const oneBaseEnd = Math.max(1, isZeroBased ? position + 1 : position);
  const baseEnd = preset === 'SAM' ? baseStart + cigarLength(line) : (columnEnd(line, settings) ?? oneBaseEnd);
  return { nameStart: name.start, nameEnd: name.end, baseStart, baseEnd };
}

/**
 * Returns the end column as a half-open end, which equals an inclusive 1-based end, or undefined if there is no such column
 * or it is a dot, the missing value of GFF. tabix skips a line with a dot.
 */
function columnEnd(line: Uint8Array, { startColumn, sequenceColumn, endColumn }: TabixColumns): number | undefined {
  if (endColumn === startColumn || endColumn === sequenceColumn || endColumn < 1) return undefined;
  const column = findColumn(line, endColumn);
  if (column === undefined || (line[column.start] === DOT && column.end === column.start + 1)) return undefined;
  return columnNumber(line, endColumn);
}

/** Returns the bases of the reference that the CIGAR covers, at least one. */
function cigarLength(line: Uint8Array): number {
  const { start, end } = findColumn(line, CIGAR_COLUMN) ?? { start: 0, end: 0 };
  let length = 0;
  let count = 0;
  for (let at = start; at < end; at++) {
    const byte = line[at] ?? 0;
    if (byte >= ZERO && byte <= NINE) count = count * 10 + byte - ZERO;
    else {
      if (CONSUMES_REFERENCE.includes(byte)) length += count;
      count = 0;
    }
  }
  return Math.max(1, Math.min(length, Number.MAX_SAFE_INTEGER / 2));
}

/**
 * Parses the decimal integer at the start of a 1-based column, with or without spaces and a sign before it. Hexadecimal integers,
 * which tabix reads, are not numbers.
 */
function columnNumber(line: Uint8Array, column: number): number {
  const { start: columnStart, end } = requireColumn(line, column);
  let start = columnStart;
  while (line[start] === SPACE) start++;
  const isNegative = line[start] === MINUS;
  let value = 0;
  let at = isNegative || line[start] === PLUS ? start + 1 : start;
  const digits = at;
  for (; at < end; at++) {
    const digit = (line[at] ?? 0) - ZERO;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
  }
  const isDecimal = at > digits && !(value === 0 && ((line[at] ?? 0) | 0x20) === LOWER_X);
  if (isDecimal && Number.isSafeInteger(value)) return isNegative ? -value : value;
  throw new FormatError('INVALID_DATA', `column ${column} is not a number`, { offset: start });
}

interface ColumnRange {
  readonly start: number;
  readonly end: number;
}

function requireColumn(line: Uint8Array, column: number): ColumnRange {
  const range = findColumn(line, column);
  if (range !== undefined) return range;
  throw new FormatError('INVALID_DATA', `missing column ${column}`, { offset: 0 });
}

/** Finds the bytes of a 1-based column. */
function findColumn(line: Uint8Array, column: number): ColumnRange | undefined {
  let start = 0;
  for (let skipped = 1; skipped < column; skipped++) {
    const tab = line.indexOf(TAB, start);
    if (tab === -1) return undefined;
    start = tab + 1;
  }
  const tab = line.indexOf(TAB, start);
  return { start, end: tab === -1 ? line.length : tab };
}

/** Assigns ids to the sequence names of a text file in the order of their first occurrence. */
export class SequenceNames {
  readonly #names: Uint8Array[] = [];
  /** The ids by name. */
  readonly #ids = new Map<string, number>();
  /** The last name, which most lines repeat. */
  #last = new Uint8Array(0);
  #lastId = -1;

  readonly #maxBytes: number;
  #byteLength = 0;

  /** `maxBytes` limits the total length of the names. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The names as they are in the text, in the order of their ids. */
  get names(): readonly Uint8Array[] {
    return this.#names;
  }

  /**
   * Returns the id of a name. Throws `FormatError` INVALID_DATA if it is empty or contains a NUL, and LIMIT_EXCEEDED.
   */
  idOf(name: Uint8Array): number {
    if (isEqual(name, this.#last)) return this.#lastId;
    if (name.length === 0 || name.includes(0)) {
      throw new FormatError('INVALID_DATA', 'a sequence name is empty or contains a NUL', { offset: 0 });
    }
    const key = decodeText(name);
    const id = this.#ids.get(key) ?? this.#add(key, name);
    this.#last = name.slice();
    this.#lastId = id;
    return id;
  }

  #add(key: string, name: Uint8Array): number {
    const id = this.#names.length;
    this.#byteLength += name.length;
    if (this.#byteLength > this.#maxBytes || id === MAX_NAMES) {
      const message = `more than ${MAX_NAMES} sequence names or more than ${this.#maxBytes} bytes of them`;
      throw new FormatError('LIMIT_EXCEEDED', message, { offset: 0 });
    }
    this.#names.push(name.slice());
    this.#ids.set(key, id);
    return id;
  }
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length || a.length === 0) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}
