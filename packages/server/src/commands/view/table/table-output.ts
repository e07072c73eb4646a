import type { VariantFile } from '@htskit/records';
import { UsageError } from '../../../usage-error.js';
import { isAlignments, type TableFormat, type ViewedFile } from '../output-format.js';
import { createReadTable } from './read-table.js';
import type { Table } from './table.js';
import { parseTypedTag } from './typed-tag.js';
import { createVariantTable } from './variant-table.js';

/** How a table is written. */
export interface TableOutput {
  readonly file: ViewedFile;
  readonly format: TableFormat;
  /** Whether a header was requested. */
  readonly hasHeader: boolean;
  /** Tags of reads with their types, or keys of INFO: each has a column. */
  readonly tags: readonly string[];
  /** The path of the output. */
  readonly output: string;
}

/** Returns records as the bytes of a table. Throws UsageError for a header, which tables have no place for, and for invalid tags. */
export function writeTable(
  records: AsyncGenerator<Uint8Array, void>,
  { file, format, hasHeader, tags, output }: TableOutput,
): AsyncGenerator<Uint8Array, void> {
  if (hasHeader) {
    throw new UsageError(
      `${format} holds no header; choose ${isAlignments(file) ? 'SAM or BAM' : 'VCF or BCF'} for it`,
    );
  }
  const table = isAlignments(file)
    ? createReadTable(records, file, tags.map(parseTypedTag))
    : createVariantTable(records, file, checkKeys(file, tags));
  return format === 'parquet' ? parquet(table) : arrow(table, { isFile: output.toLowerCase().endsWith('.arrow') });
}

/** Returns keys of INFO. Throws UsageError for one that the header does not declare. */
function checkKeys({ header, format }: VariantFile, keys: readonly string[]): readonly string[] {
  const unknown = keys.find((key) => header.strings.byName.get(key)?.info === undefined);
  if (unknown === undefined) return keys;
  throw new UsageError(`the ${format} header declares no INFO ${JSON.stringify(unknown)}`);
}

// Each library is loaded when it is needed.

async function* parquet(table: Table): AsyncGenerator<Uint8Array, void> {
  const { writeParquet } = await import('./parquet-output.js');
  yield* writeParquet(table);
}

async function* arrow(table: Table, options: { readonly isFile: boolean }): AsyncGenerator<Uint8Array, void> {
  const { writeArrow } = await import('./arrow-output.js');
  yield* writeArrow(table, options);
}
