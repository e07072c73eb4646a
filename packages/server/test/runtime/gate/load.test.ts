import { expect, test } from 'vitest';
import { Load, toContainerLimit } from '../../../src/runtime/gate/load.js';
import { withLimitDefaults } from '../../../src/runtime/server-limits.js';

const limits = withLimitDefaults({ concurrency: 2, memoryBytes: 100, eventLoopMilliseconds: 50 });

test('as many requests as are allowed are let in, and not one more', () => {
  const load = new Load({ readMemory: () => 0 });
  expect([0, 1, 2, 3].map((running) => load.refusal(running, limits))).toEqual([
    undefined,
    undefined,
    'concurrency',
    'concurrency',
  ]);
});

test('memory beyond its limit sheds requests, and is a fault, until it is given back; a single one is let in', () => {
  let memory = 100;
  const load = new Load({ readMemory: () => memory });
  expect([load.refusal(1, limits), load.fault(limits)]).toEqual([undefined, undefined]);
  memory = 101;
  load.sample(10);
  expect([load.refusal(1, limits), load.fault(limits)]).toEqual(['memory', 'memory use is over its limit']);
  expect(load.refusal(0, limits)).toBeUndefined();
  memory = 100;
  load.sample(10);
  expect([load.refusal(1, limits), load.fault(limits)]).toEqual([undefined, undefined]);
});

test('an event loop that is later than its limit is a fault, until it is in time again', () => {
  let now = 0;
  const load = new Load({ readMemory: () => 0, now: () => now });
  const faults = [0, 10, 70, 131, 141].map((time) => {
    now = time;
    load.sample(10);
    return load.fault(limits);
  });
  expect(faults).toEqual([undefined, undefined, undefined, 'the event loop is late', undefined]);
});

test('a container leaves its process nine tenths of its memory; without one there is no limit', () => {
  expect(toContainerLimit(1000, 4000)).toBe(900);
  for (const unlimited of [undefined, 0, 4000, 2 ** 63]) {
    expect(toContainerLimit(unlimited, 4000)).toBe(Number.POSITIVE_INFINITY);
  }
});

test('limits that are undefined have their defaults', () => {
  expect(withLimitDefaults({ concurrency: undefined, stallSeconds: 1 })).toMatchObject({
    concurrency: 256,
    stallSeconds: 1,
  });
});
