import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startBackgroundTimer, startTimer, systemClock } from '../src/clock.js';

describe('sleep', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('resolves after the milliseconds', async () => {
    let isOver = false;
    const sleeping = systemClock.sleep(1000).then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(999);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await sleeping;
  });

  test('resolves as soon as the signal is aborted, and leaves no timer', async () => {
    const controller = new AbortController();
    const sleeping = systemClock.sleep(1000, controller.signal);
    controller.abort();
    await sleeping;
    expect(vi.getTimerCount()).toBe(0);
  });

  test('resolves at once for a signal that is already aborted', async () => {
    await systemClock.sleep(1000, AbortSignal.abort());
    expect(vi.getTimerCount()).toBe(0);
  });

  test('removes its listener from the signal', async () => {
    const { signal } = new AbortController();
    const remove = vi.spyOn(signal, 'removeEventListener');
    const sleeping = systemClock.sleep(1, signal);
    await vi.advanceTimersByTimeAsync(1);
    await sleeping;
    expect(remove).toHaveBeenCalledTimes(1);
  });
});

describe('startTimer', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Another clock: its delays are not those of the system. */
  const otherClock = {
    sleep: (milliseconds: number, signal?: AbortSignal): Promise<void> => systemClock.sleep(2 * milliseconds, signal),
  };

  test.each([
    ['the system', systemClock, 1000],
    ['another clock', otherClock, 2000],
  ])('calls back after the milliseconds of %s', async (_, clock, milliseconds) => {
    const callback = vi.fn<() => void>();
    startTimer(clock, 1000, callback);
    await vi.advanceTimersByTimeAsync(milliseconds - 1);
    expect(callback).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(callback).toHaveBeenCalledTimes(1);
  });

  test.each([
    ['the system', systemClock],
    ['another clock', otherClock],
  ])('does not call back once it is stopped, and leaves no timer of %s', async (_, clock) => {
    const callback = vi.fn<() => void>();
    const stop = startTimer(clock, 1000, callback);
    stop();
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(5000);
    expect(callback).not.toHaveBeenCalled();
  });
});

describe('startBackgroundTimer', () => {
  test('calls back, and does not keep the process alive', () => {
    vi.useFakeTimers();
    const callback = vi.fn<() => void>();
    startBackgroundTimer(1000, callback);
    startBackgroundTimer(1000, callback)();
    vi.advanceTimersByTime(1000);
    expect(callback).toHaveBeenCalledTimes(1);
    vi.useRealTimers();
    const unref = vi.fn<() => void>();
    vi.stubGlobal('setTimeout', () => ({ unref }));
    startBackgroundTimer(1000, callback);
    expect(unref).toHaveBeenCalledTimes(1);
    vi.unstubAllGlobals();
  });

  test('does not keep the process alive if timers are numbers, as in Deno', () => {
    const unrefTimer = vi.fn<(id: number) => void>();
    vi.stubGlobal('setTimeout', () => 7);
    vi.stubGlobal('Deno', { unrefTimer });
    startBackgroundTimer(1000, () => undefined);
    expect(unrefTimer).toHaveBeenCalledWith(7);
    vi.unstubAllGlobals();
  });
});

test('now is the time and random lies in [0, 1)', () => {
  vi.useFakeTimers({ now: 1_790_000_000_000 });
  expect(systemClock.now()).toBe(1_790_000_000_000);
  vi.useRealTimers();
  for (let i = 0; i < 100; i++) {
    const value = systemClock.random();
    expect(value >= 0 && value < 1).toBe(true);
  }
});
