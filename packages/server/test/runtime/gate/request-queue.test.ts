import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { GatedResponse } from '../../../src/runtime/gate/gated-response.js';
import { RequestQueue } from '../../../src/runtime/gate/request-queue.js';

interface TestQueue {
  /** The pieces of work that are scheduled. */
  readonly scheduled: (() => void)[];
  /** The names of those that were done. */
  readonly done: string[];
  add(client: string, name: string): void;
  addRefusal(name: string): void;
  runAll(): void;
}

/** Creates a queue whose turns the test takes. */
function createQueue(): TestQueue {
  const scheduled: (() => void)[] = [];
  const queue = new RequestQueue({ run: (work) => void scheduled.push(work) });
  const done: string[] = [];
  const outgoing = new GatedResponse(new IncomingMessage(new Socket()));
  return {
    scheduled,
    done,
    add: (client, name) => queue.add({ client, outgoing }, () => void done.push(name)),
    addRefusal: (name) => queue.addRefusal({ outgoing }, () => void done.push(name)),
    runAll() {
      for (let work = scheduled.shift(); work !== undefined; work = scheduled.shift()) work();
    },
  };
}

test('refusals come before requests that arrived earlier', () => {
  const queue = createQueue();
  queue.add('a', 'a1');
  queue.add('a', 'a2');
  queue.addRefusal('refusal 1');
  queue.addRefusal('refusal 2');
  queue.runAll();
  expect(queue.done).toEqual(['refusal 1', 'refusal 2', 'a1', 'a2']);
});

test('clients take turns, however many requests each has', () => {
  const queue = createQueue();
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'c2']) queue.add(name.slice(0, 1), name);
  queue.runAll();
  expect(queue.done).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3', 'a4']);
});

test('few requests are scheduled at a time, however many wait', () => {
  const queue = createQueue();
  for (let count = 0; count < 1000; count++) queue.add('a', String(count));
  expect(queue.scheduled).toHaveLength(16);
  queue.scheduled.shift()?.();
  expect([queue.done, queue.scheduled.length]).toEqual([['0'], 16]);
  queue.runAll();
  expect(queue.done).toEqual(Array.from({ length: 1000 }, (_, count) => String(count)));
});
