import type { AlignmentColumnField, AlignmentColumns } from '@htskit/formats';
import { BamColumns } from '@htskit/formats/internal';
import type { AlignmentFile } from '@htskit/records';
import { fillColumns } from '@htskit/records/internal';
import { UsageError } from '../../usage-error.js';
import type { OutputPart, TableFormat } from './output-format.js';

/** The columns of tables, in their order. */
const FIELDS = [
  'names',
  'flags',
  'referenceId',
  'start',
  'end',
  'mappingQuality',
  'cigar',
  'mateReferenceId',
  'mateStart',
  'templateLength',
  'sequence',
  'qualities',
] as const satisfies AlignmentColumnField[];

type ReadColumns = AlignmentColumns<(typeof FIELDS)[number]>;

/** Reads as a table. */
export interface ReadTable {
  /** At least one, which may have no rows. */
  readonly batches: AsyncIterable<ReadColumns>;
  readonly references: AlignmentFile['references'];
}

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
  const table = { batches: columnsOf(records), references: file.references };
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

/** Records of a batch: a group of rows of Parquet. */
const MAX_RECORDS = 65_536;
const MAX_BYTES = 2 ** 23;

async function* columnsOf(records: AsyncGenerator<Uint8Array, void>): AsyncGenerator<ReadColumns, void> {
  const request = { fields: FIELDS, maxRecords: MAX_RECORDS, maxBytes: MAX_BYTES };
  let isEmpty = true;
  for await (const batch of fillColumns({ read: () => records }, undefined, request)) {
    isEmpty = false;
    yield batch;
  }
  if (isEmpty) yield new BamColumns(request).take();
}
