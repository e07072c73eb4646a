import type { CramReferenceRequest } from '@htskit/formats';
import { memorySource } from '@htskit/storage/memory';
import { fixturePath } from '@htskit/testing';
import { describe, expect, test, vi } from 'vitest';
import { WorkerTask } from '../../src/ahead/worker-task.js';
import { type AlignmentOptions, openAlignments } from '../../src/index.js';
import { genomeReference } from '../genome-reference.js';
import { countJobs, repeatCram } from './long-files.js';

const LONG_BYTES = 1_100_000;
const reads = repeatCram('reads.cram', LONG_BYTES);

async function open(bytes: Uint8Array, options: AlignmentOptions) {
  return openAlignments(memorySource(bytes, { version: '1' }), { onWarning: () => undefined, ...options });
}

interface Outcome {
  readonly byteLength: number;
  readonly records: Buffer;
  readonly error: unknown;
}

/** Reads all records up to the first error. */
async function readAll(bytes: Uint8Array, options: AlignmentOptions): Promise<Outcome> {
  const pieces: Uint8Array[] = [];
  let failure: unknown;
  try {
    for await (const piece of (await open(bytes, options)).recordBytes()) pieces.push(piece);
  } catch (error) {
    failure = error;
  }
  const records = Buffer.concat(pieces);
  return { byteLength: records.length, records, error: failure };
}

/** Fails unless workers do some of the work, and the result is that of one thread. */
async function expectSame(bytes: Uint8Array, options: AlignmentOptions): Promise<Outcome> {
  const expected = await readAll(bytes, { ...options, workers: 0 });
  const jobs = countJobs();
  const found = await readAll(bytes, { ...options, workers: 2 });
  expect(found.byteLength).toBe(expected.byteLength);
  expect(found.records.equals(expected.records)).toBe(true);
  expect(found.error).toEqual(expected.error);
  expect(await jobs.done()).toBeGreaterThan(0);
  return found;
}

test('the first container of a long file waits for a worker, so that the calling thread decodes none', async () => {
  const decode = vi.spyOn(WorkerTask.prototype, 'run');
  await readAll(reads, { reference: genomeReference, workers: 2 });
  const results = await Promise.all(decode.mock.results.map(({ value }) => value as unknown));
  decode.mockRestore();
  expect(results.length).toBeGreaterThan(1);
  expect(results).not.toContain(undefined);
}, 60_000);

describe('containers on workers', () => {
  test.each([['reads.cram'], ['multiref.cram'], ['v21.cram'], ['v31.cram'], ['referenced/reads.cram']])(
    'have the records of %s that one thread decodes, in order',
    async (name) => {
      const { error, byteLength } = await expectSame(repeatCram(name, LONG_BYTES), { reference: genomeReference });
      expect(error).toBeUndefined();
      expect(byteLength).toBeGreaterThan(LONG_BYTES);
    },
  );

  test('get their bases from a file, which the calling thread opens', async () => {
    const referenced = repeatCram('referenced/reads.cram', LONG_BYTES);
    expect((await expectSame(referenced, { reference: fixturePath('genome.fa') })).error).toBeUndefined();
  });

  test('fail without their bases as on one thread', async () => {
    const referenced = repeatCram('referenced/reads.cram', LONG_BYTES);
    const { error } = await readAll(referenced, { workers: 2 });
    expect(error).toMatchObject({ name: 'FormatError', code: 'MISSING_REFERENCE' });
    expect(error).toEqual((await readAll(referenced, { workers: 0 })).error);
  });

  test('fail with the error of the function that returns bases, after the records before', async () => {
    let calls = 0;
    const reference = (request: CramReferenceRequest) => {
      if (request.start > 60_000 && calls++ >= 0) throw new RangeError('no such bases');
      return genomeReference(request);
    };
    const { error } = await expectSame(repeatCram('referenced/reads.cram', LONG_BYTES), { reference });
    expect(error).toEqual(new RangeError('no such bases'));
  });

  test('fail at a fault with the code, the offset and the records of one thread', async () => {
    const damaged = reads.slice();
    const at = Math.floor(reads.length * 0.8);
    damaged[at] = (damaged[at] ?? 0) ^ 0xff;
    const { error, byteLength } = await expectSame(damaged, { reference: genomeReference });
    expect(error).toMatchObject({ name: 'FormatError', offset: expect.any(Number) as number });
    expect(byteLength).toBeGreaterThan(LONG_BYTES);
  });

  test('of a file that is cut fail as on one thread', async () => {
    const { error } = await expectSame(reads.subarray(0, -100_000), { reference: genomeReference });
    expect(error).toMatchObject({ name: 'FormatError', code: 'TRUNCATED' });
  });

  test('keep to the limits of the caller', async () => {
    const { error } = await readAll(reads, {
      reference: genomeReference,
      limits: { containerBytes: 100_000 },
      workers: 2,
    });
    expect(error).toMatchObject({ name: 'FormatError', code: 'LIMIT_EXCEEDED' });
  });
});

test('a read that is aborted ends with the reason, and the next one succeeds', async () => {
  const file = await open(reads, { reference: genomeReference, workers: 2 });
  const abort = new AbortController();
  const read = async (): Promise<void> => {
    for await (const _ of file.recordBytes(undefined, { signal: abort.signal })) abort.abort(new Error('enough'));
  };
  await expect(read()).rejects.toThrow('enough');
  expect(await file.count()).toBeGreaterThan(1000);
});

test('a caller who takes one piece has a bounded number of containers read ahead', async () => {
  const source = memorySource(reads, { version: '1' });
  const file = await openAlignments(source, { reference: genomeReference, workers: 1 });
  const jobs = countJobs();
  const pieces = file.recordBytes();
  await pieces.next();
  await pieces.return();
  expect(await jobs.done()).toBeLessThanOrEqual(3);
});

test('a short file, and workers: 0, start no job', async () => {
  const jobs = countJobs();
  await readAll(repeatCram('reads.cram', 1), { reference: genomeReference, workers: 2 });
  await readAll(reads, { reference: genomeReference, workers: 0 });
  expect(await jobs.done()).toBe(0);
});
