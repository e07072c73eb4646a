import type { AlignmentColumnField, AlignmentColumns } from '@htskit/formats';
import { BamColumns } from '@htskit/formats/internal';
import type { AlignmentFile } from '@htskit/records';
import { fillColumns } from '@htskit/records/internal';
import type { Table, TableBatch } from './table.js';
import { type TypedTag, toTypedColumn } from './typed-tag.js';

/** The columns of tables of reads, in their order. */
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

/** Records of a batch: a group of rows of Parquet. */
const MAX_RECORDS = 65_536;
const MAX_BYTES = 2 ** 23;

/** Returns records as a table that has a column for each of the tags. */
export function createReadTable(
  records: AsyncGenerator<Uint8Array, void>,
  { references }: AlignmentFile,
  tags: readonly TypedTag[],
): Table {
  return { name: 'reads', batches: readBatches(records, tags), references };
}

async function* readBatches(
  records: AsyncGenerator<Uint8Array, void>,
  tags: readonly TypedTag[],
): AsyncGenerator<TableBatch, void> {
  const names = tags.map(({ name }) => name);
  const request = { fields: FIELDS, tags: names, maxRecords: MAX_RECORDS, maxBytes: MAX_BYTES };
  let isEmpty = true;
  for await (const batch of fillColumns({ read: () => records }, undefined, request)) {
    isEmpty = false;
    yield withTypes(batch, tags);
  }
  if (isEmpty) yield withTypes(new BamColumns(request).take(), tags);
}

/** Returns a batch whose columns of tags have the same types as in other batches. */
function withTypes(batch: AlignmentColumns<(typeof FIELDS)[number], string>, tags: readonly TypedTag[]): TableBatch {
  const columns = tags.map((tag) => [tag.name, toTypedColumn(tag, batch.tags[tag.name], batch.length)] as const);
  return { ...batch, tags: Object.fromEntries(columns) };
}
