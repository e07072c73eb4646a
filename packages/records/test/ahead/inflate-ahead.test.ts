import { memorySource } from '@htskit/storage/memory';
import { describe, expect, test } from 'vitest';
import { type AlignmentOptions, openAlignments, openTabix, type Region } from '../../src/index.js';
import { countJobs, createSortedBam, repeatBam } from './long-files.js';

const LONG_BYTES = 2 ** 23;
const reads = repeatBam('reads.bam', LONG_BYTES);

function open(bytes: Uint8Array, workers: number) {
  return openAlignments(memorySource(bytes, { version: '1' }), { workers, onWarning: () => undefined });
}

/** Reads all records up to the first error. */
async function readAll(bytes: Uint8Array, workers: number): Promise<{ records: Buffer; error: unknown }> {
  const pieces: Uint8Array[] = [];
  let failure: unknown;
  try {
    for await (const piece of (await open(bytes, workers)).recordBytes()) pieces.push(piece);
  } catch (error) {
    failure = error;
  }
  return { records: Buffer.concat(pieces), error: failure };
}

/** Returns the file with a fault in a block near its end. */
function damaged(): Uint8Array {
  const bytes = reads.slice();
  const at = reads.length - 100_000;
  bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  return bytes;
}

test.each([
  ['a whole file', reads, undefined],
  ['a file with a fault', damaged(), 'CRC_MISMATCH'],
  ['a file that is cut', reads.subarray(0, -10_000), 'TRUNCATED'],
  ['a file that ends within a record', reads.subarray(0, -10_000 - (10_000 % 65_280)), 'TRUNCATED'],
])('workers have the records and the error of %s that one thread has', async (_, bytes, code) => {
  const expected = await readAll(bytes, 0);
  const jobs = countJobs();
  const found = await readAll(bytes, 2);
  expect(await jobs.done()).toBe(1);
  expect(found.records.equals(expected.records)).toBe(true);
  expect(found.error).toEqual(expected.error);
  expect(found.records.length).toBeGreaterThan(LONG_BYTES * 0.9);
  expect((found.error as { readonly code?: string } | undefined)?.code).toBe(code);
});

describe('regions too long to be kept', async () => {
  const sorted = await createSortedBam(LONG_BYTES + 2 ** 20);
  const end = 100 * Math.ceil(LONG_BYTES / 1000);
  const whole = { referenceName: 'chr1', start: 12_345, end };
  const halves = [
    { referenceName: 'chr1', start: 0, end: Math.floor(0.55 * end) },
    { referenceName: 'chr1', start: Math.floor(0.6 * end), end: 2 * end },
  ];

  async function readRegions(
    regions: Region | readonly Region[],
    options: AlignmentOptions,
    bytes = sorted.bytes,
  ): Promise<Buffer> {
    const source = memorySource(bytes, { version: '1' });
    const file = await openAlignments(source, { index: memorySource(sorted.index), cacheBytes: 2 ** 20, ...options });
    const pieces: Uint8Array[] = [];
    for await (const piece of file.recordBytes(regions)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  test.each([
    ['a region', whole],
    ['regions', halves],
  ])('have the records of %s that one thread has, inflated by workers', async (_, regions) => {
    const expected = await readRegions(regions, { workers: 0 });
    const jobs = countJobs();
    const found = await readRegions(regions, { workers: 2 });
    expect(await jobs.done()).toBeGreaterThan(0);
    expect(found.equals(expected)).toBe(true);
    expect(found.length).toBeGreaterThan(LONG_BYTES * 0.8);
  });

  test('fail at a fault as on one thread', async () => {
    const bytes = sorted.bytes.slice();
    const at = LONG_BYTES / 2;
    bytes[at] = (bytes[at] ?? 0) ^ 0xff;
    const failure = (workers: number) => readRegions(whole, { workers }, bytes).catch((error: unknown) => error);
    const expected = await failure(0);
    expect(await failure(2)).toEqual(expected);
    expect(expected).toMatchObject({ name: 'BgzfError', code: 'CRC_MISMATCH' });
  });

  test('that fit the cache start no job', async () => {
    const jobs = countJobs();
    await readRegions(whole, { workers: 2, cacheBytes: 2 ** 28 });
    expect(await jobs.done()).toBe(0);
  });
});

test('columns of a file that workers inflate are those of one thread', async () => {
  const batchesOf = async (workers: number): Promise<unknown[]> => {
    const batches: unknown[] = [];
    const request = { fields: ['names', 'start', 'sequence', 'qualities', 'cigar'], maxRecords: 5000 } as const;
    for await (const batch of (await open(reads, workers)).columns(undefined, request)) batches.push(batch);
    return batches;
  };
  const jobs = countJobs();
  const batches = await batchesOf(2);
  expect(await jobs.done()).toBe(1);
  expect(batches.length).toBeGreaterThan(1);
  expect(batches).toEqual(await batchesOf(0));
});

test('records that the caller keeps stay valid', async () => {
  const kept = [];
  const file = await open(reads, 2);
  for await (const record of file.records()) kept.push(record);
  const expected = [];
  for await (const { name, start } of (await open(reads, 0)).records()) expected.push(`${name} ${start}`);
  expect(kept.map(({ name, start }) => `${name} ${start}`)).toEqual(expected);
});

test('a read that is aborted fails, and the next one succeeds', async () => {
  const abort = new AbortController();
  const file = await open(reads, 2);
  const read = async (): Promise<void> => {
    for await (const _ of file.recordBytes(undefined, { signal: abort.signal })) abort.abort(new Error('enough'));
  };
  await expect(read()).rejects.toThrow('the read was aborted');
  expect(await file.count()).toBeGreaterThan(1000);
});

test('a file of less than 8 MiB, and workers: 0, start no job', async () => {
  const jobs = countJobs();
  await readAll(repeatBam('reads.bam', 1), 2);
  await readAll(reads, 0);
  expect(await jobs.done()).toBe(0);
});

test.each([-1, 1.5, Number.NaN])('%d is not a number of workers', async (workers) => {
  await expect(open(reads, workers)).rejects.toThrow(RangeError);
  const tabix = openTabix(memorySource(reads), memorySource(reads), { workers });
  await expect(tabix).rejects.toThrow(`expected a number of workers, found ${workers}`);
});
