import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SHARED_BYTES as BROWSER_BYTES } from '../../src/source/shared-bytes.js';
import { SHARED_BYTES as NODE_BYTES } from '../../src/source/shared-bytes.node.js';
import { SHARED_BYTES as WORKERD_BYTES } from '../../src/source/shared-bytes.workerd.js';

const MiB = 2 ** 20;

let FileCache: typeof import('../../src/source/file-cache.js').FileCache;

// Each test has a budget without what others have read. Modules keep functions of the timers that are there when they are evaluated.
beforeEach(async () => {
  vi.resetModules();
  ({ FileCache } = await import('../../src/source/file-cache.js'));
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

describe('files without a budget of their own', () => {
  test('share one of 256 MiB, in browsers 64 MiB, in workerd 32 MiB', () => {
    expect([NODE_BYTES, BROWSER_BYTES, WORKERD_BYTES].map((bytes) => bytes / MiB)).toEqual([256, 64, 32]);
    const files = [new FileCache(), new FileCache()];
    const parts = files.map((file) => file.part<string>('text'));
    for (const [i, part] of parts.entries()) part.set('a', `file ${i}`, 100 * MiB);
    expect(parts.map((part) => part.get('a'))).toEqual(['file 0', 'file 1']);
    expect(parts.map(({ weight }) => weight)).toEqual([200 * MiB, 200 * MiB]);
    parts[0]?.set('b', 'more', 100 * MiB);
    expect(parts.map((part) => part.get('a'))).toEqual([undefined, 'file 1']);
    files[1]?.clear();
    expect([parts[0]?.get('b'), parts[1]?.get('a'), parts[0]?.weight]).toEqual(['more', undefined, 100 * MiB]);
    files[0]?.clear();
    expect([parts[0]?.weight, vi.getTimerCount()]).toEqual([0, 0]);
  });

  test('keep what was used within three minutes', () => {
    const file = new FileCache();
    const part = file.part<string>('text');
    part.set('a', 'used', 1);
    part.set('b', 'not used', 1);
    vi.advanceTimersByTime(120_000);
    expect(part.get('a')).toBe('used');
    vi.advanceTimersByTime(120_000);
    expect([part.get('a'), part.get('b'), part.weight]).toEqual(['used', undefined, 1]);
    vi.advanceTimersByTime(240_000);
    expect([part.weight, vi.getTimerCount()]).toEqual([0, 0]);
  });
});

test('a budget of a file is its own', () => {
  const [own, other] = [new FileCache(10), new FileCache()];
  const parts = [own.part<number>('number'), other.part<number>('number')];
  parts[0]?.set('a', 1, 8);
  parts[1]?.set('a', 2, 8);
  expect(parts.map(({ weight }) => weight)).toEqual([8, 8]);
  parts[0]?.set('b', 3, 8);
  expect([parts[0]?.get('a'), parts[1]?.get('a')]).toEqual([undefined, 2]);
  expect([own.readingBytes, other.readingBytes]).toEqual([2.5, 64 * MiB]);
  other.clear();
});

test('the parts of a file hold values of their own', () => {
  const file = new FileCache(10);
  file.part<number>('number').set(1, 7, 1);
  expect(file.part<string>('text').get(1)).toBeUndefined();
  expect(file.part<number>('number').get(1)).toBe(7);
});
