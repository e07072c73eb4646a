import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { type AlignmentColumnField, type AlignmentColumns, createSamToBam } from '@htskit/formats';
import { type ByteSource, concatBytes, decodeText, peek } from '@htskit/io';
import { memorySource } from '@htskit/storage/memory';
import { expectations, fixtureNames, fixturePath } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { type AlignmentFile, openAlignments } from '../../src/index.js';
import { genomeReference } from '../genome-reference.js';

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
  const bases = 'A'.repeat(2 * 2 ** 20);
  const converter = createSamToBam({ text: '', references: [] });
  const pieces = [
    converter.header,
    ...converter.push(Buffer.from(`r\t4\t*\t0\t0\t*\t*\t0\t0\t${bases}\t*\n`.repeat(4))),
  ];
  return memorySource(Buffer.concat([deflateBlocks(concatBytes(pieces.map(peek))), EOF_MARKER]));
}

/** Columns whose values are compared. */
interface Compared extends AlignmentColumns<'start' | 'flags' | 'names' | 'sequence' | 'cigar'> {}

/** Returns values of each record of a batch as text. */
function rowsOf({ length, start, flags, names, sequence, cigar }: Compared): string[] {
  const part = ({ offsets, values }: { offsets: Int32Array; values: Uint8Array }, i: number): string =>
    decodeText(values.subarray(offsets[i], offsets[i + 1]));
  return Array.from({ length }, (_, i) => {
    const operations = cigar.values.subarray(cigar.offsets[i], cigar.offsets[i + 1]);
    const lengths = Array.from(operations, (operation) => operation >>> 4);
    return [start[i], flags[i], part(names, i), part(sequence, i), ...lengths].join(' ');
  });
}

async function viewedRows(file: AlignmentFile, ...regions: string[]): Promise<string[]> {
  const rows: string[] = [];
  for await (const { start, flags, name, sequence, cigar } of file.records(regions.length > 0 ? regions : undefined)) {
    rows.push([start, flags, name, sequence, ...cigar.map(({ length }) => length)].join(' '));
  }
  return rows;
}

describe.each([...fixtureNames('.bam'), ...fixtureNames('.cram')])('%s', (name) => {
  const { recordCount, regions } = expectations(name);

  test('has the same values in columns and in records', async () => {
    const file = await openAlignments(fixturePath(name), options);
    const rows: string[] = [];
    const maxRecords = Math.max(1, Math.ceil(recordCount / 3));
    for await (const batch of file.columns(undefined, { fields: FIELDS, maxRecords })) {
      expect(batch.length).toBeLessThanOrEqual(maxRecords);
      rows.push(...rowsOf(batch));
    }
    expect(rows).toEqual(await viewedRows(file));
    expect(rows).toHaveLength(recordCount);
    await file.close();
  });

  test('has the same values of a region', async () => {
    const [region] = regions;
    if (region === undefined) return;
    const { referenceName, start, end } = region;
    const file = await openAlignments(fixturePath(name), options);
    const rows: string[] = [];
    for await (const batch of file.columns({ referenceName, start, end }, { fields: FIELDS }))
      rows.push(...rowsOf(batch));
    const text = `${referenceName}:${start + 1}-${end}`;
    expect(rows).toEqual(await viewedRows(file, text));
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
  await expect(file.columns(undefined, { fields: [], maxRecords }).next()).rejects.toThrow(RangeError);
  await file.close();
});

test('fails as records do for an unknown reference', async () => {
  const file = await openAlignments(fixturePath('reads.bam'));
  await expect(file.columns('chrX', { fields: ['start'] }).next()).rejects.toMatchObject({ code: 'UNKNOWN_REFERENCE' });
  await file.close();
});
