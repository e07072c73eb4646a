import { decodeText, encodeText } from '@htskit/io';
import { invalidData } from '../format-error.js';
import type { BamHeader, BamReference } from './header.js';

const AT = 0x40;
const LINE_FEED = 0x0a;
/** "BAM\1" */
const MAGIC = Uint8Array.of(0x42, 0x41, 0x4d, 0x01);
const INT_BYTES = 4;
/** Lengths of references are below 2^31 (SAMv1 §1.3). */
const MAX_REFERENCE_LENGTH = 2 ** 31 - 1;

/**
 * Returns the length in bytes of the header that SAM text starts with: its lines that start with `@`, or 0.
 * Returns undefined if more data is needed. If `isWhole` is true, nothing follows `data`.
 */
export function samHeaderLength(data: Uint8Array, options: { readonly isWhole?: boolean } = {}): number | undefined {
  for (let at = 0; at < data.length; ) {
    if (data[at] !== AT) return at;
    const lineFeed = data.indexOf(LINE_FEED, at);
    if (lineFeed === -1) break;
    at = lineFeed + 1;
  }
  return options.isWhole === true ? data.length : undefined;
}

/**
 * Yields the lines of one type of a SAM header, such as `@SQ`, without their line ends, and their offsets in the text. Lines end
 * with LF or CRLF: to a regular expression, U+2028 ends one as well, which the names of samples may have.
 */
export function* samHeaderLines(
  text: string,
  type: string,
): Generator<{ readonly line: string; readonly index: number }, void> {
  for (const { 0: line, index } of text.matchAll(new RegExp(`(?<![^\\n])${type}\\t[^\\n]*`, 'g'))) {
    yield { line: line.endsWith('\r') ? line.slice(0, -1) : line, index };
  }
}

/**
 * Parses the header that SAM text starts with (SAMv1 §1.3). `data` must hold the whole header. The references are those of the
 * lines @SQ. Throws `FormatError` `INVALID_DATA` for a line @SQ without a name or a valid length, or with a name used before.
 */
export function parseSamHeader(data: Uint8Array): BamHeader {
  const byteLength = samHeaderLength(data, { isWhole: true }) ?? data.length;
  const text = decodeText(data, 0, byteLength);
  return { text, references: parseReferences(text), byteLength };
}

function parseReferences(text: string): BamReference[] {
  const references: BamReference[] = [];
  const names = new Set<string>();
  for (const { line, index } of samHeaderLines(text, '@SQ')) {
    const fields = line.split('\t');
    const name = fields.find((field) => field.startsWith('SN:'))?.slice(3);
    const length = Number(/\tLN:(\d+)(?:\t|$)/.exec(line)?.[1] ?? Number.NaN);
    if (name === undefined || !(length <= MAX_REFERENCE_LENGTH)) {
      throw invalidData(`line @SQ without a name or a length below 2^31: "${line}"`, index);
    }
    if (names.has(name)) throw invalidData(`two lines @SQ declare the reference "${name}"`, index);
    names.add(name);
    references.push({ name, length });
  }
  return references;
}

/** Returns the uncompressed bytes of a BAM header (SAMv1 §4.2). */
export function encodeBamHeader({ text, references }: Pick<BamHeader, 'text' | 'references'>): Uint8Array {
  const textBytes = encodeText(text);
  const names = references.map(({ name }) => encodeText(`${name}\0`));
  const namesLength = names.reduce((sum, { length }) => sum + length, 0);
  const start = MAGIC.length + INT_BYTES + textBytes.length;
  const bytes = new Uint8Array(start + INT_BYTES + namesLength + 2 * INT_BYTES * names.length);
  const view = new DataView(bytes.buffer);
  bytes.set(MAGIC);
  view.setUint32(MAGIC.length, textBytes.length, true);
  bytes.set(textBytes, MAGIC.length + INT_BYTES);
  view.setUint32(start, names.length, true);
  let at = start + INT_BYTES;
  for (const [index, name] of names.entries()) {
    view.setUint32(at, name.length, true);
    bytes.set(name, at + INT_BYTES);
    view.setUint32(at + INT_BYTES + name.length, references[index]?.length ?? 0, true);
    at += name.length + 2 * INT_BYTES;
  }
  return bytes;
}

/** Returns the text of a header with the lines @SQ of its references, which are added if the text has no such line, as in htslib. */
export function samHeaderText({ text, references }: Pick<BamHeader, 'text' | 'references'>): string {
  const ended = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  if (/(?<![^\n])@SQ\t/.test(text)) return ended;
  return ended + references.map(({ name, length }) => `@SQ\tSN:${name}\tLN:${length}\n`).join('');
}
