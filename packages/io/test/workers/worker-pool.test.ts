import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { volume } from '@htskit/testing';
import { afterEach, expect, test } from 'vitest';
import { availableThreads, JobWorker, WorkerPool } from '../../src/workers/index.js';

interface ArithmeticJob {
  readonly operation: string;
  readonly value?: unknown;
}

/** Drops the options of the test runner, which resolve packages to their sources. */
const options = { execArgv: [] };
const script = new URL('./arithmetic-worker.mjs', import.meta.url);
const pools: WorkerPool<ArithmeticJob, unknown>[] = [];
let started = 0;

function createPool(size?: number): WorkerPool<ArithmeticJob, unknown> {
  const spawn = (): Worker => {
    started += 1;
    return new Worker(script, options);
  };
  const pool = new WorkerPool<ArithmeticJob, unknown>(size === undefined ? { spawn } : { spawn, size });
  pools.push(pool);
  return pool;
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
  started = 0;
});

test('the package is built, since workers run what is built', () => {
  expect(existsSync(new URL('../../dist/workers/index.js', import.meta.url)), 'run "pnpm run build" first').toBe(true);
});

test('returns the result of each job', async () => {
  const pool = createPool(2);
  const values = Array.from({ length: 100 }, (_, value) => value);
  const results = await Promise.all(values.map((value) => pool.run({ operation: 'double', value })));
  expect(results).toEqual(values.map((value) => value * 2));
});

test('returns the result of each job if some of them take a turn of the event loop', async () => {
  const pool = createPool(1);
  const values = Array.from({ length: 20 }, (_, value) => value);
  const run = (value: number): Promise<unknown> =>
    pool.run({ operation: value % 3 === 0 ? 'double later' : 'double', value });
  expect(await Promise.all(values.map(run))).toEqual(values.map((value) => value * 2));
});

test('starts no worker before the first job, and at most `size` workers', async () => {
  const pool = createPool(2);
  expect(started).toBe(0);
  await pool.run({ operation: 'double', value: 1 });
  await pool.run({ operation: 'double', value: 1 });
  expect(started).toBe(1);
  await Promise.all([1, 2, 3, 4].map((value) => pool.run({ operation: 'double', value })));
  expect(started).toBe(2);
});

test('the default size is the number of processors', () => {
  expect(createPool().size).toBe(availableThreads());
});

test.each([0, -1, 1.5, Number.NaN])('rejects a pool of %d workers', (size) => {
  expect(() => createPool(size)).toThrow(RangeError);
});

test('transfers buffers to the worker and back', async () => {
  const buffer = Uint8Array.of(1, 2, 3).buffer;
  const result = createPool().run({ operation: 'give back', value: buffer }, { transfer: [buffer] });
  expect(buffer.byteLength).toBe(0);
  expect(new Uint8Array((await result) as ArrayBuffer)).toEqual(Uint8Array.of(1, 2, 3));
});

test('a job that throws is JOB_FAILED with the message, and later jobs succeed', async () => {
  const pool = createPool(1);
  const failures = [pool.run({ operation: 'divide' }), pool.run({ operation: 'throw text', value: 'no' })];
  const next = pool.run({ operation: 'double', value: 4 });
  await expect(failures[0]).rejects.toMatchObject({
    name: 'WorkerError',
    code: 'JOB_FAILED',
    message: 'cannot divide',
  });
  await expect(failures[1]).rejects.toMatchObject({ code: 'JOB_FAILED', message: 'no' });
  expect(await next).toBe(8);
});

test('a job that cannot be cloned rejects', async () => {
  const pool = createPool(1);
  await expect(pool.run({ operation: 'double', value: () => 1 })).rejects.toMatchObject({ name: 'DataCloneError' });
  expect(await pool.run({ operation: 'double', value: 4 })).toBe(8);
});

test('pending jobs of a worker that dies are ENDED with the cause, and a new worker replaces it', async () => {
  const pool = createPool(1);
  const worker = pool.pick();
  // Whether the last answer arrives before the error depends on the runtime.
  const dying = Promise.allSettled([worker.run({ operation: 'die' })]);
  const second = worker.run({ operation: 'double', value: 4 });
  await expect(second).rejects.toMatchObject({ code: 'ENDED', cause: { message: 'died' } });
  await dying;
  expect(worker.hasEnded).toBe(true);
  await expect(worker.run({ operation: 'double', value: 4 })).rejects.toMatchObject({ code: 'ENDED' });
  expect(await pool.run({ operation: 'double', value: 4 })).toBe(8);
});

test('a closed pool rejects pending jobs with ENDED, and can be used again', async () => {
  const pool = createPool(1);
  const pending = pool.run({ operation: 'double', value: 4 });
  const closed = pool.close();
  await expect(pending).rejects.toMatchObject({ code: 'ENDED' });
  await closed;
  expect(await pool.run({ operation: 'double', value: 4 })).toBe(8);
  expect(started).toBe(2);
});

test('a process continues after closing a pool that has jobs', () => {
  const path = fileURLToPath(new URL('./closing.mjs', import.meta.url));
  expect(execFileSync(process.execPath, [path, String(volume(30))], { encoding: 'utf8', timeout: 30_000 })).toBe(
    'closed\n',
  );
});

test('a result that cannot be cloned is JOB_FAILED, and later jobs succeed', async () => {
  const pool = createPool(1);
  await expect(pool.run({ operation: 'give a function' })).rejects.toMatchObject({ code: 'JOB_FAILED' });
  expect(await pool.run({ operation: 'double', value: 4 })).toBe(8);
});

test('a worker that cannot be started rejects', async () => {
  const spawn = (): Worker => {
    throw new RangeError('no more');
  };
  await expect(new WorkerPool({ spawn }).run({})).rejects.toThrow('no more');
});

test('a worker whose script cannot be loaded is ENDED', async () => {
  const worker = new JobWorker(new Worker(new URL('./missing.mjs', import.meta.url), options));
  await expect(worker.run({})).rejects.toMatchObject({ code: 'ENDED' });
});
