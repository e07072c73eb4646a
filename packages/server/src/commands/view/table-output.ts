import type { AlignmentFile } from '@htskit/records';
import { UsageError } from '../../usage-error.js';
import type { OutputPart, TableFormat } from './output-format.js';
import { type ReadTable, readTableBatches } from './read-table.js';

/** How a table is written. */
export interface TableOutput {
  readonly file: AlignmentFile;
  readonly format: TableFormat;
  readonly part: OutputPart;
  /** The path of the output. */
  readonly output: string;
}

/** Returns reads as the bytes of a table. Throws UsageError for a header, which tables have no place for. */
export function writeTable(
  records: AsyncGenerator<Uint8Array, void>,
  { file, format, part, output }: TableOutput,
): AsyncGenerator<Uint8Array, void> {
  if (part !== 'records') throw new UsageError(`${format} holds no header; choose SAM or BAM for it`);
  const table = { batches: readTableBatches(records), references: file.references };
  return format === 'parquet' ? parquet(table) : arrow(table, { isFile: output.toLowerCase().endsWith('.arrow') });
}

// Each library is loaded when it is needed.

async function* parquet(table: ReadTable): AsyncGenerator<Uint8Array, void> {
  const { writeParquet } = await import('./parquet-output.js');
  yield* writeParquet(table);
}

async function* arrow(table: ReadTable, options: { readonly isFile: boolean }): AsyncGenerator<Uint8Array, void> {
  const { writeArrow } = await import('./arrow-output.js');
  yield* writeArrow(table, options);
}
