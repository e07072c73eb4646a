import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { type AlignmentColumnField, type AlignmentColumns, AlignmentRecord } from '@htskit/formats';
import type { ByteSource } from '@htskit/io';
import { memorySource } from '@htskit/storage/memory';
import { expectations, fixtureNames, fixturePath } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { buildHeader, buildRecord, join } from '../../formats/test/bam/build-bam.js';
import { type Row, rowOf, rowsOf } from '../../formats/test/bam/columns/column-rows.js';
import { type AlignmentFile, openAlignments } from '../src/index.js';
import { genomeReference } from './genome-reference.js';

const FIELDS = [
  'referenceId',
  'start',
  'end',
  'flags',
  'mappingQuality',
  'mateReferenceId',
  'mateStart',
  'templateLength',
  'names',
  'cigar',
  'sequence',
  'qualities',
  'mismatches',
] as const;
const options = { reference: genomeReference, onWarning: () => undefined };

/** Returns a BAM file of four reads of 2 million bases, three MiB each. */
function bamOfLongReads(): ByteSource {
  const header = buildHeader('@SQ\tSN:chr1\tLN:10\n', [['chr1\0', 10]]);
  const read = buildRecord({ baseCount: 2 * 2 ** 20 });
  const data = join([header, read, read, read, read]);
  return memorySource(join([deflateBlocks(data), EOF_MARKER]));
}

/** Returns the names of all tags that the records of a file have. */
async function tagsOf(file: AlignmentFile): Promise<string[]> {
  const names = new Set<string>();
  for await (const record of file.records()) for (const { name } of record.tags()) names.add(name);
  return [...names];
}

async function viewedRows(file: AlignmentFile, tags: readonly string[], ...regions: string[]): Promise<Row[]> {
  const rows: Row[] = [];
  const record = new AlignmentRecord();
  for await (const bytes of file.recordBytes(regions.length > 0 ? regions : undefined)) {
    for (let at = 0; at < bytes.length; at = record.byteEnd) rows.push(rowOf(record.at(bytes, at), tags));
  }
  return rows;
}

describe.each([...fixtureNames('.bam'), ...fixtureNames('.cram')])('%s', (name) => {
  const { recordCount, regions } = expectations(name);

  test('has the same values in columns and in records', async () => {
    const file = await openAlignments(fixturePath(name), options);
    const tags = await tagsOf(file);
    const rows: Row[] = [];
    const maxRecords = Math.max(1, Math.ceil(recordCount / 3));
    for await (const batch of file.columns(undefined, { fields: FIELDS, tags, maxRecords })) {
      expect(batch.length).toBeLessThanOrEqual(maxRecords);
      rows.push(...rowsOf(batch));
    }
    expect(rows).toEqual(await viewedRows(file, tags));
    expect(rows).toHaveLength(recordCount);
    await file.close();
  });

  test('has the same values of a region', async () => {
    const [region] = regions;
    if (region === undefined) return;
    const { referenceName, start, end } = region;
    const file = await openAlignments(fixturePath(name), options);
    const rows: Row[] = [];
    for await (const batch of file.columns({ referenceName, start, end }, { fields: FIELDS }))
      rows.push(...rowsOf(batch));
    const text = `${referenceName}:${start + 1}-${end}`;
    expect(rows).toEqual(await viewedRows(file, [], text));
    await file.close();
  });
});

/** Returns the only batch of the first 100 reads of chr1. */
async function firstBatch<Field extends AlignmentColumnField>(
  ...fields: readonly Field[]
): Promise<AlignmentColumns<Field, 'NM' | 'RG'>> {
  const file = await openAlignments(fixturePath('reads.bam'));
  for await (const batch of file.columns('chr1', { fields, tags: ['NM', 'RG'], maxRecords: 100 })) {
    await file.close();
    return batch;
  }
  throw new Error('expected a batch');
}

/** Returns all typed arrays of a batch. */
function arraysOf(value: unknown): Uint8Array[] {
  if (ArrayBuffer.isView(value)) return [value as Uint8Array];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(arraysOf) : [];
}

test('a batch is transferred as it is: each array has memory of its own, as long as the array', async () => {
  const batch = await firstBatch(...FIELDS);
  const rows = rowsOf(batch);
  const arrays = arraysOf(batch);
  expect(arrays.length).toBeGreaterThan(25);
  expect(new Set(arrays.map(({ buffer }) => buffer)).size).toBe(arrays.length);
  for (const { buffer, byteLength } of arrays) expect(buffer.byteLength).toBe(byteLength);
  const moved = structuredClone(batch, { transfer: arrays.map(({ buffer }) => buffer as ArrayBuffer) });
  expect(rowsOf(moved)).toEqual(rows);
  expect(arrays.every(({ byteLength }) => byteLength === 0)).toBe(true);
});

test('a batch has the columns of the requested fields and tags, and no others', async () => {
  expect(Object.keys(await firstBatch('flags', 'start'))).toEqual(['length', 'flags', 'start', 'tags']);
  expect(Object.keys((await firstBatch('start')).tags)).toEqual(['NM', 'RG']);
});

test('ends batches of long reads before maxRecords', async () => {
  const file = await openAlignments(bamOfLongReads());
  const lengths: number[] = [];
  for await (const { length } of file.columns(undefined, { fields: ['start'] })) lengths.push(length);
  expect(lengths).toEqual([3, 1]);
});

test.each([0, -1, 1.5, Number.NaN])('rejects %d as maxRecords', async (maxRecords) => {
  const file = await openAlignments(fixturePath('reads.bam'));
  expect(() => file.columns(undefined, { fields: [], maxRecords })).toThrow(RangeError);
  await file.close();
});

test('fails as records do for an unknown reference', async () => {
  const file = await openAlignments(fixturePath('reads.bam'));
  await expect(file.columns('chrX', { fields: ['start'] }).next()).rejects.toMatchObject({ code: 'UNKNOWN_REFERENCE' });
  await file.close();
});
