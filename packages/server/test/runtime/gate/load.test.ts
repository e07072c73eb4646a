import { expect, test } from 'vitest';
import { Load, toContainerLimit } from '../../../src/runtime/gate/load.js';
import { withLimitDefaults } from '../../../src/runtime/server-limits.js';

const limits = withLimitDefaults({ concurrency: 2, memoryBytes: 100, eventLoopMilliseconds: 50 });

test('admits requests up to the concurrency limit', () => {
  const load = new Load({ readMemory: () => 0 });
  expect([0, 1, 2, 3].map((running) => load.refusal(running, limits))).toEqual([
    undefined,
    undefined,
    'concurrency',
    'concurrency',
  ]);
});

test('sheds requests over the memory limit, except for a single one', () => {
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

test('reports a late event loop until it is on time again', () => {
  let now = 0;
  const load = new Load({ readMemory: () => 0, now: () => now });
  const faults = [0, 10, 70, 131, 141].map((time) => {
    now = time;
    load.sample(10);
    return load.fault(limits);
  });
  expect(faults).toEqual([undefined, undefined, undefined, 'the event loop is late', undefined]);
});

test('limits memory to nine tenths of a container, and not at all without one', () => {
  expect(toContainerLimit(1000, 4000)).toBe(900);
  for (const unlimited of [undefined, 0, 4000, 2 ** 63]) {
    expect(toContainerLimit(unlimited, 4000)).toBe(Number.POSITIVE_INFINITY);
  }
});

test('applies the defaults for undefined limits', () => {
  expect(withLimitDefaults({ concurrency: undefined, stallSeconds: 1 })).toMatchObject({
    concurrency: 256,
    stallSeconds: 1,
  });
});
