import { fixturePath } from '@htskit/testing';
import { tableFromIPC, tableToIPC, type Vector } from 'apache-arrow';
import { expect, test } from 'vitest';
import { type ArrowInput, toArrow } from '../src/arrow.js';
import { openAlignments } from '../src/index.js';

const FIELDS = [
  'referenceId',
  'start',
  'flags',
  'mappingQuality',
  'mateReferenceId',
  'names',
  'cigar',
  'sequence',
  'qualities',
  'mismatches',
] as const;
const TAGS = ['NM', 'RG', 'XX'] as const;

async function firstBatch(region: string) {
  const file = await openAlignments(fixturePath('reads.bam'));
  for await (const batch of file.columns(region, { fields: FIELDS, tags: TAGS, maxRecords: 50 })) {
    await file.close();
    return { batch, references: file.references };
  }
  throw new Error('expected a batch');
}

/** Returns the memory of all arrays of a vector. */
function memoryOf({ data }: Vector): ArrayBufferLike[] {
  const all = (part: (typeof data)[number]): unknown[] => [
    part.values,
    part.valueOffsets,
    ...part.children.flatMap(all),
  ];
  return data
    .flatMap(all)
    .flatMap((array) => (ArrayBuffer.isView(array) && array.byteLength > 0 ? [array.buffer] : []));
}

function arraysOf(value: unknown): ArrayBufferLike[] {
  if (ArrayBuffer.isView(value)) return [value.buffer];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(arraysOf) : [];
}

test('a table shares the memory of the columns', async () => {
  const { batch } = await firstBatch('chr1');
  const table = toArrow(batch);
  const shared = new Set(arraysOf(batch));
  const counts = table.schema.fields.map(({ name }) => {
    const vector = table.getChild(name);
    const memory = vector === null ? [] : memoryOf(vector);
    expect(memory.every((buffer) => shared.has(buffer))).toBe(true);
    return memory.length;
  });
  // Lists have offsets and values, mismatches six parts; the last column has nulls only.
  expect(counts).toEqual([1, 1, 1, 1, 1, 2, 2, 2, 2, 7, 1, 2, 0]);
});

test('a table has the values of the columns, also when it is read from a stream', async () => {
  const { batch } = await firstBatch('chr1');
  const table = tableFromIPC(tableToIPC(toArrow(batch), 'stream'));
  expect(table.numRows).toBe(batch.length);
  expect(table.schema.fields.map(({ name, type }) => `${name} ${String(type)}`)).toEqual([
    'referenceId Int32',
    'start Int32',
    'flags Uint16',
    'mappingQuality Uint8',
    'mateReferenceId Int32',
    'names Utf8',
    'cigar List<Uint32>',
    'sequence Utf8',
    'qualities List<Uint8>',
    'mismatches List<Struct<{position:Int32, readPosition:Int32, kind:Uint8, length:Uint32, base:Uint8, reference:Uint8}>>',
    'NM Int32',
    'RG Utf8',
    'XX Null',
  ]);
  const file = await openAlignments(fixturePath('reads.bam'));
  let row = 0;
  for await (const read of file.records('chr1')) {
    if (row === batch.length) break;
    const values = table.get(row++)?.toJSON();
    expect(values).toMatchObject({ start: read.start, flags: read.flags, names: read.name, sequence: read.sequence });
    expect(Array.from(values?.['cigar'] as Iterable<number>)).toHaveLength(read.cigar.length);
    expect(Array.from(values?.['mismatches'] as Iterable<unknown>)).toHaveLength([...read.mismatches()].length);
    expect([values?.['NM'], values?.['RG'], values?.['XX']]).toEqual([
      read.tag('NM') ?? null,
      read.tag('RG') ?? null,
      null,
    ]);
  }
  await file.close();
});

test('names of references are encoded by a dictionary, and null without a reference', async () => {
  const { batch, references } = await firstBatch('*');
  const unplaced = tableFromIPC(tableToIPC(toArrow(batch, { references }), 'stream'));
  expect(unplaced.getChild('reference')?.toJSON()).toEqual(Array.from({ length: batch.length }, () => null));
  const placed = await firstBatch('chr2');
  const table = tableFromIPC(tableToIPC(toArrow(placed.batch, { references }), 'stream'));
  expect(table.getChild('reference')?.toJSON()).toEqual(Array.from({ length: placed.batch.length }, () => 'chr2'));
  expect(table.schema.names).not.toContain('referenceId');
});

test('missing qualities and tags are null', () => {
  const offsets = Int32Array.of(0, 0, 2);
  const validity = Uint8Array.of(0b10);
  const batch: ArrowInput = {
    length: 2,
    qualities: { offsets, values: Uint8Array.of(30, 40), validity },
    tags: {
      XB: { type: 'array', offsets, values: Float32Array.of(0.5, 1), validity },
      XF: { type: 'number', values: Float64Array.of(0, 2.5), validity },
    },
  };
  const { schema, ...rest } = tableFromIPC(tableToIPC(toArrow(batch), 'stream'));
  expect(schema.fields.map(({ nullable }) => nullable)).toEqual([true, true, true]);
  const rows = rest.batches[0]?.toArray().map((row) => row?.toJSON());
  expect(JSON.parse(JSON.stringify(rows))).toEqual([
    { qualities: null, XB: null, XF: null },
    { qualities: [30, 40], XB: [0.5, 1], XF: 2.5 },
  ]);
});
