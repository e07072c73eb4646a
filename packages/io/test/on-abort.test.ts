import { describe, expect, test, vi } from 'vitest';
import { onAbort, unlessAborted } from '../src/on-abort.js';

test('one listener calls all callbacks of a signal', () => {
  const controller = new AbortController();
  const listen = vi.spyOn(controller.signal, 'addEventListener');
  const called: number[] = [];
  for (let index = 0; index < 20; index++) onAbort(controller.signal, () => called.push(index));
  expect(called).toEqual([]);
  controller.abort();
  expect(called).toEqual(Array.from({ length: 20 }, (_, index) => index));
  expect(listen).toHaveBeenCalledTimes(1);
});

test('does not call an unregistered callback', () => {
  const controller = new AbortController();
  const called: string[] = [];
  const stopFirst = onAbort(controller.signal, () => called.push('first'));
  onAbort(controller.signal, () => called.push('second'));
  stopFirst();
  stopFirst();
  controller.abort();
  expect(called).toEqual(['second']);
});

test('a signal without callbacks has no listener, until the next callback', () => {
  const controller = new AbortController();
  const stopListening = vi.spyOn(controller.signal, 'removeEventListener');
  const stops = [1, 2].map(() => onAbort(controller.signal, () => undefined));
  stops[0]?.();
  expect(stopListening).not.toHaveBeenCalled();
  stops[1]?.();
  expect(stopListening).toHaveBeenCalledTimes(1);
  let isCalled = false;
  onAbort(controller.signal, () => {
    isCalled = true;
  });
  controller.abort();
  expect(isCalled).toBe(true);
});

test('a callback gets the reason, at once if the signal is already aborted', () => {
  const controller = new AbortController();
  const reasons: unknown[] = [];
  onAbort(controller.signal, (reason) => reasons.push(reason));
  controller.abort('gone');
  onAbort(controller.signal, (reason) => reasons.push(reason))();
  expect(reasons).toEqual(['gone', 'gone']);
});

test('registers nothing without a signal', () => {
  expect(onAbort(undefined, () => undefined)()).toBeUndefined();
});

describe('unlessAborted', () => {
  test.each([
    ['no signal', undefined],
    ['a signal that is not aborted', new AbortController().signal],
  ])('settles like the work with %s', async (_, signal) => {
    expect(await unlessAborted(Promise.resolve(1), signal, 'key')).toBe(1);
    await expect(unlessAborted(Promise.reject(new Error('lost')), signal, 'key')).rejects.toThrow('lost');
  });

  test('rejects when the signal is aborted, and leaves no listener', async () => {
    const controller = new AbortController();
    const stopListening = vi.spyOn(controller.signal, 'removeEventListener');
    const waiting = unlessAborted(new Promise(() => undefined), controller.signal, 'key');
    controller.abort('gone');
    await expect(waiting).rejects.toMatchObject({ code: 'ABORTED', key: 'key', cause: 'gone' });
    expect(stopListening).toHaveBeenCalled();
  });

  test('rejects at once for an aborted signal', async () => {
    const work = Promise.resolve(1);
    await expect(unlessAborted(work, AbortSignal.abort(), 'key')).rejects.toMatchObject({ code: 'ABORTED' });
  });

  test('leaves no listener when the work is done', async () => {
    const { signal } = new AbortController();
    const stopListening = vi.spyOn(signal, 'removeEventListener');
    await unlessAborted(Promise.resolve(1), signal, 'key');
    expect(stopListening).toHaveBeenCalledTimes(1);
  });
});
