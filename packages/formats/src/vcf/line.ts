import { FormatError } from '../format-error.js';
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
