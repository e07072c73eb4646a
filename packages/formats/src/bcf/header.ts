import { FormatError } from '../format-error.js';
import { parseMetaLine, toContig } from '../vcf/header.js';

/** A contig of a BCF header. */
export interface BcfContig {
  readonly name: string;
  /** Bases; undefined if the header does not declare it. */
  readonly length: number | undefined;
}

/** The header of a BCF file (VCFv4.3 §6.2). */
export interface BcfHeader {
  /** The VCF header, without the NULs at its end. */
  readonly text: string;
  /** The dictionary of contigs, by the number that records use: the value of IDX, or the index of the line. Not all are used. */
  readonly contigs: ReadonlyMap<number, BcfContig>;
  /** The dictionary of strings: filters and keys of INFO and FORMAT, numbered as the contigs are. PASS is 0. */
  readonly strings: ReadonlyMap<number, string>;
  /** Uncompressed bytes of the header. The first record follows. */
  readonly byteLength: number;
}

/** "BCF\2\2": version 2.2. Version 2.1 was a draft of it. */
const MAGIC = Uint8Array.of(0x42, 0x43, 0x46, 0x02, 0x02);
/** Bytes of magic and l_text. */
const TEXT_START = 9;
/** Numbers in the dictionaries are below this limit: an IDX is otherwise unbounded, and each contig takes about a hundred bytes. */
const NUMBER_LIMIT = 2 ** 21;
/** The keys of the lines that declare strings of the dictionary. */
const STRING_KEYS: readonly string[] = ['FILTER', 'INFO', 'FORMAT'];

// Not fatal: a header that is not UTF-8 can still be read. Contig names are ASCII.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Returns the length in uncompressed bytes of the header that `data` starts with, or undefined if the header is incomplete.
 * Throws `FormatError` `INVALID_MAGIC` for data that is not BCF 2.2.
 */
export function bcfHeaderLength(data: Uint8Array): number | undefined {
  if (MAGIC.subarray(0, data.length).some((byte, at) => byte !== data[at])) {
    throw new FormatError('INVALID_MAGIC', 'not BCF 2.2 data: expected "BCF\\2\\2"', { offset: 0 });
  }
  if (data.length < TEXT_START) return undefined;
  const byteLength = TEXT_START + new DataView(data.buffer, data.byteOffset, data.length).getUint32(MAGIC.length, true);
  return byteLength > data.length ? undefined : byteLength;
}

/**
 * Parses the header that `data` starts with. Throws what `bcfHeaderLength` throws, `FormatError` `TRUNCATED` if the header is
 * incomplete, `INVALID_DATA` if two contigs or two strings share a number, and `LIMIT_EXCEEDED` for a number of 2^21 or more.
 *
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { gunzipSync } from 'node:zlib';
 * import { parseBcfHeader } from '@htskit/formats';
 *
 * const { contigs, strings } = parseBcfHeader(gunzipSync(readFileSync('variants.bcf')));
 * console.log(contigs.get(0)?.name, strings.get(1));
 * ```
 */
export function parseBcfHeader(data: Uint8Array): BcfHeader {
  const byteLength = bcfHeaderLength(data);
  if (byteLength === undefined) {
    throw new FormatError('TRUNCATED', 'data ends within the BCF header', { offset: data.length });
  }
  const nul = data.indexOf(0, TEXT_START);
  const textEnd = nul === -1 || nul > byteLength ? byteLength : nul;
  const text = decoder.decode(data.subarray(TEXT_START, textEnd));
  return { text, ...parseDictionaries(text), byteLength };
}

function parseDictionaries(text: string): Pick<BcfHeader, 'contigs' | 'strings'> {
  const contigs = new Dictionary<BcfContig>('contigs');
  const strings = new Dictionary<string>('strings');
  strings.add('PASS', { index: 0, entry: 'PASS' });
  for (const line of linesOf(text)) {
    const meta = parseMetaLine(line);
    if (meta === undefined) continue;
    const { key, id, index } = meta;
    if (key === 'contig') contigs.add(id, { index, entry: { name: id, length: toContig(meta).length } });
    else if (STRING_KEYS.includes(key)) strings.add(id, { index, entry: id });
  }
  return { contigs: contigs.entries, strings: strings.entries };
}

/** A dictionary of a BCF header: entries by number. The first line that declares a name counts, as in htslib. */
class Dictionary<Entry> {
  readonly entries = new Map<number, Entry>();
  readonly #names = new Set<string>();
  readonly #noun: string;
  /** The number of a name without IDX: one more than the highest number so far. */
  #next = 0;

  constructor(noun: string) {
    this.#noun = noun;
  }

  add(
    name: string,
    { index = this.#next, entry }: { readonly index: number | undefined; readonly entry: Entry },
  ): void {
    if (this.#names.has(name)) return;
    if (this.entries.has(index)) {
      throw new FormatError('INVALID_DATA', `two ${this.#noun} have the number ${index}`, { offset: TEXT_START });
    }
    if (index >= NUMBER_LIMIT) {
      const message = `number ${index} in the dictionary of ${this.#noun} is not below the limit of ${NUMBER_LIMIT}`;
      throw new FormatError('LIMIT_EXCEEDED', message, { offset: TEXT_START });
    }
    this.#names.add(name);
    this.entries.set(index, entry);
    this.#next = Math.max(this.#next, index + 1);
  }
}

/** Yields the lines of a text one at a time: a text of line feeds only would make a large array. */
function* linesOf(text: string): Generator<string, void> {
  for (let at = 0; at < text.length; ) {
    const lineFeed = text.indexOf('\n', at);
    const end = lineFeed === -1 ? text.length : lineFeed;
    yield text.slice(at, end);
    at = end + 1;
  }
}
