import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { MemoryBudget, MemoryError } from '../src/index.js';
import { growBytes, MemoryAccount } from '../src/internal.js';

const MiB = 2 ** 20;

function failure(attempt: () => unknown): unknown {
  try {
    attempt();
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('MemoryBudget', () => {
  test('bounds what all accounts reserve together', () => {
    const budget = new MemoryBudget(10 * MiB);
    const [first, second] = [budget.open(), budget.open()];
    first.reserve(6 * MiB);
    expect(failure(() => second.reserve(5 * MiB))).toMatchObject({ name: 'MemoryError', code: 'EXHAUSTED' });
    second.reserve(4 * MiB);
    expect(budget.usedBytes).toBe(10 * MiB);
    first.release(6 * MiB);
    second.reserve(6 * MiB);
    expect(budget.usedBytes).toBe(10 * MiB);
  });

  test('distinguishes an account that needs more than the budget from one that finds it used up', () => {
    const budget = new MemoryBudget(10 * MiB);
    const account = budget.open();
    account.reserve(6 * MiB);
    expect(failure(() => account.reserve(5 * MiB))).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(failure(() => budget.open().reserve(11 * MiB))).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(budget.usedBytes).toBe(6 * MiB);
  });

  test('does not count buffers of up to 1 MiB', () => {
    const budget = new MemoryBudget(2 * MiB);
    const account = budget.open();
    for (let i = 0; i < 10; i++) account.reserve(MiB);
    account.release(MiB);
    expect(budget.usedBytes).toBe(0);
  });

  test('releases all of an account that is closed, or what was reserved through a part of it', () => {
    const budget = new MemoryBudget(10 * MiB);
    const account = budget.open();
    account.reserve(2 * MiB);
    const part = account.openPart();
    part.reserve(3 * MiB);
    part.reserve(4 * MiB);
    part.release(3 * MiB);
    part.close();
    expect(budget.usedBytes).toBe(2 * MiB);
    account.openPart().reserve(5 * MiB);
    account.close();
    account.close();
    expect(budget.usedBytes).toBe(0);
  });

  test('counts across threads, also for a thread that has died', async () => {
    const budget = new MemoryBudget(10 * MiB);
    const account = budget.open();
    const code = `
      const { workerData: { used, held } } = require('node:worker_threads');
      for (const counter of [used, held]) Atomics.add(new BigInt64Array(counter), 0, ${8 * MiB}n);
      process.exit(1);`;
    const worker = new Worker(code, { eval: true, workerData: account.share });
    await new Promise((resolve) => worker.once('exit', resolve));
    expect(failure(() => budget.open().reserve(3 * MiB))).toMatchObject({ code: 'EXHAUSTED' });
    expect(failure(() => new MemoryAccount(account.share).reserve(3 * MiB))).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    account.close();
    expect(budget.usedBytes).toBe(0);
  });

  test.each([0, -1, Number.NaN])('rejects a budget of %s bytes', (maxBytes) => {
    expect(() => new MemoryBudget(maxBytes)).toThrow(RangeError);
  });
});

describe('growBytes', () => {
  test('doubles memory up to its limit, and counts old and new memory while it copies', () => {
    const budget = new MemoryBudget(13 * MiB);
    const memory = budget.open();
    let bytes = growBytes(Uint8Array.of(1, 2, 3), { keptBytes: 2, byteLength: 2 * MiB, memory });
    expect([bytes.length, ...bytes.subarray(0, 3)]).toEqual([2 * MiB, 1, 2, 0]);
    bytes = growBytes(bytes, { keptBytes: 2, byteLength: 3 * MiB, memory });
    expect([bytes.length, budget.usedBytes]).toEqual([4 * MiB, 4 * MiB]);
    bytes = growBytes(bytes, { keptBytes: 2, byteLength: 5 * MiB, maxBytes: 6 * MiB, memory });
    expect([bytes.length, budget.usedBytes]).toEqual([6 * MiB, 6 * MiB]);
    const error = failure(() => growBytes(bytes, { keptBytes: 2, byteLength: 8 * MiB, memory }));
    expect(error).toBeInstanceOf(MemoryError);
    expect(budget.usedBytes).toBe(6 * MiB);
  });
});

test('grown memory can be viewed as longer elements', () => {
  for (const byteLength of [1, 101, 1023]) {
    const grown = growBytes(new Uint8Array(8), { keptBytes: 8, byteLength, maxBytes: 1001 });
    expect(grown.length).toBeGreaterThanOrEqual(byteLength);
    expect(() => new Float64Array(grown.buffer)).not.toThrow();
  }
});
