import { describe, expect, test } from 'vitest';
import { TurnScheduler, yieldToEventLoop } from '../src/internal.js';

/** An event loop whose turns and clock the test advances. */
class FakeLoop {
  milliseconds = 0;
  #deferred: (() => void)[] = [];
  readonly turns = new TurnScheduler({
    milliseconds: 5,
    now: () => this.milliseconds,
    defer: (callback) => this.#deferred.push(callback),
  });

  /** Calls what was deferred before this turn. */
  turn(): void {
    for (const callback of this.#deferred.splice(0)) callback();
  }
}

/** Schedules work of 2 ms each, and returns the list of what was done. */
function schedule(loop: FakeLoop, names: readonly string[]): string[] {
  const done: string[] = [];
  for (const name of names) {
    loop.turns.run(() => {
      done.push(name);
      loop.milliseconds += 2;
    });
  }
  return done;
}

test('work is done at once while the turn has time', () => {
  const loop = new FakeLoop();
  expect(schedule(loop, ['a', 'b'])).toEqual(['a', 'b']);
  expect(loop.turns.waiting).toBe(0);
});

test('further work waits for the next turns, in order', () => {
  const loop = new FakeLoop();
  const done = schedule(loop, ['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  expect(done).toEqual(['a', 'b', 'c']);
  expect(loop.turns.waiting).toBe(4);
  loop.turn();
  expect(done).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  loop.turn();
  expect(done).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
});

test('work that is added later does not overtake work that waits', () => {
  const loop = new FakeLoop();
  const done = schedule(loop, ['a', 'b', 'c', 'd']);
  const later = schedule(loop, ['e']);
  loop.milliseconds += 100;
  expect(later).toEqual([]);
  loop.turn();
  expect([done, later]).toEqual([['a', 'b', 'c', 'd'], ['e']]);
});

test('a turn does some work, however long each piece takes', () => {
  const loop = new FakeLoop();
  const done: number[] = [];
  for (const piece of [1, 2, 3]) {
    loop.turns.run(() => {
      done.push(piece);
      loop.milliseconds += 1000;
    });
  }
  for (const expected of [[1], [1, 2], [1, 2, 3]]) {
    expect(done).toEqual(expected);
    loop.turn();
  }
});

describe('postpone', () => {
  test('holds work back until the next turn', () => {
    const loop = new FakeLoop();
    schedule(loop, ['before']);
    loop.turns.postpone();
    const done = schedule(loop, ['a']);
    loop.turn();
    expect(done).toEqual([]);
    loop.turn();
    expect(done).toEqual(['a']);
  });

  test('holds nothing back after 25 ms without work, however often it is called', () => {
    const loop = new FakeLoop();
    schedule(loop, ['before']);
    loop.turns.postpone();
    const done = schedule(loop, ['a']);
    for (let turn = 0; turn < 22; turn++) {
      loop.milliseconds++;
      loop.turn();
      loop.turns.postpone();
    }
    expect(done).toEqual([]);
    loop.milliseconds += 2;
    loop.turn();
    expect(done).toEqual(['a']);
  });
});

test('next resolves in a turn that has time', async () => {
  const turns = new TurnScheduler({ milliseconds: 0 });
  const order: string[] = [];
  const work = ['a', 'b', 'c'].map(async (name) => {
    await turns.next();
    order.push(name);
  });
  await yieldToEventLoop();
  await Promise.all(work);
  expect(order).toEqual(['a', 'b', 'c']);
});

test('work is done even if the runtime drops the callbacks of an earlier request', () => {
  const deferred: (() => void)[] = [];
  let milliseconds = 0;
  const turns = new TurnScheduler({ milliseconds: 5, now: () => milliseconds, defer: (call) => deferred.push(call) });
  turns.run(() => {
    milliseconds += 10;
  });
  deferred.length = 0;
  let isDone = false;
  turns.run(() => {
    isDone = true;
  });
  for (const call of deferred.splice(0)) call();
  expect(isDone).toBe(true);
});

test('calls its timer without a receiver', () => {
  const receivers: unknown[] = [];
  const turns = new TurnScheduler({
    defer(this: unknown, callback) {
      receivers.push(this);
      queueMicrotask(callback);
    },
  });
  turns.run(() => undefined);
  turns.postpone();
  expect(receivers).toEqual([undefined, undefined]);
});

test('next throws the reason of a signal that is aborted', async () => {
  const turns = new TurnScheduler();
  const controller = new AbortController();
  await turns.next(controller.signal);
  controller.abort(new Error('enough'));
  await expect(turns.next(controller.signal)).rejects.toThrow('enough');
});
