import { FormatError, invalidData } from '../format-error.js';
import type { RecordLayout } from '../record-splitter.js';

/** The most bytes that a line may have here, line feed included. */
const MAX_LINE_LENGTH = 2 ** 28;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const HASH = 0x23;

/** The highest of TAB, LF and CR, the only control characters that a line may have (VCFv4.3 §1.2). */
export const LAST_LINE_CONTROL = 0x0d;

/** How VCF records are delimited: each is a line, and the last one may end with the data. */
export const VCF_LAYOUT: RecordLayout<Uint8Array> = {
  isEndedByData: true,
  open: (bytes) => bytes,
  recordEnd(bytes, at) {
    const lineFeed = bytes.indexOf(LINE_FEED, at);
    if (lineFeed === -1) return undefined;
    checkLineLength(at, lineFeed + 1 - at);
    return lineFeed + 1;
  },
  countMissing(begun, rest) {
    if (begun.at(-1) === LINE_FEED) return 0;
    const lineFeed = rest.indexOf(LINE_FEED);
    const missing = lineFeed === -1 ? Math.max(1, rest.length) : lineFeed + 1;
    checkLineLength(0, begun.length + missing);
    return missing;
  },
};

/** Returns the end of the line [at, end) without its LF or CRLF. */
export function contentEnd(bytes: Uint8Array, at: number, end: number): number {
  const feedStart = end > at && bytes[end - 1] === LINE_FEED ? end - 1 : end;
  return feedStart > at && bytes[feedStart - 1] === CARRIAGE_RETURN ? feedStart - 1 : feedStart;
}

/** Returns whether the line [at, end) is a record: neither blank nor a line that starts with `#`. */
export function isRecordLine(bytes: Uint8Array, at: number, end: number): boolean {
  return bytes[at] !== HASH && contentEnd(bytes, at, end) !== at;
}

function checkLineLength(at: number, length: number): void {
  if (length <= MAX_LINE_LENGTH) return;
  throw new FormatError('LIMIT_EXCEEDED', `line is over the limit of ${MAX_LINE_LENGTH} bytes`, { offset: at });
}

/** The bases of its contig that a VCF line covers. */
export interface VcfRecordSpan {
  /** Bytes of the contig's name, with which the line starts. */
  readonly nameLength: number;
  /** 0-based. POS 0, a telomere, counts as 0, as in tabix. */
  readonly baseStart: number;
  /** Exclusive: END of INFO if it is after the start, otherwise the end of REF. The span has at least one base. */
  readonly baseEnd: number;
}

const TAB = 0x09;
const SEMICOLON = 0x3b;
const [ZERO, NINE] = [0x30, 0x39];
/** "END=" */
const [E, N, D, EQUALS] = [0x45, 0x4e, 0x44, 0x3d];
/** Distances between columns: CHROM, POS, ID, REF, ALT, QUAL, FILTER, INFO. */
const POS_TO_REF = 2;
const REF_TO_INFO = 4;

/**
 * Parses the span of a record line (VCFv4.3 §1.6.1), passed without its line end. Columns after INFO are not read. Throws
 * `FormatError` `INVALID_DATA`, with an offset from the start of the line, if the line has no REF or its POS is not an integer.
 *
 * @example
 * ```ts
 * import { parseVcfRecordSpan } from '@htskit/formats';
 *
 * const line = new TextEncoder().encode('chr1\t100\t.\tACG\tT');
 * const { baseStart, baseEnd } = parseVcfRecordSpan(line);
 * console.log(baseStart, baseEnd); // 99 102
 * ```
 */
export function parseVcfRecordSpan(line: Uint8Array): VcfRecordSpan {
  const nameLength = line.indexOf(TAB);
  const refStart = nameLength < 1 ? -1 : skipColumns(line, nameLength + 1, POS_TO_REF);
  if (refStart === -1) throw invalidData('record has fewer columns than CHROM, POS, ID and REF', 0);
  const position = parseNumber(line, nameLength + 1);
  if (position.value === undefined || line[position.end] !== TAB) {
    throw invalidData('POS is not an integer', nameLength + 1);
  }
  const baseStart = Math.max(0, position.value - 1);
  const refLength = columnEnd(line, refStart) - refStart;
  const infoStart = skipColumns(line, refStart, REF_TO_INFO);
  const infoEnd = infoStart === -1 ? undefined : findInfoEnd(line, infoStart);
  const baseEnd = infoEnd !== undefined && infoEnd > baseStart ? infoEnd : baseStart + Math.max(1, refLength);
  return { nameLength, baseStart, baseEnd };
}

/** Returns the start of the `count`-th column after the one at `at`, or −1 if the line has fewer. */
function skipColumns(line: Uint8Array, at: number, count: number): number {
  let start = at;
  for (let skipped = 0; skipped < count; skipped++) {
    const tab = line.indexOf(TAB, start);
    if (tab === -1) return -1;
    start = tab + 1;
  }
  return start;
}

function columnEnd(line: Uint8Array, start: number): number {
  const tab = line.indexOf(TAB, start);
  return tab === -1 ? line.length : tab;
}

/** Returns the value of END in the INFO column, or undefined if there is no END or it does not start with a digit. */
function findInfoEnd(line: Uint8Array, infoStart: number): number | undefined {
  for (let at = infoStart; at < line.length; at++) {
    const isEnd = line[at] === E && line[at + 1] === N && line[at + 2] === D && line[at + 3] === EQUALS;
    if (isEnd) return parseNumber(line, at + 4).value;
    while (at < line.length && line[at] !== SEMICOLON) {
      if (line[at] === TAB) return undefined;
      at++;
    }
  }
  return undefined;
}

/** Parses the digits at `at`, and returns where they end. The value is undefined without digits and for an unsafe integer. */
function parseNumber(line: Uint8Array, at: number): { readonly value: number | undefined; readonly end: number } {
  let value = 0;
  let end = at;
  for (; end < line.length; end++) {
    const digit = line[end] ?? 0;
    if (digit < ZERO || digit > NINE) break;
    value = value * 10 + digit - ZERO;
  }
  return { value: end > at && Number.isSafeInteger(value) ? value : undefined, end };
}
