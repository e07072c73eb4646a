/** The declaration in a line `##KEY=<ID=…>` of a VCF or BCF header (VCFv4.3 §1.4). */
export interface VcfMetaLine {
  readonly key: string;
  readonly id: string;
  /** The number in BCF records, if the line has the key IDX (VCFv4.3 §6.2.1). */
  readonly index: number | undefined;
  /** All values by their keys, ID and IDX included. */
  readonly values: ReadonlyMap<string, string>;
}

/** A contig that a line `##contig=<…>` of a VCF or BCF header declares (VCFv4.3 §1.4.7). */
export interface VcfContig {
  readonly name: string;
  /** Bases; undefined if the line has no length or one that is not a number. */
  readonly length: number | undefined;
  /** The number in BCF records, if the line has the key IDX (VCFv4.3 §6.2.1). */
  readonly index: number | undefined;
}

/**
 * Parses the contig that a header line declares. Returns undefined for another line and for one without an ID.
 *
 * @example
 * ```ts
 * import { parseContigLine } from '@htskit/formats';
 *
 * console.log(parseContigLine('##contig=<ID=chr1,length=248956422>')?.length);
 * ```
 */
export function parseContigLine(line: string): VcfContig | undefined {
  const meta = parseMetaLine(line);
  return meta?.key === 'contig' ? toContig(meta) : undefined;
}

/** Converts a line `##contig=<…>` to the contig that it declares. */
export function toContig({ id, index, values }: VcfMetaLine): VcfContig {
  return { name: id, length: parseCount(values.get('length')), index };
}

const START = '##';
const VALUES_START = '=<';

/** Parses a header line. Returns undefined for a line of another kind and for one without an ID. */
export function parseMetaLine(line: string): VcfMetaLine | undefined {
  const keyEnd = line.startsWith(START) ? line.indexOf('=') : -1;
  if (keyEnd === -1 || !line.startsWith(VALUES_START, keyEnd)) return undefined;
  const text = line.trimEnd();
  if (!text.endsWith('>')) return undefined;
  const values = new Map(parseEntries(text.slice(keyEnd + VALUES_START.length, -1)));
  const id = values.get('ID');
  if (id === undefined) return undefined;
  return { key: line.slice(START.length, keyEnd), id, index: parseCount(values.get('IDX')), values };
}

/** Parses decimal digits. Returns undefined for other text and for unsafe integers. */
function parseCount(text = ''): number | undefined {
  const count = Number(text);
  return /^\d+$/.test(text) && Number.isSafeInteger(count) ? count : undefined;
}

/** Yields keys and values; a value may be quoted. Text without a `=` is skipped. */
function* parseEntries(text: string): Generator<readonly [key: string, value: string], void> {
  for (let at = 0; at < text.length; ) {
    const equals = text.indexOf('=', at);
    if (equals === -1) return;
    const key = text.slice(at, equals);
    const start = equals + 1;
    const isQuoted = text[start] === '"';
    const end = isQuoted ? quoteEnd(text, start) : text.indexOf(',', start);
    const valueEnd = end === -1 ? text.length : end;
    const value = text.slice(start, valueEnd);
    // Text between a closing quote and the next comma belongs to no entry.
    yield [key.slice(key.lastIndexOf(',') + 1), isQuoted ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1') : value];
    at = valueEnd + 1;
  }
}

/** Returns the offset just after the quote that closes the one at `start`, or −1 if it is not closed. */
function quoteEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  return -1;
}
