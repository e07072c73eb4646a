import type { VariantColumnField } from '@htskit/formats';
import { GrowingVariants, VcfSite } from '@htskit/formats/internal';
import type { VariantFile } from '@htskit/records';
import { readVariantColumns } from '@htskit/records/internal';
import type { Table, TableBatch } from './table.js';

/** The columns of tables of variants, in their order. */
const FIELDS = [
  'referenceId',
  'start',
  'end',
  'ids',
  'alleles',
  'quality',
  'filters',
] as const satisfies VariantColumnField[];

/** Returns records as a table that has a column for each of the keys of INFO. */
export function createVariantTable(
  records: AsyncGenerator<Uint8Array, void>,
  file: VariantFile,
  info: readonly string[],
): Table {
  return { name: 'variants', batches: variantBatches(records, file, info), references: file.header.contigs.entries };
}

async function* variantBatches(
  records: AsyncGenerator<Uint8Array, void>,
  { format, header }: VariantFile,
  info: readonly string[],
): AsyncGenerator<TableBatch, void> {
  const request = { fields: FIELDS, info };
  let isEmpty = true;
  for await (const batch of readVariantColumns(
    { header, store: { format, read: () => records } },
    undefined,
    request,
  )) {
    isEmpty = false;
    yield batch;
  }
  if (isEmpty) yield new GrowingVariants(header, (...parts) => new VcfSite(...parts), request).take();
}
