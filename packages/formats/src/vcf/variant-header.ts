import { encodeText } from '@htskit/io';
import type { BcfLengthKeys } from '../bcf/record.js';
import { FormatError, invalidData } from '../format-error.js';
import {
  type Declaration,
  type DeclarationKind,
  entryValue,
  formatHeaderLine,
  type HeaderLine,
  isDeclarationKind,
  parseCount,
  parseHeaderLine,
  toDeclaration,
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
  isFilter: boolean;
  info: VariantKey | undefined;
  format: VariantKey | undefined;
}

/** Names by their numbers in BCF records, and the numbers by name. */
export class Dictionary {
  readonly entries: (DictionaryEntry | undefined)[] = [];
  readonly byName: Map<string, DictionaryEntry> = new Map();

  /** Returns the entry of a name, which gets the number `index`, by default the next one, if it is new. */
  add(name: string, index: number = this.entries.length): DictionaryEntry {
    const known = this.byName.get(name);
    if (known !== undefined) return known;
    if (this.entries[index] !== undefined) {
      throw invalidData(`"${name}" and "${this.entries[index].name}" have the same IDX ${index}`, 0);
    }
    if (index >= INDEX_LIMIT) {
      const message = `IDX ${index} of "${name}" is not below the limit of ${INDEX_LIMIT}`;
      throw new FormatError('LIMIT_EXCEEDED', message, { offset: 0 });
    }
    const bytes = encodeText(name);
    const entry = { index, name, bytes, isFilter: false, info: undefined, format: undefined };
    while (this.entries.length < index) this.entries.push(undefined);
    this.entries[index] = entry;
    this.byName.set(name, entry);
    return entry;
  }
}

/** Numbers in the dictionaries are below this limit: an IDX is otherwise unbounded. */
const INDEX_LIMIT = 2 ** 21;
const COLUMNS = '#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO';
const PASS_LINE = '##FILTER=<ID=PASS,Description="All filters passed">';
const IDX = 'IDX';
/** From this version on, the lengths of symbolic alleles determine the ends of records (VCFv4.4 §1.6.1). */
const ALLELE_LENGTHS_VERSION = 404;
/** "BCF\2\2", before l_text. */
const BCF_MAGIC = Uint8Array.of(0x42, 0x43, 0x46, 0x02, 0x02);
const TEXT_START = 9;

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
 * The declarations of a VCF or BCF header as htslib reads them: of lines that declare the same, the first counts; malformed lines
 * and a second `##fileformat` are left out; `##FILTER=<ID=PASS…>` follows the first line; each contig, filter and key has a
 * number.
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
  readonly #lines: HeaderLine[] = [];
  /** The values of lines without entries, which are written once. */
  readonly #plain = new Set<string>();

  /** Throws `FormatError` `INVALID_DATA` for a header without a valid line `#CHROM` and for conflicting numbers. */
  constructor({ text, extraContigs = [] }: VariantHeaderInput) {
    const lines = linesOf(text);
    const columns = lines.find((line) => line.startsWith('#CHROM'));
    if (columns === undefined) throw invalidData('header has no line #CHROM', text.length);
    this.samples = parseSamples(columns, text.indexOf(columns));
    for (const [index, line] of lines.entries()) {
      if (line === columns) break;
      this.#add(parseHeaderLine(line));
      if (index === 0) this.#add(parseHeaderLine(PASS_LINE));
    }
    for (const name of extraContigs) this.#add({ key: 'contig', value: undefined, entries: [['ID', name]] });
    const format = this.#lines.find(({ key, value }) => key === 'fileformat' && value !== undefined);
    const [, major = '0', minor = '0'] = /^VCFv(\d+)\.(\d+)/.exec(format?.value ?? '') ?? [];
    this.version = Number(major) * 100 + Number(minor);
    if (this.version >= ALLELE_LENGTHS_VERSION) {
      const { byName } = this.strings;
      this.lengthKeys = { svlen: byName.get('SVLEN')?.index, len: byName.get('LEN')?.index };
    }
  }

  /** Returns the text of the VCF header, as bcftools writes it. */
  toVcf(): string {
    return this.#text(IDX);
  }

  /** Returns the uncompressed bytes of the BCF header, whose lines have the numbers of their entries (VCFv4.3 §6.2). */
  toBcf(): Uint8Array {
    const text = encodeText(`${this.#text()}\0`);
    const bytes = new Uint8Array(TEXT_START + text.length);
    bytes.set(BCF_MAGIC);
    new DataView(bytes.buffer).setUint32(BCF_MAGIC.length, text.length, true);
    bytes.set(text, TEXT_START);
    return bytes;
  }

  #text(without?: string): string {
    const lines = this.#lines.map((line) => `${formatHeaderLine(line, without)}\n`).join('');
    const samples = this.samples.length === 0 ? '' : `\tFORMAT\t${this.samples.join('\t')}`;
    return `${lines}${COLUMNS}${samples}\n`;
  }

  #add(line: HeaderLine | undefined): void {
    if (line === undefined) return;
    const declaration = toDeclaration(line);
    if (line.value !== undefined) this.#addPlain(line, line.value);
    else if (declaration !== undefined) this.#addDeclared(line, declaration);
    else if (!isDeclarationKind(line.key)) this.#lines.push(line);
  }

  #addPlain(line: HeaderLine, value: string): void {
    const identity = line.key === 'fileformat' ? line.key : `${line.key}=${value}`;
    if (this.#plain.has(identity)) return;
    this.#plain.add(identity);
    this.#lines.push(line);
  }

  #addDeclared(line: HeaderLine, { kind, id, index }: Declaration): void {
    const dictionary = kind === 'contig' ? this.contigs : this.strings;
    const known = dictionary.byName.get(id);
    if (known !== undefined && (kind === 'contig' || isDeclared(known, kind))) return;
    const entry = known ?? dictionary.add(id, index);
    if (kind === 'FILTER') entry.isFilter = true;
    else if (kind === 'INFO') entry.info = toKey(id, line);
    else if (kind === 'FORMAT') entry.format = toKey(id, line);
    this.#lines.push(withNumber(line, entry));
  }
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
  if (new Set(samples).size !== samples.length || samples.some((name) => name.trim() === '')) {
    throw invalidData('names of samples are empty or not unique', offset);
  }
  return samples;
}

/**
 * Returns a declaration as every reader understands it: with the number of its entry, ID and IDX without quotes, and no length of a
 * contig that is not a number, for which htslib leaves out the line.
 */
function withNumber(line: HeaderLine, { index, name }: DictionaryEntry): HeaderLine {
  const entries = line.entries.flatMap(([key, value]): HeaderLine['entries'] => {
    if (key === IDX) return [[key, String(index)]];
    if (key === 'ID' && !/[\s,<>"]/.test(name)) return [[key, name]];
    const isLength = line.key === 'contig' && key.toLowerCase() === 'length';
    if (!isLength) return [[key, value]];
    const length = parseCount(entryValue(line, key) ?? '');
    return length === undefined ? [] : [[key, String(length)]];
  });
  const hasIndex = entries.some(([key]) => key === IDX);
  return { ...line, entries: hasIndex ? entries : [...entries, [IDX, String(index)]] };
}

function isDeclared({ isFilter, info, format }: DictionaryEntry, kind: Exclude<DeclarationKind, 'contig'>): boolean {
  if (kind === 'FILTER') return isFilter;
  return (kind === 'INFO' ? info : format) !== undefined;
}

const TYPES = ['Integer', 'Float', 'Flag', 'Character', 'String'] as const satisfies VariantType[];

/** Returns the declaration of a key. Without a valid type it is a String, without a number any count, as in htslib. */
function toKey(name: string, line: HeaderLine): VariantKey {
  // The constant, not the text of the header: comparing it with another constant compares references.
  const type = TYPES.find((known) => known === entryValue(line, 'Type')) ?? 'String';
  return { name, number: entryValue(line, 'Number') ?? '.', type };
}
