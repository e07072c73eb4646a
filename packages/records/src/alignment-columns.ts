import type { AlignmentColumnField, AlignmentColumns } from '@htskit/formats';
import { BamColumns } from '@htskit/formats/internal';
import { peek } from '@htskit/io';
import type { Regions } from './region.js';
import {
  type ColumnRequest,
  checkMaxRecords,
  type ReadRecordsOptions,
  type RecordStore,
} from './stored/record-store.js';

/** How batches of alignments are read. */
export interface AlignmentColumnsOptions<Field extends AlignmentColumnField, Tag extends string = never>
  extends ReadRecordsOptions {
  /** The columns of a batch. */
  readonly fields: readonly Field[];
  /** The names of tags that have a column each. Default: none. */
  readonly tags?: readonly Tag[];
  /** The maximum number of records of a batch. Default: 65,536. A batch of long reads has fewer: it ends after 8 MiB of records. */
  readonly maxRecords?: number;
}

const DEFAULT_RECORDS = 65_536;
const MAX_BATCH_BYTES = 2 ** 23;

/** Yields the columns of the records that overlap regions, or of all records. */
export function readAlignmentColumns<Field extends AlignmentColumnField, Tag extends string>(
  store: Pick<RecordStore, 'read' | 'borrowAll' | 'columns'>,
  regions: Regions | undefined,
  { fields, tags, maxRecords = DEFAULT_RECORDS, ...options }: AlignmentColumnsOptions<Field, Tag>,
): AsyncGenerator<AlignmentColumns<Field, Tag>, void> {
  checkMaxRecords(maxRecords);
  const request = { ...options, fields, ...(tags !== undefined && { tags }), maxRecords, maxBytes: MAX_BATCH_BYTES };
  return store.columns?.(regions, request) ?? fillColumns(store, regions, request);
}

/** Fills columns from the BAM records of a store. */
export async function* fillColumns<Field extends AlignmentColumnField, Tag extends string>(
  store: Pick<RecordStore, 'read' | 'borrowAll'>,
  regions: Regions | undefined,
  request: ColumnRequest<Field, Tag>,
): AsyncGenerator<AlignmentColumns<Field, Tag>, void> {
  const columns = new BamColumns(request);
  const all = regions === undefined ? store.borrowAll?.(request) : undefined;
  for await (const piece of all ?? store.read(regions, { ...request, mayBeKept: true })) {
    const bytes = peek(piece);
    for (let at = 0; at < bytes.length; ) {
      at = columns.append(bytes, at);
      if (columns.isFull) yield columns.take();
    }
  }
  if (columns.length > 0) yield columns.take();
}
