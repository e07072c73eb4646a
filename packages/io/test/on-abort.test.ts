import { expect, test, vi } from 'vitest';
import { onAbort } from '../src/on-abort.js';

test('one listener calls all callbacks of a signal', () => {
  const controller = new AbortController();
  const listen = vi.spyOn(controller.signal, 'addEventListener');
  const called: number[] = [];
  for (let rank = 0; rank < 20; rank++) onAbort(controller.signal, () => called.push(rank));
  expect(called).toEqual([]);
  controller.abort();
  expect(called).toEqual(Array.from({ length: 20 }, (_, rank) => rank));
  expect(listen).toHaveBeenCalledTimes(1);
});

test('who has stopped waiting is not called', () => {
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

test('without a signal nothing is waited for', () => {
  expect(onAbort(undefined, () => undefined)()).toBeUndefined();
});
