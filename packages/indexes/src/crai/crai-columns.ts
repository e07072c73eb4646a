import { IndexError } from '../index-error.js';

/** A line of a CRAI index: one slice of a CRAM file on one reference (CRAM 3.1 §12). */
export interface CraiSlice {
  /** Index of the reference in the header. −1 for records without a reference, −2 for a slice of unknown references. */
  readonly referenceId: number;
  /** 1-based position, as in the file. 0 if there is none. */
  readonly alignmentStart: number;
  /** Length on the reference in bases. */
  readonly alignmentSpan: number;
  /** Offset of the slice's container header in the CRAM file, in bytes. */
  readonly containerStart: number;
  /** Bytes from the end of the container header to the slice: its landmark. */
  readonly sliceOffset: number;
  /** Bytes of the slice, including its header. */
  readonly sliceSize: number;
}

/**
 * Formats the text of a CRAI index as htslib does.
 *
 * @example
 * const text = formatCrai(parseCrai(bytes).slices());
 */
export function formatCrai(slices: Iterable<CraiSlice>): string {
  let text = '';
  for (const slice of slices) {
    const { referenceId, alignmentStart, alignmentSpan, containerStart, sliceOffset, sliceSize } = slice;
    text += `${referenceId}\t${alignmentStart}\t${alignmentSpan}\t${containerStart}\t${sliceOffset}\t${sliceSize}\n`;
  }
  return text;
}

/** Slices that are formatted at once. */
const BATCH_LENGTH = 1024;

/**
 * Returns a CRAI index as it is stored: gzipped text.
 *
 * @example
 * writeFileSync('reads.cram.crai', await gzipCrai(slices));
 */
export async function gzipCrai(slices: Iterable<CraiSlice>): Promise<Uint8Array<ArrayBuffer>> {
  // The text of all lines could exceed the maximum length of a string.
  const texts: string[] = [];
  let batch: CraiSlice[] = [];
  for (const slice of slices) {
    batch.push(slice);
    if (batch.length < BATCH_LENGTH) continue;
    texts.push(formatCrai(batch));
    batch = [];
  }
  return gzipCraiText([...texts, formatCrai(batch)]);
}

/**
 * Compresses the text of a CRAI index to a single gzip member. BGZF has several members, and htslib 1.16 silently reads only
 * the first.
 */
export async function gzipCraiText(parts: (string | Uint8Array<ArrayBuffer>)[]): Promise<Uint8Array<ArrayBuffer>> {
  const text = new Blob(parts);
  return new Uint8Array(await new Response(text.stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer());
}

/** Numbers per line of a CRAI index. */
const COLUMN_COUNT = 6;

/** Bytes of the shortest line: six digits, five tabs and the line feed. The last line may lack the line feed. */
const MIN_LINE_BYTES = 12;

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const MINUS = 0x2d;
const ZERO = 0x30;

/** Any number of this many digits fits into 32 bits. */
const INT32_DIGITS = 9;

/** Reference ids and offsets within containers are 32-bit numbers in CRAM. */
const MAX_REFERENCE_ID = 2 ** 31 - 1;
const MAX_SLICE_BYTES = 2 ** 32 - 1;

type CraiColumn = Int32Array | Uint32Array | Float64Array;

/** The numbers of all lines, by column. */
export interface CraiColumns {
  readonly referenceIds: Int32Array;
  readonly starts: Float64Array;
  readonly spans: Float64Array;
  readonly containerStarts: Float64Array;
  readonly sliceOffsets: Uint32Array;
  readonly sliceSizes: Uint32Array;
}

/**
 * Parses the text of a CRAI index byte by byte; decoding each line to a string would take several times as long. The columns
 * take at most three times the memory of the text. Throws `IndexError` INVALID_DATA for a line that is not six numbers
 * separated by tabs.
 */
export function parseCraiColumns(text: Uint8Array): CraiColumns {
  const columns = createColumns(Math.min(countLines(text), Math.ceil(text.length / MIN_LINE_BYTES)));
  const row = new Float64Array(COLUMN_COUNT);
  let count = 0;
  for (let at = 0; at < text.length; ) {
    const blankEnd = lineEnd(text, at);
    if (blankEnd === undefined) {
      at = parseRow(text, at, row);
      setRow(columns, count, row);
      count += 1;
    } else at = blankEnd;
  }
  return mapColumns(columns, (column) => column.subarray(0, count) as typeof column);
}

function mapColumns(columns: CraiColumns, map: <Column extends CraiColumn>(column: Column) => Column): CraiColumns {
  return {
    referenceIds: map(columns.referenceIds),
    starts: map(columns.starts),
    spans: map(columns.spans),
    containerStarts: map(columns.containerStarts),
    sliceOffsets: map(columns.sliceOffsets),
    sliceSizes: map(columns.sliceSizes),
  };
}

function countLines(text: Uint8Array): number {
  let count = 1;
  for (let at = 0; at < text.length; at++) if (text[at] === LINE_FEED) count++;
  return count;
}

function createColumns(length: number): CraiColumns {
  return {
    referenceIds: new Int32Array(length),
    starts: new Float64Array(length),
    spans: new Float64Array(length),
    containerStarts: new Float64Array(length),
    sliceOffsets: new Uint32Array(length),
    sliceSizes: new Uint32Array(length),
  };
}

function setRow(columns: CraiColumns, index: number, row: Float64Array): void {
  columns.referenceIds[index] = row[0] ?? 0;
  columns.starts[index] = row[1] ?? 0;
  columns.spans[index] = row[2] ?? 0;
  columns.containerStarts[index] = row[3] ?? 0;
  columns.sliceOffsets[index] = row[4] ?? 0;
  columns.sliceSizes[index] = row[5] ?? 0;
}

/** Sorts the rows by reference, with negative ids last, and then by start. */
export function sortCraiColumns(columns: CraiColumns): CraiColumns {
  const { referenceIds, starts } = columns;
  const compare = (a: number, b: number): number => {
    const difference = ((referenceIds[a] ?? 0) >>> 0) - ((referenceIds[b] ?? 0) >>> 0);
    return difference === 0 ? (starts[a] ?? 0) - (starts[b] ?? 0) : difference;
  };
  const count = starts.length;
  let sorted = 1;
  while (sorted < count && compare(sorted - 1, sorted) <= 0) sorted++;
  if (sorted >= count) return columns;
  const order = new Uint32Array(count);
  for (let row = 0; row < count; row++) order[row] = row;
  order.sort(compare);
  return mapColumns(columns, (column) => inOrder(column, order));
}

function inOrder<Column extends CraiColumn>(column: Column, order: Uint32Array): Column {
  const ordered = column.slice() as Column;
  for (let row = 0; row < order.length; row++) ordered[row] = column[order[row] ?? 0] ?? 0;
  return ordered;
}

/** Hot: parses the line at `start` into `row` and returns the offset of the next line. */
function parseRow(text: Uint8Array, start: number, row: Float64Array): number {
  const isNegative = text[start] === MINUS;
  let at = isNegative ? start + 1 : start;
  for (let column = 0; column < COLUMN_COUNT; column++) {
    const columnStart = at;
    let digit = (text[at] ?? TAB) - ZERO;
    let low = 0;
    // The first digits are computed in 32-bit arithmetic, which takes half the time.
    for (; digit >= 0 && digit <= 9 && at - columnStart < INT32_DIGITS; digit = (text[++at] ?? TAB) - ZERO) {
      low = (low * 10 + digit) | 0;
    }
    let value = low;
    for (; digit >= 0 && digit <= 9; digit = (text[++at] ?? TAB) - ZERO) value = value * 10 + digit;
    if (at === columnStart) throw invalidRow(at, 'expected six numbers separated by tabs');
    if (value > Number.MAX_SAFE_INTEGER) throw invalidRow(columnStart, 'a number exceeds 2^53 - 1');
    row[column] = value;
    if (column < COLUMN_COUNT - 1 && text[at++] !== TAB) throw invalidRow(at - 1, 'expected a tab');
  }
  if (isNegative) row[0] = -(row[0] ?? 0);
  checkRow(row, start);
  const end = lineEnd(text, at);
  if (end === undefined) throw invalidRow(at, 'expected a line end after six numbers');
  return end;
}

function checkRow(row: Float64Array, offset: number): void {
  const referenceId = row[0] ?? 0;
  if (referenceId < -2 || referenceId > MAX_REFERENCE_ID || Object.is(referenceId, -0)) {
    throw invalidRow(offset, `invalid reference id ${referenceId}`);
  }
  if (!Number.isSafeInteger((row[1] ?? 0) + (row[2] ?? 0))) {
    throw invalidRow(offset, 'a slice ends after base 2^53 - 1');
  }
  if ((row[4] ?? 0) > MAX_SLICE_BYTES || (row[5] ?? 0) > MAX_SLICE_BYTES) {
    throw invalidRow(offset, 'the offset or size of a slice exceeds 2^32 - 1');
  }
}

/** Returns the offset of the next line if the line ends at `at`. The last line may lack its line feed. */
function lineEnd(text: Uint8Array, at: number): number | undefined {
  const feedAt = text[at] === CARRIAGE_RETURN ? at + 1 : at;
  if (feedAt >= text.length) return feedAt;
  return text[feedAt] === LINE_FEED ? feedAt + 1 : undefined;
}

function invalidRow(offset: number, message: string): IndexError {
  return new IndexError('INVALID_DATA', message, { offset });
}
