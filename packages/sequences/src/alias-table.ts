import type { AliasRow } from './alias-row.js';
import { parseReportHeader, parseReportLine, type ReportColumns } from './assembly-report.js';
import { checkNamingAuthority } from './naming.js';
import { SequenceSourceError } from './sequence-source-error.js';

/**
 * Parses a table of aliases: lines of three columns separated by tabs, which are the name or digest of a sequence, its
 * alias, and who gave it that. Blank lines and those that begin with `#` are passed over. An NCBI assembly report, which
 * has a line of its own that names the columns, is such a table, too; see `parseReportLine`. Throws INVALID_ALIASES for any
 * other line, and for a naming authority whose identifiers could not be asked for.
 */
export function parseAliasTable(bytes: Uint8Array): AliasRow[] {
  const rows: AliasRow[] = [];
  const decoder = new TextDecoder('utf-8');
  let columns: ReportColumns | undefined;
  for (let offset = 0; offset < bytes.length; ) {
    const lineFeed = bytes.indexOf(0x0a, offset);
    const end = lineFeed === -1 ? bytes.length : lineFeed;
    const line = decoder.decode(bytes.subarray(offset, end)).trimEnd();
    if (line.startsWith('#')) columns ??= parseReportHeader(line);
    else if (line !== '')
      rows.push(...(columns === undefined ? [parseRow(line, offset)] : parseReportLine(line, columns)));
    offset = end + 1;
  }
  return rows;
}

function parseRow(line: string, offset: number): AliasRow {
  const columns = line.split('\t').map((column) => column.trim());
  const [sequence, alias, namingAuthority] = columns;
  if (!sequence || !alias || !namingAuthority || columns.length > 3) {
    const message = 'a line of aliases has three columns: name or digest, alias, naming authority';
    throw new SequenceSourceError('INVALID_ALIASES', message, { offset });
  }
  try {
    checkNamingAuthority(namingAuthority);
  } catch (cause) {
    throw new SequenceSourceError('INVALID_ALIASES', `${namingAuthority} gives no aliases`, { offset, cause });
  }
  return { sequence, alias, namingAuthority };
}
