import { FormatError } from '../format-error.js';

/** Bytes that a line may have, with its line feed. */
const MAX_LINE_LENGTH = 2 ** 28;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const HASH = 0x23;

/** The highest of TAB, LF and CR, which are the only control characters of a line (VCFv4.3 §1.2). */
export const LAST_LINE_CONTROL = 0x0d;

/** Bytes that the line which begins with `begun` lacks at least, as a `CountMissing`. */
export function countMissingOfLine(begun: Uint8Array, rest: Uint8Array): number {
  if (begun.at(-1) === LINE_FEED) return 0;
  const lineFeed = rest.indexOf(LINE_FEED);
  const missing = lineFeed === -1 ? Math.max(1, rest.length) : lineFeed + 1;
  checkLineLength(0, begun.length + missing);
  return missing;
}

/** Index behind the line at `at`, or undefined where the bytes end inside of it. Throws `FormatError` LIMIT_EXCEEDED. */
export function lineEnd(bytes: Uint8Array, at: number): number | undefined {
  const lineFeed = bytes.indexOf(LINE_FEED, at);
  if (lineFeed === -1) return undefined;
  checkLineLength(at, lineFeed + 1 - at);
  return lineFeed + 1;
}

/** Where the line [at, end) ends without its LF or CRLF. */
export function contentEnd(bytes: Uint8Array, at: number, end: number): number {
  const feedStart = end > at && bytes[end - 1] === LINE_FEED ? end - 1 : end;
  return feedStart > at && bytes[feedStart - 1] === CARRIAGE_RETURN ? feedStart - 1 : feedStart;
}

/** Whether the line [at, end) is a record: neither blank nor one that begins with `#`. */
export function isRecordLine(bytes: Uint8Array, at: number, end: number): boolean {
  return bytes[at] !== HASH && contentEnd(bytes, at, end) !== at;
}

function checkLineLength(at: number, length: number): void {
  if (length <= MAX_LINE_LENGTH) return;
  throw new FormatError('LIMIT_EXCEEDED', `a line is longer than ${MAX_LINE_LENGTH} bytes`, { offset: at });
}
