import { expect, test } from 'vitest';
import { type ServingProcess, Supervisor } from '../../../src/runtime/processes/supervisor.js';

/** A process whose life the test decides. */
class FakeProcess implements ServingProcess {
  readonly closed: boolean[] = [];
  listen: () => void = () => undefined;
  end: (reason: string) => void = () => undefined;
  readonly ended = new Promise<string>((resolve) => {
    this.end = resolve;
  });
  readonly ready = new Promise<void>((resolve, reject) => {
    this.listen = resolve;
    void this.ended.then((reason) => reject(new Error(reason)));
  });

  close({ isReplaced }: { readonly isReplaced: boolean }): void {
    this.closed.push(isReplaced);
    if (!isReplaced) this.end('exit code 0');
  }
}

/** Lets everything happen that needs no further events. */
async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

function supervise(count: number) {
  const started: FakeProcess[] = [];
  const firsts: boolean[] = [];
  const pauses: number[] = [];
  const messages: string[] = [];
  const clock = { now: 0 };
  const supervisor = new Supervisor({
    count,
    start: ({ isFirst }) => {
      const next = new FakeProcess();
      next.ready.catch(() => undefined);
      started.push(next);
      firsts.push(isFirst);
      return next;
    },
    log: (message) => messages.push(message),
    now: () => clock.now,
    sleep: async (milliseconds) => {
      if (milliseconds > 0) pauses.push(milliseconds);
    },
  });
  /** The process that was started last, once it was. */
  const nth = async (index: number): Promise<FakeProcess> => {
    await expect.poll(() => started.length).toBeGreaterThan(index);
    return started[index] as FakeProcess;
  };
  const startAll = async (): Promise<void> => {
    const starting = supervisor.start();
    for (let index = 0; index < count; index++) {
      (await nth(index)).listen();
      await settle();
    }
    await starting;
  };
  return { supervisor, started, firsts, pauses, messages, clock, nth, startAll };
}

test('starts one process after another, each when the one before is ready', async () => {
  const { supervisor, started, firsts, nth } = supervise(3);
  const starting = supervisor.start();
  await settle();
  expect(started).toHaveLength(1);
  (await nth(0)).listen();
  await starting;
  await settle();
  expect(started).toHaveLength(2);
  (await nth(1)).listen();
  (await nth(2)).listen();
  await settle();
  expect([started.length, firsts]).toEqual([3, [true, false, false]]);
});

test('rejects if the first process ends before it is ready', async () => {
  const { supervisor, nth } = supervise(2);
  const starting = supervisor.start();
  (await nth(0)).end('exit code 1');
  await expect(starting).rejects.toThrow('exit code 1');
});

test('replaces a process that ends, at once and then with growing pauses', async () => {
  const { startAll, nth, pauses, messages, clock, started } = supervise(1);
  await startAll();
  for (let index = 0; index < 8; index++) {
    (await nth(index)).end('SIGKILL');
    await settle();
    // One that serves and ends soon, and one that never serves.
    if (index % 2 === 0) (await nth(index + 1)).listen();
    await settle();
  }
  expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  expect(messages[0]).toBe('a serving process ended (SIGKILL); starting another');
  pauses.length = 0;
  (await nth(8)).listen();
  await settle();
  clock.now += 60_000;
  (await nth(8)).end('SIGKILL');
  await settle();
  expect([pauses, started.length]).toEqual([[], 10]);
});

test('closes each old process when a new one is ready', async () => {
  const { supervisor, startAll, nth } = supervise(2);
  await startAll();
  const replacing = supervisor.replaceAll();
  const [one, two, next] = [await nth(0), await nth(1), await nth(2)];
  expect([one.closed, two.closed]).toEqual([[], []]);
  next.listen();
  const last = await nth(3);
  expect([one.closed, two.closed]).toEqual([[true], []]);
  last.listen();
  await replacing;
  expect([one.closed, two.closed]).toEqual([[true], [true]]);
  one.end('exit code 0');
  await settle();
  expect(next.closed).toEqual([]);
});

test('keeps all processes if the first new one does not start', async () => {
  const { supervisor, startAll, nth, started } = supervise(2);
  await startAll();
  const replacing = supervisor.replaceAll();
  (await nth(2)).end('exit code 1');
  await expect(replacing).rejects.toThrow('exit code 1');
  expect([(await nth(0)).closed, (await nth(1)).closed, started.length]).toEqual([[], [], 3]);
});

test('closes all processes, those that are being replaced and started included', async () => {
  const { supervisor, startAll, nth, started } = supervise(2);
  await startAll();
  const replacing = supervisor.replaceAll();
  (await nth(2)).listen();
  const starting = await nth(3);
  await supervisor.close();
  await replacing;
  expect([(await nth(0)).closed, (await nth(1)).closed, (await nth(2)).closed]).toEqual([
    [true, false],
    [false],
    [false],
  ]);
  expect([starting.closed, started.length]).toEqual([[false], 4]);
});
