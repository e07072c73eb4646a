import type { ListColumn } from '@htskit/formats';
import { decodeText } from '@htskit/io';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { ReadTable } from './table-output.js';

type Columns = ReadTable['batches'] extends AsyncIterable<infer Batch> ? Batch : never;
type Schema = ConstructorParameters<typeof ParquetWriter>[0]['schema'];
type SchemaElement = Schema[number];

const text = (name: string, isNullable = false): SchemaElement => ({
  name,
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  repetition_type: isNullable ? 'OPTIONAL' : 'REQUIRED',
});
const integer = (name: string, type: 'INT_32' | 'UINT_8' | 'UINT_16' | 'UINT_32' = 'INT_32'): SchemaElement => ({
  name,
  type: 'INT32',
  converted_type: type,
  repetition_type: 'REQUIRED',
});

/** The columns, of which `cigar` is a list. */
const FIELDS: Schema = [
  text('names'),
  integer('flags', 'UINT_16'),
  text('reference', true),
  integer('start'),
  integer('end'),
  integer('mappingQuality', 'UINT_8'),
  { name: 'cigar', converted_type: 'LIST', repetition_type: 'REQUIRED', num_children: 1 },
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  integer('element', 'UINT_32'),
  text('mateReference', true),
  integer('mateStart'),
  integer('templateLength'),
  text('sequence'),
  { name: 'qualities', type: 'BYTE_ARRAY', repetition_type: 'OPTIONAL' },
];
/** The parts of the list `cigar`. */
const NESTED_ELEMENTS = 2;
const SCHEMA: Schema = [{ name: 'reads', num_children: FIELDS.length - NESTED_ELEMENTS }, ...FIELDS];

/** Yields a table as a file of Parquet, a group of rows for each batch. */
export async function* writeParquet({ batches, references }: ReadTable): AsyncGenerator<Uint8Array, void> {
  const writer = new ByteWriter();
  const parquet = new ParquetWriter({ writer, schema: SCHEMA });
  const take = (): Uint8Array => {
    const bytes = writer.getBytes().slice();
    writer.index = 0;
    return bytes;
  };
  const names = references.map(({ name }) => name);
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    await parquet.write({ columnData: columnData(batch, names), rowGroupSize: batch.length });
    yield take();
  }
  await parquet.finish();
  yield take();
}

function columnData(
  batch: Columns,
  references: readonly string[],
): Parameters<ParquetWriter['write']>[0]['columnData'] {
  const namesOf = (ids: Int32Array): (string | undefined)[] => Array.from(ids, (id) => references[id]);
  return [
    { name: 'names', data: listsOf(batch.names, decodeBytes) },
    { name: 'flags', data: Int32Array.from(batch.flags) },
    { name: 'reference', data: namesOf(batch.referenceId) },
    { name: 'start', data: batch.start },
    { name: 'end', data: batch.end },
    { name: 'mappingQuality', data: batch.mappingQuality },
    { name: 'cigar', data: listsOf(batch.cigar, (operations) => Array.from(operations)) },
    { name: 'mateReference', data: namesOf(batch.mateReferenceId) },
    { name: 'mateStart', data: batch.mateStart },
    { name: 'templateLength', data: batch.templateLength },
    { name: 'sequence', data: listsOf(batch.sequence, decodeBytes) },
    { name: 'qualities', data: listsOf(batch.qualities, (scores) => scores) },
  ];
}

function decodeBytes(bytes: Uint8Array): string {
  return decodeText(bytes);
}

/** Returns the value of each record; undefined for a record without one. */
function listsOf<Values extends Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer>, Value>(
  { offsets, values, validity }: ListColumn<Values>,
  toValue: (values: Values) => Value,
): (Value | undefined)[] {
  return Array.from({ length: offsets.length - 1 }, (_, i) => {
    const isValid = validity === undefined || ((validity[i >> 3] ?? 0) & (1 << (i % 8))) !== 0;
    return isValid ? toValue(values.subarray(offsets[i], offsets[i + 1]) as Values) : undefined;
  });
}
