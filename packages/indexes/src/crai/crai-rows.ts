import { IndexError } from '../index-error.js';

/** Numbers of a line of a CRAI index. */
export const ROW_LENGTH = 6;

/** Bytes of a short line of a whole-genome file, to guess how many there are. */
const TYPICAL_LINE_BYTES = 32;

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const MINUS = 0x2d;
const ZERO = 0x30;

/** Digits that surely fit into 32 bits. */
const INT32_DIGITS = 9;

/** What the columns may hold: ids and offsets within containers are 32-bit numbers of CRAM. */
const MAX_REFERENCE_ID = 2 ** 31 - 1;
const MAX_SLICE_BYTES = 2 ** 32 - 1;

/** The numbers of all lines, one line after the other. */
export type CraiRows = Float64Array;

/**
 * Scans the text of a CRAI index byte by byte: a string for each line would take several times as long. Throws
 * `IndexError` INVALID_DATA for a line that is no six numbers, separated by tabs.
 */
export function scanCraiRows(text: Uint8Array): CraiRows {
  let rows = new Float64Array(ROW_LENGTH * (1 + Math.ceil(text.length / TYPICAL_LINE_BYTES)));
  let length = 0;
  for (let at = 0; at < text.length; ) {
    const blankEnd = lineEnd(text, at);
    if (blankEnd !== undefined) {
      at = blankEnd;
      continue;
    }
    if (length === rows.length) rows = grow(rows);
    at = scanRow(text, at, rows, length);
    length += ROW_LENGTH;
  }
  return rows.subarray(0, length);
}

/** Hot: fills one row from the line at `start` and returns where the next line begins. */
function scanRow(text: Uint8Array, start: number, rows: Float64Array, rowAt: number): number {
  const isNegative = text[start] === MINUS;
  let at = isNegative ? start + 1 : start;
  for (let column = 0; column < ROW_LENGTH; column++) {
    const columnStart = at;
    let digit = (text[at] ?? TAB) - ZERO;
    let low = 0;
    // In 32 bits as long as they surely last, which takes half the time
    for (; digit >= 0 && digit <= 9 && at - columnStart < INT32_DIGITS; digit = (text[++at] ?? TAB) - ZERO) {
      low = (low * 10 + digit) | 0;
    }
    let value = low;
    for (; digit >= 0 && digit <= 9; digit = (text[++at] ?? TAB) - ZERO) value = value * 10 + digit;
    if (at === columnStart) throw invalidRow(at, 'six numbers expected, separated by tabs');
    if (value > Number.MAX_SAFE_INTEGER) throw invalidRow(columnStart, 'a number is larger than 2^53 - 1');
    rows[rowAt + column] = value;
    if (column < ROW_LENGTH - 1 && text[at++] !== TAB) throw invalidRow(at - 1, 'a tab expected');
  }
  if (isNegative) rows[rowAt] = -(rows[rowAt] ?? 0);
  checkRow(rows, rowAt, start);
  const end = lineEnd(text, at);
  if (end === undefined) throw invalidRow(at, 'a line end expected behind six numbers');
  return end;
}

function checkRow(rows: Float64Array, rowAt: number, offset: number): void {
  const referenceId = rows[rowAt] ?? 0;
  if (referenceId < -2 || referenceId > MAX_REFERENCE_ID || Object.is(referenceId, -0)) {
    throw invalidRow(offset, 'the first column is no id of a reference');
  }
  if (!Number.isSafeInteger((rows[rowAt + 1] ?? 0) + (rows[rowAt + 2] ?? 0))) {
    throw invalidRow(offset, 'a slice ends beyond base 2^53 - 1');
  }
  if ((rows[rowAt + 4] ?? 0) > MAX_SLICE_BYTES || (rows[rowAt + 5] ?? 0) > MAX_SLICE_BYTES) {
    throw invalidRow(offset, 'a slice lies beyond what a container can hold');
  }
}

/** Where the next line begins if this one ends at `at`; the last one may lack its line feed. */
function lineEnd(text: Uint8Array, at: number): number | undefined {
  const feedAt = text[at] === CARRIAGE_RETURN ? at + 1 : at;
  if (feedAt >= text.length) return feedAt;
  return text[feedAt] === LINE_FEED ? feedAt + 1 : undefined;
}

function grow(rows: Float64Array): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(2 * rows.length);
  grown.set(rows);
  return grown;
}

function invalidRow(offset: number, message: string): IndexError {
  return new IndexError('INVALID_DATA', message, { offset });
}
