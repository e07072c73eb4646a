import type { ByteSource } from '@htskit/io';
import { memorySource } from '@htskit/storage/memory';
import { fixturePath, readFixture } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { openAlignments, openBam, openVariants, RecordsError } from '../src/index.js';
import { collect } from './expected-records.js';

const region = { referenceName: 'chr1', start: 30_000, end: 31_000 };
const sourceOf = (name: string): ReturnType<typeof memorySource> => memorySource(readFixture(name), { version: '1' });

test('rejects a region without an index, and reads all records without one', async () => {
  for (const name of ['reads.bam', 'v31.cram']) {
    const file = await openAlignments(sourceOf(name));
    await expect(file.count(region)).rejects.toMatchObject({ name: 'RecordsError', code: 'MISSING_INDEX' });
    expect(await file.count()).toBeGreaterThan(1000);
  }
});

test('rejects an unknown reference and suggests one', async () => {
  const file = await openAlignments(fixturePath('reads.bam'));
  const error = await file.count({ referenceName: '1' }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(RecordsError);
  expect(error).toMatchObject({
    code: 'UNKNOWN_REFERENCE',
    message: 'unknown reference "1"; did you mean "chr1"? (5 references: chr1, chr2, chrM, …)',
  });
  const variants = await openVariants(fixturePath('variants.vcf.gz'));
  await expect(variants.count({ referenceName: '*' })).rejects.toMatchObject({ code: 'UNKNOWN_REFERENCE' });
  await Promise.all([file.close(), variants.close()]);
});

test.each([[{ start: -1 }], [{ start: 2, end: 1 }], [{ start: 0.5 }], [{ end: Number.NaN }]])(
  'rejects the region %j',
  async (bounds) => {
    const file = await openAlignments(fixturePath('reads.bam'));
    await expect(file.count({ referenceName: 'chr1', ...bounds })).rejects.toMatchObject({ code: 'INVALID_REGION' });
    await file.close();
  },
);

test.each([
  ['chr1:5-4', 'region "chr1:5-4" ends before it begins'],
  ['chr1:0-4', 'region "chr1:0-4": positions are 1-based, found 0'],
  ['chr1:x', '"chr1:x" is not a valid region; expected NAME, NAME:FROM'],
  ['', '"" is not a valid region; expected NAME, NAME:FROM'],
  [{ chr: 'chr1', start: 1 }, 'expected { referenceName, start?, end? } or a text such as "chr1:1-100"'],
  [['chr1', 5], 'expected { referenceName, start?, end? } or a text such as "chr1:1-100"'],
])('rejects the region %j, and says how to write one', async (region, message) => {
  const file = await openAlignments(fixturePath('reads.bam'));
  await expect(file.count(region as string)).rejects.toMatchObject({
    code: 'INVALID_REGION',
    message: expect.stringContaining(message) as string,
  });
  await file.close();
});

test('rejects files of other formats', async () => {
  const text = memorySource(new TextEncoder().encode('##fileformat=VCFv4.3\n'));
  await expect(openAlignments(text)).rejects.toMatchObject({
    code: 'UNKNOWN_FORMAT',
    message: 'expected BAM or CRAM, found VCF text, which is not gzip data; compress it with bgzip',
  });
  const sam = memorySource(new TextEncoder().encode('@HD\tVN:1.6\n'));
  await expect(openAlignments(sam)).rejects.toThrow('found SAM text; convert it with samtools view -b');
  const other = memorySource(new TextEncoder().encode('text'));
  await expect(openAlignments(other)).rejects.toThrow('expected BAM or CRAM, found something else');
  await expect(openAlignments(fixturePath('variants.bcf'))).rejects.toMatchObject({
    message: 'expected BAM or CRAM, found BCF',
  });
  await expect(openVariants(fixturePath('reads.cram'))).rejects.toMatchObject({ code: 'UNKNOWN_FORMAT' });
  await expect(openBam(fixturePath('reads.cram'))).rejects.toThrow('expected BAM, found CRAM');
  await expect(openVariants(memorySource(new Uint8Array(0)))).rejects.toMatchObject({ code: 'UNKNOWN_FORMAT' });
});

test('reports a file that does not exist', async () => {
  await expect(openAlignments(fixturePath('missing.bam'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const index = fixturePath('missing.bai');
  const file = await openAlignments(fixturePath('reads.bam'), { index });
  await expect(file.count(region)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await file.close();
});

describe('a truncated file', () => {
  test.each(['reads.bam', 'v31.cram'])('%s is rejected within a block or container', async (name) => {
    const bytes = readFixture(name);
    const file = await openAlignments(memorySource(bytes.subarray(0, bytes.length - 2000)));
    await expect(file.count()).rejects.toMatchObject({ code: 'TRUNCATED' });
  });

  test.each([
    ['reads.bam', 28],
    ['v31.cram', 38],
  ])('%s without its EOF marker is read with one warning', async (name, byteLength) => {
    const bytes = readFixture(name);
    const warnings: string[] = [];
    const onWarning = ({ message }: Error): number => warnings.push(message);
    const file = await openAlignments(memorySource(bytes.subarray(0, bytes.length - byteLength)), { onWarning });
    const count = await file.count();
    expect(await file.count()).toBe(count);
    expect(warnings).toEqual(['the EOF marker is missing, so the file may be truncated']);
  });

  test('fails if its index refers to bytes past its end', async () => {
    const bytes = readFixture('reads.bam');
    const index = fixturePath('reads.bam.bai');
    const file = await openAlignments(memorySource(bytes.subarray(0, 40_000)), { index });
    await expect(file.count({ referenceName: 'chr2' })).rejects.toMatchObject({ name: 'IndexError' });
  });
});

test('reports a file that was replaced after it was opened', async () => {
  let version = '1';
  const source = sourceOf('reads.bam');
  const replaced: ByteSource = {
    key: 'replaced',
    stat: async () => ({ size: readFixture('reads.bam').length, version }),
    read: (range, options) => source.read(range, { ...options, version: options?.version === version ? '1' : '0' }),
    stream: (range, options) => source.stream(range, { ...options, version: options?.version === version ? '1' : '0' }),
  };
  const file = await openAlignments(replaced, { index: fixturePath('reads.bam.bai'), cacheBytes: 0 });
  expect(await file.count(region)).toBeGreaterThan(0);
  version = '2';
  await expect(file.count({ referenceName: 'chr2' })).rejects.toMatchObject({ code: 'CHANGED' });
});

test('stops when its signal is aborted', async () => {
  const controller = new AbortController();
  const file = await openAlignments(fixturePath('reads.bam'));
  const read = async (): Promise<number> => {
    let count = 0;
    for await (const _ of file.records(undefined, { signal: controller.signal })) {
      count++;
      if (count === 10) controller.abort();
    }
    return count;
  };
  await expect(read()).rejects.toMatchObject({ code: 'ABORTED' });
  const signal = AbortSignal.abort();
  await expect(collect(file.records(region, { signal }))).rejects.toMatchObject({ code: 'ABORTED' });
  await expect(openAlignments(fixturePath('reads.bam'), { signal })).rejects.toMatchObject({ code: 'ABORTED' });
  await file.close();
});
