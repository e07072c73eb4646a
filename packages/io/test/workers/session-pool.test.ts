import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type SessionPlace,
  SessionPool,
  type SessionPoolOptions,
  type WorkerSession,
} from '../../src/workers/index.js';

type Job = number | SharedArrayBuffer | ArrayBuffer;
type Pool = SessionPool<number, Job, number | ArrayBuffer>;
type Place = SessionPlace<number, Job, number | ArrayBuffer>;
type Session = WorkerSession<Job, number | ArrayBuffer>;

const script = new URL('./adding-worker.mjs', import.meta.url);
const pools: Pool[] = [];

function createPool(options: Partial<SessionPoolOptions> = {}): Pool {
  const spawn = (): Worker => new Worker(script, { execArgv: [] });
  const pool = new SessionPool<number, Job, number | ArrayBuffer>({ spawn, size: 1, ...options });
  pools.push(pool);
  return pool;
}

/** Occupies the only worker until the returned function is called: two jobs are posted to a worker at a time. */
async function occupy(pool: Pool): Promise<() => Promise<void>> {
  const gate = new SharedArrayBuffer(4);
  const jobs = [0, 1].map(() => pool.open(0).run(gate, { isLast: true }));
  expect(pool.waiting).toBe(0);
  return async () => {
    Atomics.store(new Int32Array(gate), 0, 1);
    Atomics.notify(new Int32Array(gate), 0);
    await Promise.all(jobs);
  };
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

test('each session keeps its own state between its jobs', async () => {
  const pool = createPool({ size: 2 });
  const sessions = Array.from({ length: 20 }, (_, start) => pool.open(start));
  const addAll = async (value: number): Promise<unknown[]> =>
    Promise.all(sessions.map((session) => session.run(value)));
  expect(await addAll(1)).toEqual(sessions.map((_, start) => start + 1));
  expect(await addAll(10)).toEqual(sessions.map((_, start) => start + 11));
});

test('does the jobs of a session in order', async () => {
  const session = createPool({ size: 2 }).open(0);
  expect(await Promise.all([1, 2, 3, 4].map((value) => session.run(value)))).toEqual([1, 3, 6, 10]);
});

test('begins after sessions that were closed at the same time', async () => {
  const pool = createPool();
  const closed = [pool.open(0), pool.open(0)];
  for (const session of closed) await session.run(1);
  for (const session of closed) session.close();
  expect(await pool.open(5).run(1)).toBe(6);
});

test('transfers buffers to the worker and back', async () => {
  const { buffer } = Uint8Array.of(1, 2, 3);
  const result = createPool()
    .open(0)
    .run(buffer, { transfer: [buffer] });
  expect(buffer.byteLength).toBe(0);
  expect(new Uint8Array((await result) as ArrayBuffer)).toEqual(Uint8Array.of(1, 2, 3));
});

describe('a session ends', () => {
  test('with its last job', async () => {
    const session = createPool().open(0);
    expect(await session.run(1, { isLast: true })).toBe(1);
    await expect(session.run(1)).rejects.toMatchObject({ code: 'ENDED' });
  });

  test('with a handler that throws, and other sessions continue', async () => {
    const pool = createPool();
    const [failing, other] = [pool.open(0), pool.open(5)];
    await other.run(1);
    await expect(failing.run(-1)).rejects.toMatchObject({
      code: 'JOB_FAILED',
      message: 'cannot add a negative number',
    });
    await expect(failing.run(1)).rejects.toMatchObject({ code: 'ENDED' });
    expect(await other.run(1)).toBe(7);
  });

  test('when it is closed, with the jobs that wait', async () => {
    const pool = createPool();
    const release = await occupy(pool);
    const session = pool.open(0);
    const waiting = [session.run(1), session.run(2, { isLast: true })];
    expect(pool.waiting).toBe(2);
    session.close();
    expect(pool.waiting).toBe(0);
    for (const job of waiting) await expect(job).rejects.toMatchObject({ code: 'ENDED' });
    await release();
    await expect(session.run(1)).rejects.toMatchObject({ code: 'ENDED' });
  });

  test('when its worker dies', async () => {
    const workers: Worker[] = [];
    const pool = createPool({
      spawn: () => {
        const worker = new Worker(script, { execArgv: [] });
        workers.push(worker);
        return worker;
      },
    });
    const session = pool.open(0);
    await session.run(1);
    await workers[0]?.terminate();
    await expect(session.run(1)).rejects.toMatchObject({ code: 'ENDED' });
    expect(await pool.open(3).run(1)).toBe(4);
  });

  test('when the pool is closed', async () => {
    const pool = createPool();
    const release = await occupy(pool);
    const waiting = pool.open(0).run(1);
    await Promise.all([
      expect(waiting).rejects.toMatchObject({ code: 'ENDED' }),
      expect(release()).rejects.toMatchObject({ code: 'ENDED' }),
      pool.close(),
    ]);
    expect(await pool.open(0).run(1)).toBe(1);
  });
});

describe('while all workers are busy', () => {
  /** Runs one job for each session, and returns the names of the sessions in the order in which their jobs were done. */
  async function orderOf(
    sessions: readonly (readonly [name: string, session: Session])[],
    release: () => Promise<void>,
  ): Promise<string[]> {
    const order: string[] = [];
    const jobs = sessions.map(async ([name, session]) => {
      await session.run(1);
      order.push(name);
    });
    await release();
    await Promise.all(jobs);
    return order;
  }

  test('keys take turns, however many sessions each has', async () => {
    const pool = createPool();
    const release = await occupy(pool);
    const keys = ['a', 'a', 'a', 'a', 'b', 'c', 'c'];
    const order = await orderOf(
      keys.map((key) => [key, pool.open(0, { key })] as const),
      release,
    );
    expect(order).toEqual(['a', 'b', 'c', 'a', 'c', 'a', 'a']);
  });

  /** Runs the first job at a place for a key. */
  const runAtPlace = (pool: Pool, key: string): Promise<unknown> =>
    pool.createPlace({ key }).open(0).run(1, { isLast: true });

  test('refuses a place beyond twice `maxWaiting` jobs, or beyond its share of `maxWaiting`', async () => {
    const pool = createPool({ maxWaiting: 4 });
    const release = await occupy(pool);
    const accepted: Promise<unknown>[] = [];
    const begin = (key: string, count: number): void => {
      for (let i = 0; i < count; i++) accepted.push(runAtPlace(pool, key));
    };
    begin('a', 4);
    await expect(runAtPlace(pool, 'a')).rejects.toMatchObject({ code: 'QUEUE_FULL' });
    begin('b', 2);
    await expect(runAtPlace(pool, 'b')).rejects.toMatchObject({ code: 'QUEUE_FULL' });
    begin('c', 1);
    begin('d', 1);
    await expect(runAtPlace(pool, 'e')).rejects.toMatchObject({ code: 'QUEUE_FULL' });
    expect(() => pool.createPlace({ key: 'e' }).take()).toThrow('8 jobs are waiting');
    expect(pool.waiting).toBe(8);
    await release();
    expect(await Promise.all(accepted)).toEqual(accepted.map(() => 1));
  });

  test('64 jobs for each worker wait by default', async () => {
    const pool = createPool();
    const release = await occupy(pool);
    const accepted = Array.from({ length: 64 }, () => runAtPlace(pool, ''));
    await expect(runAtPlace(pool, '')).rejects.toMatchObject({ code: 'QUEUE_FULL' });
    await release();
    expect(await Promise.all(accepted)).toEqual(accepted.map(() => 1));
  });

  test.each([
    ['that was taken', async (place: Place) => place.take()],
    ['with a job', (place: Place) => place.open(0).run(1, { isLast: true })],
  ])('no session of a place %s is refused', async (_, take) => {
    const pool = createPool({ maxWaiting: 1 });
    const place = pool.createPlace();
    const begun = place.open(0);
    await take(place);
    const release = await occupy(pool);
    const others = ['a', 'b'].map((key) => runAtPlace(pool, key));
    await expect(runAtPlace(pool, 'c')).rejects.toMatchObject({ code: 'QUEUE_FULL' });
    const jobs = [begun.run(1), begun.run(1), place.open(0).run(1), place.open(0).run(1)];
    place.take();
    expect(pool.waiting).toBe(6);
    await release();
    expect(await Promise.all([...others, ...jobs])).toEqual([1, 1, 1, 2, 1, 1]);
  });

  test('a place that was taken holds nothing', async () => {
    const pool = createPool({ maxWaiting: 1 });
    const release = await occupy(pool);
    for (let i = 0; i < 10; i++) pool.createPlace().take();
    expect(pool.waiting).toBe(0);
    await release();
  });

  test('the session of a refused job has ended', async () => {
    const pool = createPool({ maxWaiting: 1 });
    const release = await occupy(pool);
    const waiting = runAtPlace(pool, 'a');
    const refused = pool.createPlace({ key: 'a' }).open(0);
    await expect(refused.run(1)).rejects.toMatchObject({ code: 'QUEUE_FULL' });
    await expect(refused.run(1)).rejects.toMatchObject({ code: 'ENDED' });
    await release();
    expect(await waiting).toBe(1);
  });

  test('a session without a place is never refused', async () => {
    const pool = createPool({ maxWaiting: 1 });
    const release = await occupy(pool);
    const jobs = Array.from({ length: 10 }, () => pool.open(0).run(1, { isLast: true }));
    expect(pool.waiting).toBe(10);
    await release();
    expect(await Promise.all(jobs)).toEqual(jobs.map(() => 1));
  });

  test('the sessions of places take turns by their keys', async () => {
    const pool = createPool();
    const release = await occupy(pool);
    const places = ['a', 'b'].map((key) => [key, pool.createPlace({ key })] as const);
    const sessions = places.flatMap(([key, place]) => [1, 2, 3].map(() => [key, place.open(0)] as const));
    expect(await orderOf(sessions, release)).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
  });
});

test('a worker that cannot be started rejects', async () => {
  const pool = createPool({
    spawn: () => {
      throw new RangeError('no more');
    },
  });
  await expect(pool.open(0).run(1)).rejects.toThrow('no more');
});
