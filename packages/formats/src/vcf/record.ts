import { FormatError } from '../format-error.js';

/** Where a line of VCF stands, and what it covers on its contig. */
export interface VcfRecordSpan {
  /** Bytes of the contig's name, which begins the line. */
  readonly nameLength: number;
  /** 0-based. POS 0, a telomere, counts as 0, as for tabix. */
  readonly baseStart: number;
  /** Half-open: where END of INFO says, if that lies behind the start, else behind REF. At least one base. */
  readonly baseEnd: number;
}

const TAB = 0x09;
const SEMICOLON = 0x3b;
const [ZERO, NINE] = [0x30, 0x39];
/** "END=" */
const [E, N, D, EQUALS] = [0x45, 0x4e, 0x44, 0x3d];
/** Columns: CHROM, POS, ID, REF, ALT, QUAL, FILTER, INFO. */
const REF_BEHIND_POS = 2;
const INFO_BEHIND_REF = 4;

/**
 * The span of a line that holds a record (VCFv4.3 §1.6.1), given without its line feed. Columns behind INFO are not looked at.
 * Throws `FormatError` INVALID_DATA, whose offset counts from the line's start, for a line that has no REF, or a POS that is
 * no number.
 */
export function parseVcfRecordSpan(line: Uint8Array): VcfRecordSpan {
  const nameLength = line.indexOf(TAB);
  const refStart = nameLength < 1 ? -1 : skipColumns(line, nameLength + 1, REF_BEHIND_POS);
  if (refStart === -1) {
    throw new FormatError('INVALID_DATA', 'a record begins with CHROM, POS, ID and REF', { offset: 0 });
  }
  const position = parseNumber(line, nameLength + 1);
  if (position.value === undefined || line[position.end] !== TAB) {
    throw new FormatError('INVALID_DATA', 'POS is no number', { offset: nameLength + 1 });
  }
  const baseStart = Math.max(0, position.value - 1);
  const refLength = columnEnd(line, refStart) - refStart;
  const infoStart = skipColumns(line, refStart, INFO_BEHIND_REF);
  const infoEnd = infoStart === -1 ? undefined : findInfoEnd(line, infoStart);
  const baseEnd = infoEnd !== undefined && infoEnd > baseStart ? infoEnd : baseStart + Math.max(1, refLength);
  return { nameLength, baseStart, baseEnd };
}

/** Where the `count`-th column behind the one at `at` begins; −1 if there are fewer. */
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

/** The value of END in the column INFO, if it has one that begins with a number. */
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

/** The number that begins at `at`, and where its digits end; undefined if there are none, or it is no safe integer. */
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
