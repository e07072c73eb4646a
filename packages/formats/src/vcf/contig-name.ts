import { parseContigLine } from './header.js';

/** The name of a contig and its number in BCF records: what readers of headers keep. */
export interface ContigName {
  readonly name: Uint8Array;
  /** The value of IDX, if the line has it (VCFv4.3 §6.2.1). */
  readonly index: number | undefined;
}

const ID_START = new TextEncoder().encode('##contig=<ID=');
const [QUOTE, COMMA, EQUALS, GREATER, CARRIAGE_RETURN] = [0x22, 0x2c, 0x3d, 0x3e, 0x0d];
const [UPPER_D, UPPER_I, UPPER_X] = [0x44, 0x49, 0x58];
const [ZERO, NINE] = [0x30, 0x39];
/** Numbers of at most so many digits are safe integers. */
const MAX_DIGITS = 15;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Reads what `parseContigLine` finds in the bytes of a line `##contig=`, in a tenth of its time if ID comes first and nothing is
 * quoted, as in the files of all common programs. Returns undefined for a line without an ID.
 */
export function readContigName(data: Uint8Array, start: number, end: number): ContigName | undefined {
  const simple = readSimpleLine(data, start, end);
  if (simple !== undefined) return simple;
  const contig = parseContigLine(decoder.decode(data.subarray(start, end)));
  return contig && { name: encoder.encode(contig.name), index: contig.index };
}

/** Returns undefined for a line that is not of the common form. */
function readSimpleLine(data: Uint8Array, start: number, end: number): ContigName | undefined {
  for (let i = 0; i < ID_START.length; i++) if (data[start + i] !== ID_START[i]) return undefined;
  const last = end - (data[end - 1] === CARRIAGE_RETURN ? 2 : 1);
  if (data[last] !== GREATER) return undefined;
  const nameStart = start + ID_START.length;
  let nameEnd = nameStart;
  for (; nameEnd < last && data[nameEnd] !== COMMA; nameEnd++) {
    const byte = data[nameEnd] ?? 0;
    if (byte === QUOTE || byte === EQUALS || byte === GREATER || byte >= 0x80) return undefined;
  }
  let index: number | undefined;
  for (let at = nameEnd; at < last; at++) {
    if (data[at] === QUOTE) return undefined;
    if (data[at] !== COMMA || data[at + 1] !== UPPER_I || data[at + 2] !== UPPER_D) continue;
    if (data[at + 3] === EQUALS) return undefined;
    if (data[at + 3] !== UPPER_X || data[at + 4] !== EQUALS) continue;
    index = readNumber(data, at + 5, last);
    if (index === undefined) return undefined;
  }
  return { name: data.subarray(nameStart, nameEnd), index };
}

/** Returns the number that begins at `start` and ends before a comma or at `end`, or undefined if there is none. */
function readNumber(data: Uint8Array, start: number, end: number): number | undefined {
  let number = 0;
  let at = start;
  for (; at < end && data[at] !== COMMA; at++) {
    const byte = data[at] ?? 0;
    if (byte < ZERO || byte > NINE || at - start === MAX_DIGITS) return undefined;
    number = 10 * number + byte - ZERO;
  }
  return at === start ? undefined : number;
}
