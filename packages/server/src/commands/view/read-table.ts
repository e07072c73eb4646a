import type { AlignmentColumnField, AlignmentColumns } from '@htskit/formats';
import { BamColumns } from '@htskit/formats/internal';
import type { AlignmentFile } from '@htskit/records';
import { fillColumns } from '@htskit/records/internal';

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

/** The columns of a batch of reads. */
export type ReadColumns = AlignmentColumns<(typeof FIELDS)[number]>;

/** Reads as a table. */
export interface ReadTable {
  /** At least one, which may have no rows. */
  readonly batches: AsyncIterable<ReadColumns>;
  readonly references: AlignmentFile['references'];
}

/** Records of a batch: a group of rows of Parquet. */
const MAX_RECORDS = 65_536;
const MAX_BYTES = 2 ** 23;

/** Yields the batches of a table, at least one. */
export async function* readTableBatches(records: AsyncGenerator<Uint8Array, void>): AsyncGenerator<ReadColumns, void> {
  const request = { fields: FIELDS, maxRecords: MAX_RECORDS, maxBytes: MAX_BYTES };
  let isEmpty = true;
  for await (const batch of fillColumns({ read: () => records }, undefined, request)) {
    isEmpty = false;
    yield batch;
  }
  if (isEmpty) yield new BamColumns(request).take();
}
