import { encodeText } from '@htskit/io';
import { encodeBcfHeader } from '../bcf/header.js';
import type { BcfLengthKeys } from '../bcf/record.js';
import { FormatError, invalidData } from '../format-error.js';
import { ALLELE_LENGTHS_VERSION, variantVersion } from './allele-end.js';
import {
  entryValue,
  formatHeaderLine,
  type HeaderLine,
  isPlainValue,
  parseCount,
  parseHeaderLine,
  quote,
  toDeclaration,
  unquote,
} from './header-line.js';

/** The type of an INFO or FORMAT key. `Character` is a `String` of one character. */
type VariantType = 'Integer' | 'Float' | 'Flag' | 'Character' | 'String';

/** The declaration of an INFO or FORMAT key (VCFv4.3 §1.4.2, §1.4.4). */
export interface VariantKey {
  readonly name: string;
  /** The count of values, or `A`, `R`, `G`, `P`, `LA`, `LR`, `LG`, `M` or `.`. */
  readonly number: string;
  readonly type: VariantType;
}

/** An entry of a dictionary: its name as text and bytes, and what it declares. */
export interface DictionaryEntry {
  /** The number in BCF records (VCFv4.3 §6.2.1). */
  readonly index: number;
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Whether all readers find the name in a header: one that has to be quoted is another name to htslib, with the quotes. */
  readonly isPlain: boolean;
  isFilter: boolean;
  info: VariantKey | undefined;
  format: VariantKey | undefined;
}

/** Names by their numbers in BCF records, and the numbers by name. */
export class Dictionary {
  readonly entries: (DictionaryEntry | undefined)[] = [];
  readonly byName: Map<string, DictionaryEntry> = new Map();

  /** The number of the next name. */
  #next = 0;

  /** Returns the entry of a name, which gets the number `index`, by default the next one, if it is new. */
  add(name: string, index: number = this.#next): DictionaryEntry {
    const known = this.byName.get(name);
    if (known !== undefined) return known;
    const holder = this.entries[index];
    if (holder?.index === index) throw invalidData(`"${name}" and "${holder.name}" have the same IDX ${index}`, 0);
    const entry: DictionaryEntry = {
      index,
      name,
      bytes: encodeText(name),
      isPlain: isPlainValue(name),
      isFilter: false,
      info: undefined,
      format: undefined,
    };
    this.#put(entry, index);
    this.#next = Math.max(this.#next, index + 1);
    this.byName.set(name, entry);
    return entry;
  }

  /** Adds a further number of an entry, unless the number is taken. Another name may still get it. */
  addNumber(entry: DictionaryEntry, index: number): void {
    if (this.entries[index] === undefined) this.#put(entry, index);
  }

  #put(entry: DictionaryEntry, index: number): void {
    if (index >= INDEX_LIMIT) {
      const message = `IDX ${index} of "${entry.name}" is not below the limit of ${INDEX_LIMIT}`;
      throw new FormatError('LIMIT_EXCEEDED', message, { offset: 0 });
    }
    while (this.entries.length < index) this.entries.push(undefined);
    this.entries[index] = entry;
  }
}

/** Numbers in the dictionaries are below this limit: an IDX is otherwise unbounded. */
const INDEX_LIMIT = 2 ** 21;
const COLUMNS = '#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO';
const PASS_LINE = '##FILTER=<ID=PASS,Description="All filters passed">';
const IDX = 'IDX';
const PASS = 'PASS';

/** The text of a VCF or BCF header: what `parseVcfHeader` and `parseBcfHeader` return has it. */
export interface VariantHeaderInput {
  readonly text: string;
  /**
   * Contigs that the header lacks, in the order in which they are added: the names of a tabix index, as bcftools adds them.
   * Default: no contigs.
   */
  readonly extraContigs?: readonly string[];
}

/**
 * The declarations of a VCF or BCF header as htslib reads them: of lines that declare the same, the first counts, and PASS is the
 * first filter; each contig, filter and key has a number. All lines are kept: `##FILTER=<ID=PASS…>` follows the first one, and is
 * added if it is missing.
 */
export class VariantHeader {
  /** The version of the format times 100, such as 403; 0 if the header has no version. */
  readonly version: number;
  readonly samples: readonly string[];
  /** The keys that give the lengths of symbolic alleles; undefined before VCF 4.4, where only END sets the end of a record. */
  readonly lengthKeys: BcfLengthKeys | undefined;
  readonly contigs: Dictionary = new Dictionary();
  /** Filters and the keys of INFO and FORMAT. */
  readonly strings: Dictionary = new Dictionary();
  /** Lines that declare something, and the texts of others. */
  readonly #lines: (HeaderLine | string)[] = [];
  #sampleIndexes: ReadonlyMap<string, number> | undefined;
  /** The first line for which htslib refuses a header. */
  #refused: string | undefined;

  /** Throws `FormatError` `INVALID_DATA` for a header without a valid line `#CHROM` and for conflicting numbers. */
  constructor({ text, extraContigs = [] }: VariantHeaderInput) {
    const lines = linesOf(text);
    const columns = lines.find((line) => line.startsWith('#CHROM'));
    if (columns === undefined) throw invalidData('header has no line #CHROM', text.length);
    this.samples = parseSamples(columns, text.indexOf(columns));
    this.strings.add(PASS, 0);
    const passLine = lines.find(isPassLine) ?? PASS_LINE;
    for (const [index, line] of lines.entries()) {
      if (line === columns) break;
      if (line !== passLine) this.#add(line);
      if (index === 0) this.#add(passLine);
    }
    for (const name of extraContigs) {
      if (this.contigs.byName.has(name)) continue;
      this.#addDeclared({ key: 'contig', value: undefined, entries: [['ID', quote(name)]] });
    }
    this.version = variantVersion(text);
    if (this.version >= ALLELE_LENGTHS_VERSION) {
      const { byName } = this.strings;
      this.lengthKeys = { svlen: byName.get('SVLEN')?.index, len: byName.get('LEN')?.index };
    }
  }

  /** Returns the index of a sample; undefined if the header lacks it. */
  sampleIndex(name: string): number | undefined {
    this.#sampleIndexes ??= new Map(this.samples.map((sample, index) => [sample, index]));
    return this.#sampleIndexes.get(name);
  }

  /**
   * Throws `FormatError` `INVALID_DATA` for a line that makes the header unreadable for htslib: conversions refuse it, instead of
   * leaving it out.
   */
  checkConvertible(): void {
    if (this.#refused === undefined) return;
    throw invalidData(`header line ${JSON.stringify(this.#refused)} is malformed, so that other programs refuse it`, 0);
  }

  /** Returns the text of the VCF header, with declarations as bcftools writes them. */
  toVcf(): string {
    return this.#text(IDX);
  }

  /** Returns the uncompressed bytes of the BCF header, whose lines have the numbers of their entries (VCFv4.3 §6.2). */
  toBcf(): Uint8Array {
    return encodeBcfHeader(this.#text());
  }

  #text(without?: string): string {
    const lines = this.#lines.map((line) => `${typeof line === 'string' ? line : formatHeaderLine(line, without)}\n`);
    const samples = this.samples.length === 0 ? '' : `\tFORMAT\t${this.samples.join('\t')}`;
    return `${lines.join('')}${COLUMNS}${samples}\n`;
  }

  #add(text: string): void {
    const line = parseHeaderLine(text);
    if (!text.startsWith('##') || (line !== undefined && hasOpenBracket(line))) this.#refused ??= text;
    if (line === undefined || !this.#addDeclared(line)) this.#lines.push(text);
  }

  /** Adds a line that declares something, and returns whether it does. */
  #addDeclared(line: HeaderLine): boolean {
    const declaration = toDeclaration(line);
    if (declaration === undefined) return false;
    const { kind, id, index } = declaration;
    const dictionary = kind === 'contig' ? this.contigs : this.strings;
    const entry = dictionary.add(id, index);
    // Only htskit reads records of such a contig: to htslib, the first line counts.
    if (kind === 'contig' && index !== undefined) dictionary.addNumber(entry, index);
    if (kind === 'FILTER') entry.isFilter = true;
    else if (kind === 'INFO') entry.info ??= toKey(id, line);
    else if (kind === 'FORMAT') entry.format ??= toKey(id, line);
    this.#lines.push(withNumber(line, entry));
    return true;
  }
}

/** Whether a line declares the filter PASS. */
function isPassLine(text: string): boolean {
  const line = text.startsWith('##FILTER=') ? parseHeaderLine(text) : undefined;
  return line !== undefined && toDeclaration(line)?.id === PASS;
}

/** Whether a value of a line has an opening bracket only. */
function hasOpenBracket({ entries }: HeaderLine): boolean {
  return entries.some(([, value]) => value.startsWith('[') && !value.endsWith(']'));
}

/** Returns the lines of a text without line ends and empty lines. */
function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
    .filter((line) => line !== '');
}

function parseSamples(columns: string, offset: number): string[] {
  if (!columns.startsWith(COLUMNS)) throw invalidData('columns of the line #CHROM are not those of VCF', offset);
  const rest = columns.slice(COLUMNS.length);
  if (rest === '' || rest === '\tFORMAT') return [];
  const samples = rest.slice('\tFORMAT\t'.length).split('\t');
  if (!rest.startsWith('\tFORMAT\t')) throw invalidData('columns of the line #CHROM are not those of VCF', offset);
  const known = new Set<string>();
  for (const name of samples) {
    if (/^[ \v\f\r]*$/.test(name)) throw invalidData('name of a sample is empty', offset);
    if (known.has(name)) throw invalidData(`sample ${JSON.stringify(name)} is declared twice`, offset);
    known.add(name);
  }
  return samples;
}

/** The keys whose values are the same to htskit with and without quotes, but not to htslib. */
const UNQUOTED_KEYS = ['ID', 'Number', 'Type', 'length'];

/**
 * Returns a declaration as every reader understands it: with the number of its entry, without quotes that are not needed, and no
 * length of a contig that is not a number, for which htslib leaves out the line.
 */
function withNumber(line: HeaderLine, { index }: DictionaryEntry): HeaderLine {
  const hasLength = parseCount(entryValue(line, 'length') ?? '') !== undefined;
  const entries = line.entries.flatMap(([key, value]): HeaderLine['entries'] => {
    if (key === IDX) return [[key, String(index)]];
    if (line.key === 'contig' && key.toLowerCase() === 'length' && !hasLength) return [];
    const content = unquote(value);
    return [[key, UNQUOTED_KEYS.includes(key) && isPlainValue(content) ? content : value]];
  });
  const hasIndex = entries.some(([key]) => key === IDX);
  return { ...line, entries: hasIndex ? entries : [...entries, [IDX, String(index)]] };
}

const TYPES = ['Integer', 'Float', 'Flag', 'Character', 'String'] as const satisfies VariantType[];

/** Returns the declaration of a key. Without a valid type it is a String, without a number any count, as in htslib. */
function toKey(name: string, line: HeaderLine): VariantKey {
  // The constant, not the text of the header: comparing it with another constant compares references.
  const type = TYPES.find((known) => known === entryValue(line, 'Type')) ?? 'String';
  return { name, number: entryValue(line, 'Number') ?? '.', type };
}
