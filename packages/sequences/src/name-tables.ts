import { fromTrunc512, parseSequenceIdentifier, type SequenceDigests } from '@htskit/digest';
import { decodeText } from '@htskit/io';
import { AUTHORITIES } from '@htskit/protocol';
import { type AliasRow, checkNamingAuthority, keysOf, type TableLine } from './alias-row.js';
import { parseChromAlias } from './chrom-alias.js';
import type { SequenceAlias, SequenceMetadata } from './sequence.js';
import { SequenceSourceError } from './sequence-source-error.js';

/** Names and topology of the sequences of a file. */
export interface NamingOptions {
  /** Names of the circular sequences. */
  readonly circular?: ReadonlySet<string>;
  /** The authority that named the sequences; makes each name an alias. Without it, names are not aliases. */
  readonly namingAuthority?: string;
  /** Further aliases. Rows of sequences that are not in the file are ignored. */
  readonly aliases?: readonly AliasRow[];
}

/** Returns the metadata of the sequence that has this name in its file. */
export type DescribeSequence = (name: string, digests: SequenceDigests) => SequenceMetadata;

/** Indexes the aliases by sequence. Throws RangeError for a naming authority that an identifier cannot contain. */
export function createDescriber({ circular, namingAuthority, aliases = [] }: NamingOptions): DescribeSequence {
  const authorities = new Set(aliases.map((row) => row.namingAuthority));
  if (namingAuthority !== undefined) authorities.add(namingAuthority);
  for (const authority of authorities) checkNamingAuthority(authority);
  const groups = groupBySequence(aliases);
  return (name, digests) => {
    const found = namingAuthority === undefined || name === '' ? [] : [{ alias: name, namingAuthority }];
    for (const key of [name, digests.md5, digests.sha512t24u]) {
      for (const { length, alias, namingAuthority } of groups.get(key)?.flat() ?? []) {
        if (length === undefined || length === digests.length) found.push({ alias, namingAuthority });
      }
    }
    return { ...digests, aliases: withoutRepeats(found), circular: circular?.has(name) ?? false };
  };
}

/** Returns the rows of each sequence by its names and digests. Rows that hold for the same ones share a list. */
function groupBySequence(aliases: readonly AliasRow[]): Map<string, AliasRow[][]> {
  const bySequence = new Map<AliasRow['sequence'], AliasRow[]>();
  const byKey = new Map<string, AliasRow[][]>();
  for (const row of aliases) {
    const known = bySequence.get(row.sequence);
    if (known !== undefined) {
      known.push(row);
      continue;
    }
    const group = [row];
    bySequence.set(row.sequence, group);
    for (const key of new Set(keysOf(row).map(toAliasKey))) {
      const groups = byKey.get(key);
      if (groups === undefined) byKey.set(key, [group]);
      else groups.push(group);
    }
  }
  return byKey;
}

/**
 * Returns what a row of an alias table is looked up by: the MD5 or `SQ.` digest if the text is a digest, otherwise the text
 * itself, which is the name of a sequence.
 */
export function toAliasKey(text: string): string {
  const identifier = parseSequenceIdentifier(text, { authorities: AUTHORITIES });
  if (identifier === undefined || identifier.kind === 'curie') return text;
  return identifier.kind === 'trunc512' ? fromTrunc512(identifier.digest) : identifier.digest;
}

function withoutRepeats(aliases: readonly SequenceAlias[]): readonly SequenceAlias[] {
  if (aliases.length < 2) return aliases;
  const byText = new Map(aliases.map((alias) => [JSON.stringify([alias.namingAuthority, alias.alias]), alias]));
  return [...byText.values()];
}

/** The index of each column of an assembly report, by column name. */
type ReportColumns = ReadonlyMap<string, number>;

/** Begins the line that names the columns, the last one that starts with `#`. */
const REPORT_HEADER_START = '# Sequence-Name\t';

export interface AliasTableOptions {
  /** Whether a table of three columns is that of UCSC: alias, name at UCSC, source. Default: if a line has several sources. */
  readonly isChromAlias?: boolean;
}

/**
 * Parses a table of aliases: lines of three tab-separated columns, which are the name or digest of a sequence, its alias, and
 * the naming authority. Skips blank lines and lines that begin with `#`. Also parses NCBI assembly reports
 * (`*_assembly_report.txt`) and the `chromAlias.txt` of UCSC, which it recognises by the line that names their columns. Throws
 * INVALID_ALIASES for any other line and for a naming authority that an identifier cannot contain.
 *
 * @example
 * parseAliasTable(new TextEncoder().encode('chrM\tMT\tncbi\n'));
 * // [{ sequence: 'chrM', alias: 'MT', namingAuthority: 'ncbi' }]
 */
export function parseAliasTable(bytes: Uint8Array, { isChromAlias = false }: AliasTableOptions = {}): AliasRow[] {
  const lines = [...textLines(bytes)].filter(({ line }) => line.trimEnd() !== '');
  const chromAliases = parseChromAlias(lines, isChromAlias);
  if (chromAliases !== undefined) return chromAliases;
  const rows: AliasRow[] = [];
  let columns: ReportColumns | undefined;
  for (const { line, offset } of lines) {
    if (line.startsWith('#')) columns ??= parseReportHeader(line);
    else if (columns !== undefined) rows.push(...parseReportLine(line.trimEnd(), columns));
    else rows.push(parseAliasLine(line.trimEnd(), offset));
  }
  return rows;
}

/** Yields the lines of UTF-8 text with the offset of each, without their line ends. */
export function* textLines(bytes: Uint8Array): Generator<TableLine, void> {
  for (let offset = 0; offset < bytes.length; ) {
    const lineFeed = bytes.indexOf(0x0a, offset);
    const end = lineFeed === -1 ? bytes.length : lineFeed;
    yield { line: decodeText(bytes, offset, end).replace(/^\ufeff|\r$/g, ''), offset };
    offset = end + 1;
  }
}

function parseAliasLine(line: string, offset: number): AliasRow {
  const columns = line.split('\t').map((column) => column.trim());
  const [sequence, alias, namingAuthority] = columns;
  if (!sequence || !alias || !namingAuthority || columns.length > 3) {
    const message = `expected three columns (name or digest, alias, naming authority), found ${columns.length}`;
    throw new SequenceSourceError('INVALID_ALIASES', message, { offset });
  }
  try {
    checkNamingAuthority(namingAuthority);
  } catch (cause) {
    const message = `"${namingAuthority}" is not a valid naming authority`;
    throw new SequenceSourceError('INVALID_ALIASES', message, { offset, cause });
  }
  return { sequence, alias, namingAuthority };
}

function parseReportHeader(line: string): ReportColumns | undefined {
  if (!line.startsWith(REPORT_HEADER_START)) return undefined;
  const names = line.trimEnd().slice('# '.length).split('\t');
  return new Map(names.map((name, index) => [name, index]));
}

/**
 * Returns the aliases that a line of an assembly report gives to a sequence, for any of its names in the file: GenBank
 * accessions (`insdc`), RefSeq accessions (`refseq`) and UCSC names (`ucsc`). If GenBank and RefSeq have different
 * sequences, neither accession is an alias of the other, nor of the plain name.
 */
function parseReportLine(line: string, columns: ReportColumns): AliasRow[] {
  const values = line.split('\t');
  const listed = (column: string): string[] => {
    const value = values[columns.get(column) ?? -1]?.trim() ?? '';
    return value === '' || value === 'na' ? [] : [value];
  };
  const insdc = listed('GenBank-Accn').map((alias) => ({ alias, namingAuthority: 'insdc' }));
  const refseq = listed('RefSeq-Accn').map((alias) => ({ alias, namingAuthority: 'refseq' }));
  const ucsc = listed('UCSC-style-name').map((alias) => ({ alias, namingAuthority: 'ucsc' }));
  const names = [...listed('Sequence-Name'), ...ucsc.map(({ alias }) => alias)];
  const all = [...new Set([...names, ...[...insdc, ...refseq].map(({ alias }) => alias)])];
  const isSame = listed('Relationship').includes('=');
  const groups = isSame ? [[...insdc, ...refseq, ...ucsc]] : [insdc, refseq, ucsc];
  const [length] = listed('Sequence-Length').map(Number);
  return groups.flatMap((aliases) => {
    const isNamed = isSame || aliases === ucsc || insdc.length + refseq.length === 1;
    const keys = new Set([...aliases.map(({ alias }) => alias), ...(isNamed ? names : [])]);
    const sequence = [...keys];
    return aliases.map((alias) => ({ sequence, names: all, ...alias, length }));
  });
}

/**
 * Parses the MD5 of each sequence, in lower case and by name, from a SAM header such as the `.dict` that accompanies a FASTA
 * (SAMv1 §1.3, `SN` and `M5` of `@SQ`). Skips lines without either field.
 *
 * @example
 * const expected = parseDictionaryDigests(await readFile('genome.dict'));
 * const sequences = await openTwoBit({ data: fileSource('genome.2bit'), expected });
 */
export function parseDictionaryDigests(bytes: Uint8Array): Map<string, string> {
  const digests = new Map<string, string>();
  for (const { line } of textLines(bytes)) {
    if (!line.startsWith('@SQ\t')) continue;
    const name = /\tSN:([^\t]+)/.exec(line)?.[1];
    const md5 = /\tM5:([0-9a-f]{32})(?:\t|$)/i.exec(line)?.[1];
    if (name !== undefined && md5 !== undefined) digests.set(name, md5.toLowerCase());
  }
  return digests;
}
