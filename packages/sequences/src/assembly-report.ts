import type { AliasRow } from './alias-row.js';

/** Where the columns of an assembly report stand, by their names. */
export type ReportColumns = ReadonlyMap<string, number>;

/** The line that names the columns is the last one that begins with `#`. */
const HEADER_START = '# Sequence-Name\t';

/** The columns that a line names, if it is the one of an NCBI assembly report that does (`*_assembly_report.txt`). */
export function parseReportHeader(line: string): ReportColumns | undefined {
  if (!line.startsWith(HEADER_START)) return undefined;
  const names = line.slice(2).split('\t');
  return new Map(names.map((name, rank) => [name, rank]));
}

/**
 * The aliases that a line of an assembly report gives to a sequence, whichever of its names stands in the file: GenBank
 * accessions (`insdc`), RefSeq accessions (`refseq`) and UCSC names (`ucsc`), of a sequence that is as long as the report
 * says. Where GenBank and RefSeq have different sequences, neither accession is an alias of the other, nor of a name.
 */
export function parseReportLine(line: string, columns: ReportColumns): AliasRow[] {
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
    return [...keys].flatMap((sequence) => aliases.map((alias) => ({ sequence, names: all, ...alias, length })));
  });
}
