import { StorageError } from '@htskit/io';
import { deferred } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { StoreGuard, type StoreGuardOptions } from '../../src/guard/store-guard.js';

const stalled = new StorageError('UNAVAILABLE', 'the server does not respond', { key: 'k', isTransient: true });
const missing = new StorageError('NOT_FOUND', 'there is no such object', { key: 'k' });
const busy = { code: 'UNAVAILABLE', isTransient: true, message: 'too many requests are waiting for the store' };
const open = { code: 'UNAVAILABLE', isTransient: true, message: 'the store does not respond' };

/** A guard whose clock a test moves. */
function create(options: StoreGuardOptions = {}): { readonly guard: StoreGuard; readonly pass: (ms: number) => void } {
  let now = 0;
  const guard = new StoreGuard('s3://cohort', { failures: 3, openMilliseconds: 1000, now: () => now, ...options });
  return {
    guard,
    pass: (milliseconds) => {
      now += milliseconds;
    },
  };
}

function fail(guard: StoreGuard, error: unknown, count = 1): void {
  for (let i = 0; i < count; i++) guard.admit().fail(error);
}

function refusalOf(guard: StoreGuard): unknown {
  try {
    guard.admit();
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('the limit of waiting operations', () => {
  test('refuses further operations at once, and accepts new ones when others have ended', async () => {
    const { guard } = create({ concurrency: 2 });
    const [first, second] = [deferred<string>(), deferred<string>()];
    const waiting = [guard.wait(() => first.promise), guard.wait(() => second.promise)];
    expect(guard.waitingCount).toBe(2);
    await expect(guard.wait(async () => 'third')).rejects.toMatchObject({ ...busy, retryAfterMilliseconds: 1000 });
    first.resolve('first');
    await expect(waiting[0]).resolves.toBe('first');
    await expect(guard.wait(() => Promise.reject(stalled))).rejects.toBe(stalled);
    second.resolve('second');
    await expect(waiting[1]).resolves.toBe('second');
    await expect(guard.wait(async () => 'fourth')).resolves.toBe('fourth');
    expect([guard.waitingCount, guard.refusals]).toEqual([0, { busy: 1, open: 0 }]);
  });
});

describe('the circuit breaker', () => {
  test('opens after consecutive transient failures, and says when to come back', () => {
    const { guard, pass } = create({ openMilliseconds: 8000 });
    fail(guard, stalled, 2);
    expect(guard.state).toBe('closed');
    fail(guard, stalled);
    pass(3000);
    expect(guard.state).toBe('open');
    expect(refusalOf(guard)).toMatchObject({ ...open, retryAfterMilliseconds: 5000 });
    expect(guard.refusals).toEqual({ busy: 0, open: 1 });
  });

  test.each([
    ['a success', (guard: StoreGuard) => guard.admit().succeed()],
    ['a missing object', (guard: StoreGuard) => fail(guard, missing)],
  ])('%s in between resets the count', (_, respond) => {
    const { guard } = create();
    fail(guard, stalled, 2);
    respond(guard);
    fail(guard, stalled, 2);
    expect(guard.state).toBe('closed');
  });

  test.each([
    ['a caller who gave up', undefined],
    ['the reason of a signal', 'enough'],
    ['an aborted read', new StorageError('ABORTED', 'the read was aborted', { key: 'k' })],
  ])('%s neither counts as a failure nor resets the count', (_, reason) => {
    const { guard } = create();
    fail(guard, reason, 5);
    fail(guard, stalled, 2);
    expect(guard.state).toBe('closed');
    fail(guard, reason);
    fail(guard, stalled);
    expect(guard.state).toBe('open');
  });

  test('lets one request test the store after a while', () => {
    const { guard, pass } = create();
    fail(guard, stalled, 3);
    pass(1000);
    expect(guard.state).toBe('half-open');
    const probe = guard.admit();
    expect(refusalOf(guard)).toMatchObject({ ...open, retryAfterMilliseconds: 1000 });
    probe.succeed();
    expect([guard.state, refusalOf(guard)]).toEqual(['closed', undefined]);
  });

  test('opens again if the test fails, and counts from the beginning if it succeeds', () => {
    const { guard, pass } = create();
    fail(guard, stalled, 3);
    pass(1000);
    fail(guard, stalled);
    expect(guard.state).toBe('open');
    pass(1000);
    guard.admit().succeed();
    fail(guard, stalled, 2);
    expect(guard.state).toBe('closed');
  });

  test('allows another test if the caller of the first gave up', () => {
    const { guard, pass } = create();
    fail(guard, stalled, 3);
    pass(1000);
    guard.admit().fail();
    expect(refusalOf(guard)).toBeUndefined();
  });

  test('attempts from before do not prolong the time for which it is open', () => {
    const { guard, pass } = create();
    const slow = guard.admit();
    fail(guard, stalled, 3);
    pass(900);
    slow.fail(stalled);
    pass(100);
    expect(guard.state).toBe('half-open');
  });

  test('only the first end of an attempt counts', () => {
    const { guard } = create();
    const attempt = guard.admit();
    attempt.succeed();
    for (let i = 0; i < 5; i++) attempt.fail(stalled);
    expect(guard.state).toBe('closed');
  });
});
