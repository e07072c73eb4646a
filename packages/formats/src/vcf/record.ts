import { findByte } from '#find-byte';
import { FormatError, invalidData } from '../format-error.js';
import type { RecordLayout } from '../records/record-splitter.js';
import { fieldEnd, findInfoValue, parseNumber, symbolicAlleleEnd, toBytes } from './allele-end.js';

/** The maximum number of bytes that a line may have here, line feed included. */
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
    const lineFeed = findByte(bytes, LINE_FEED, at);
    if (lineFeed === -1) return undefined;
    checkLineLength(at, lineFeed + 1 - at);
    return lineFeed + 1;
  },
  countMissing(begun, rest) {
    if (begun.at(-1) === LINE_FEED) return 0;
    const lineFeed = findByte(rest, LINE_FEED, 0);
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
  /**
   * Exclusive: the greatest of END of INFO, of the end of REF, and of the ends of the symbolic alleles by SVLEN and LEN, in any
   * version of VCF, as in htslib 1.24. The span has at least one base.
   */
  readonly baseEnd: number;
  /** Bases of REF, at least one. */
  readonly refLength: number;
}

const TAB = 0x09;
const END_KEY = toBytes('END=');
/** Distances between columns: CHROM, POS, ID, REF, ALT, QUAL, FILTER, INFO. */
const POS_TO_REF = 2;
const ALT_TO_INFO = 3;

/**
 * Parses the span of a record line (VCFv4.3 §1.6.1, VCFv4.5 §1.6.1), passed without its line end. Throws `FormatError`
 * `INVALID_DATA`, with an offset from the start of the line, if the line has no REF or its POS is not an integer.
 */
export function parseVcfRecordSpan(line: Uint8Array): VcfRecordSpan {
  const nameLength = findByte(line, TAB, 0);
  const refStart = nameLength < 1 ? -1 : skipColumns(line, nameLength + 1, POS_TO_REF);
  if (refStart === -1) throw invalidData('record has fewer columns than CHROM, POS, ID and REF', 0);
  const position = parseNumber(line, nameLength + 1);
  if (position.value === undefined || line[position.end] !== TAB) {
    throw invalidData('POS is not an integer', nameLength + 1);
  }
  const baseStart = Math.max(0, position.value - 1);
  const refEnd = fieldEnd(line, refStart, TAB);
  const altStart = Math.min(line.length, refEnd + 1);
  const infoStart = skipColumns(line, altStart, ALT_TO_INFO);
  const refLength = Math.max(1, refEnd - refStart);
  const refBaseEnd = Math.max(1, position.value - 1 + refLength);
  const infoEnd = infoStart === -1 ? 0 : findInfoEnd(line, infoStart);
  const alleleEnd = symbolicAlleleEnd(line, { position: position.value, altStart, infoStart });
  return { nameLength, baseStart, baseEnd: Math.max(refBaseEnd, infoEnd, alleleEnd), refLength };
}

/** Returns the start of the `count`-th column after the one at `at`, or −1 if the line has fewer. */
function skipColumns(line: Uint8Array, at: number, count: number): number {
  let start = at;
  for (let skipped = 0; skipped < count; skipped++) {
    const tab = findByte(line, TAB, start);
    if (tab === -1) return -1;
    start = tab + 1;
  }
  return start;
}

/** Returns the value of END in the INFO column, or 0 if there is no END or it does not start with a digit. */
function findInfoEnd(line: Uint8Array, infoStart: number): number {
  const at = findInfoValue(line, infoStart, END_KEY);
  return at === undefined ? 0 : (parseNumber(line, at).value ?? 0);
}
