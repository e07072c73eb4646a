import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import {
  bytesColumn,
  infoColumn,
  listColumn,
  numberColumn,
  type ParquetColumn,
  structColumn,
  tagColumn,
  textColumn,
  textListColumn,
  textsOf,
} from './parquet-columns.js';
import type { Table, TableBatch } from './table.js';

/** Yields a table as a file of Parquet, a group of rows for each batch. */
export async function* writeParquet({ name, batches, references }: Table): AsyncGenerator<Uint8Array, void> {
  const writer = new ByteWriter();
  const take = (): Uint8Array => {
    const bytes = writer.getBytes().slice();
    writer.index = 0;
    return bytes;
  };
  const names = references.map((reference) => reference?.name);
  let parquet: ParquetWriter | undefined;
  for await (const batch of batches) {
    const columns = toColumns(batch, names);
    const schema = [{ name, num_children: columns.length }, ...columns.flatMap((column) => column.schema)];
    parquet ??= new ParquetWriter({ writer, schema });
    if (batch.length === 0) continue;
    const columnData = columns.map((column) => ({ name: column.name, data: column.data }));
    await parquet.write({ columnData, rowGroupSize: batch.length });
    yield take();
  }
  await parquet?.finish();
  yield take();
}

/** Returns the columns of a batch, in the order of its fields. */
function toColumns(batch: TableBatch, references: readonly (string | undefined)[]): ParquetColumn[] {
  const { length, tags = {}, info = {} } = batch;
  return Object.keys(batch).flatMap((name) => {
    if (name === 'tags')
      return Object.entries(tags).flatMap(([tag, column]) => (column ? [tagColumn(tag, column)] : []));
    if (name === 'info') {
      const keys = Object.entries(info).map(([key, column]) => infoColumn(key, column));
      return [structColumn(name, keys, length)];
    }
    return toListColumn(batch, name) ?? toNumberColumn(batch, name, references) ?? [];
  });
}

/** Returns the column of a field that has values of any number for each record. */
function toListColumn(batch: TableBatch, name: string): ParquetColumn | undefined {
  const { alleles, cigar, filters, ids, names, qualities, sequence } = batch;
  if (name === 'alleles' && alleles) return textListColumn(name, alleles);
  if (name === 'cigar' && cigar) return listColumn(name, cigar);
  if (name === 'filters' && filters) return textColumn(name, textsOf(filters), true);
  if (name === 'ids' && ids) return textColumn(name, textsOf(ids), true);
  if (name === 'names' && names) return textColumn(name, textsOf(names));
  if (name === 'qualities' && qualities) return bytesColumn(name, qualities);
  return name === 'sequence' && sequence ? textColumn(name, textsOf(sequence)) : undefined;
}

/** Returns the column of a field that has a number for each record. Numbers of references become their names. */
function toNumberColumn(
  batch: TableBatch,
  name: string,
  references: readonly (string | undefined)[],
): ParquetColumn | undefined {
  const values = batch[name as keyof TableBatch];
  if (name === 'quality' && batch.quality) return numberColumn(name, batch.quality, true);
  if (values instanceof Int32Array && name.toLowerCase().endsWith('referenceid')) {
    const names = Array.from(values, (id) => references[id]);
    return textColumn(name.slice(0, -'Id'.length), names, true);
  }
  const isNumbers = values instanceof Int32Array || values instanceof Uint16Array || values instanceof Uint8Array;
  return isNumbers ? numberColumn(name, { values }) : undefined;
}
