import { FormatError } from '../format-error.js';
import { toContig } from '../vcf/contig-line.js';
import { parseMetaLine } from '../vcf/meta-line.js';

/** A contig of a BCF header. */
export interface BcfContig {
  readonly name: string;
  /** Bases; undefined where the header does not say. */
  readonly length: number | undefined;
}

/** The header of a BCF file (VCFv4.3 §6.2). */
export interface BcfHeader {
  /** The VCF header, without the NULs that end it. */
  readonly text: string;
  /** By the number that records name them with: their rank, or what IDX says. Numbers may be left out. */
  readonly contigs: ReadonlyMap<number, BcfContig>;
  /** The dictionary of strings: filters and keys of INFO and FORMAT, by number as the contigs. PASS is 0. */
  readonly strings: ReadonlyMap<number, string>;
  /** Uncompressed bytes of the whole header; the first record follows. */
  readonly byteLength: number;
}

/** "BCF\2\2": version 2.2, of which version 2.1 was a draft. */
const MAGIC = Uint8Array.of(0x42, 0x43, 0x46, 0x02, 0x02);
/** Bytes of magic and l_text. */
const TEXT_START = 9;
/** Numbers lie below: nothing else bounds what IDX says, and each contig takes some hundred bytes. */
const NUMBER_LIMIT = 2 ** 21;
/** Lines that declare strings of the dictionary. */
const STRING_KEYS: readonly string[] = ['FILTER', 'INFO', 'FORMAT'];

// Not fatal: a header in another encoding than UTF-8 is still read. Names of contigs are ASCII.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Uncompressed bytes of the header that `data` begins with, or undefined while it does not hold all of them. Throws
 * `FormatError` INVALID_MAGIC for what is no BCF 2.2.
 */
export function bcfHeaderLength(data: Uint8Array): number | undefined {
  if (MAGIC.subarray(0, data.length).some((byte, at) => byte !== data[at])) {
    throw new FormatError('INVALID_MAGIC', 'uncompressed BCF begins with "BCF\\2\\2"', { offset: 0 });
  }
  if (data.length < TEXT_START) return undefined;
  const byteLength = TEXT_START + new DataView(data.buffer, data.byteOffset, data.length).getUint32(MAGIC.length, true);
  return byteLength > data.length ? undefined : byteLength;
}

/**
 * Parses the header that `data` begins with. Throws as `bcfHeaderLength`, TRUNCATED where `data` ends within it, INVALID_DATA
 * where two contigs or two strings have one number, and LIMIT_EXCEEDED for a number of 2^21 or more.
 */
export function parseBcfHeader(data: Uint8Array): BcfHeader {
  const byteLength = bcfHeaderLength(data);
  if (byteLength === undefined) {
    throw new FormatError('TRUNCATED', 'the data ends inside the header', { offset: data.length });
  }
  const nul = data.indexOf(0, TEXT_START);
  const textEnd = nul === -1 || nul > byteLength ? byteLength : nul;
  const text = decoder.decode(data.subarray(TEXT_START, textEnd));
  return { text, ...numberNames(text), byteLength };
}

function numberNames(text: string): Pick<BcfHeader, 'contigs' | 'strings'> {
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

/** What names stand for, by number. The first line of each name counts, as for HTSlib. */
class Dictionary<Entry> {
  readonly entries = new Map<number, Entry>();
  readonly #names = new Set<string>();
  readonly #noun: string;
  /** Behind the highest number so far: that of a name without IDX. */
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
      const message = `one of the ${this.#noun} has the number ${index}, not below ${NUMBER_LIMIT}`;
      throw new FormatError('LIMIT_EXCEEDED', message, { offset: TEXT_START });
    }
    this.#names.add(name);
    this.entries.set(index, entry);
    this.#next = Math.max(this.#next, index + 1);
  }
}

/** The lines one by one: a text may be nothing but line feeds. */
function* linesOf(text: string): Generator<string, void> {
  for (let at = 0; at < text.length; ) {
    const lineFeed = text.indexOf('\n', at);
    const end = lineFeed === -1 ? text.length : lineFeed;
    yield text.slice(at, end);
    at = end + 1;
  }
}
