import { type AliasRow, isNamingAuthority, type TableLine } from './alias-row.js';
import { SequenceSourceError } from './sequence-source-error.js';

/** A name of a sequence and the authority that gave it. */
type Name = Pick<AliasRow, 'alias' | 'namingAuthority'>;

/** The columns of UCSC. A table of names by authority has some of them. */
const KNOWN_COLUMNS = ['ucsc', 'genbank', 'refseq', 'assembly', 'ensembl', 'ncbi'];
/** The first line of the older table, if it has one. */
const OLD_HEADER = /^#\s*alias\tchrom\tsource\s*$/i;

/**
 * Parses a `chromAlias.txt` of UCSC: either a table with a column of names for each authority, which its first line lists
 * (`# ucsc  assembly  genbank …`), or the older table of alias, name at UCSC, and the sources of the alias, separated by
 * commas. GenBank is the authority `insdc`. Returns undefined for any other table. Throws INVALID_ALIASES.
 */
export function parseChromAlias(lines: readonly TableLine[], isChromAlias: boolean): AliasRow[] | undefined {
  // Comments of other tables may mention one of the columns.
  const leastKnown = isChromAlias ? 1 : 2;
  for (const { line, offset } of lines) {
    const authorities = parseColumns(line, leastKnown);
    if (authorities !== undefined) return parseColumnTable(lines, authorities, offset);
  }
  const isOld = isChromAlias || lines.some(({ line }) => OLD_HEADER.test(line) || hasSeveralSources(line));
  return isOld ? parseOldTable(lines) : undefined;
}

/** Returns the authorities that a line names as columns, or undefined for any other line. */
function parseColumns(line: string, leastKnown: number): string[] | undefined {
  if (!line.startsWith('# ')) return undefined;
  const columns = line.slice(2).split('\t').map(toAuthority);
  const isHeader = columns.length > 1 && columns.every(isNamingAuthority);
  const known = columns.filter((column) => column === 'insdc' || KNOWN_COLUMNS.includes(column));
  return isHeader && known.length >= leastKnown ? columns : undefined;
}

function parseColumnTable(lines: readonly TableLine[], authorities: readonly string[], start: number): AliasRow[] {
  return lines.flatMap(({ line, offset }) => {
    if (line.startsWith('#') || offset < start) return [];
    const values = line.split('\t').map((value) => value.trim());
    if (values.length > authorities.length) {
      throw invalid(`expected at most ${authorities.length} columns, found ${values.length}`, offset);
    }
    return toRows(
      values.flatMap((alias, column) => {
        const namingAuthority = authorities[column];
        return alias === '' || namingAuthority === undefined ? [] : [{ alias, namingAuthority }];
      }),
    );
  });
}

function hasSeveralSources(line: string): boolean {
  return !line.startsWith('#') && /^[^\t]+\t[^\t]+\t[\w.-]+(,[\w.-]+)+\s*$/.test(line);
}

function parseOldTable(lines: readonly TableLine[]): AliasRow[] {
  const byChrom = new Map<string, Name[]>();
  for (const { line, offset } of lines) {
    if (line.startsWith('#')) continue;
    const values = line.split('\t').map((value) => value.trim());
    const [alias, chrom, sources] = values;
    if (!alias || !chrom || !sources || values.length > 3) {
      throw invalid(`expected three columns (alias, chrom, source), found ${values.length}`, offset);
    }
    const names = byChrom.get(chrom) ?? [{ alias: chrom, namingAuthority: 'ucsc' }];
    for (const namingAuthority of sources.split(',').map(toAuthority)) {
      if (!isNamingAuthority(namingAuthority)) throw invalid(`"${sources}" is not a list of sources`, offset);
      names.push({ alias, namingAuthority });
    }
    byChrom.set(chrom, names);
  }
  return [...byChrom.values()].flatMap(toRows);
}

/** Returns a row for each name: whichever of them the file uses, its sequence gets all of them as aliases. */
function toRows(names: readonly Name[]): AliasRow[] {
  const sequence = [...new Set(names.map(({ alias }) => alias))];
  return names.map((name) => ({ sequence, ...name }));
}

function toAuthority(source: string): string {
  const name = source.trim().toLowerCase();
  return name === 'genbank' ? 'insdc' : name;
}

function invalid(message: string, offset: number): SequenceSourceError {
  return new SequenceSourceError('INVALID_ALIASES', message, { offset });
}
