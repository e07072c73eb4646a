import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DecisionCache } from '../../src/auth/decision-cache.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

test('gives a decision until it expires', () => {
  const cache = new DecisionCache();
  cache.set('a', { permission: 'all', expires: 1_001_000 });
  vi.setSystemTime(1_000_999);
  expect(cache.get('a')).toBe('all');
  vi.setSystemTime(1_001_000);
  expect(cache.get('a')).toBeUndefined();
});

test('takes the latest decision of a key', () => {
  const cache = new DecisionCache();
  cache.set('a', { permission: 'all', expires: 2_000_000 });
  cache.set('a', { permission: 'forbidden', expires: 2_000_000 });
  expect(cache.get('a')).toBe('forbidden');
});

test('forgets the oldest decisions where there are too many', () => {
  const cache = new DecisionCache();
  for (let i = 0; i < 100_002; i++) cache.set(String(i), { permission: 'all', expires: 2_000_000 });
  expect([0, 1, 2, 100_001].map((key) => cache.get(String(key)))).toEqual([undefined, undefined, 'all', 'all']);
});

test('counts the regions of a decision', () => {
  const cache = new DecisionCache();
  const regions = Array.from({ length: 49_000 }, () => ({ referenceName: 'chr1' }));
  for (const key of ['a', 'b', 'c']) cache.set(key, { permission: { regions }, expires: 2_000_000 });
  expect(['a', 'b', 'c'].map((key) => cache.get(key) === undefined)).toEqual([true, false, false]);
});

test('counts a decision no longer once it is replaced or has expired', () => {
  const cache = new DecisionCache();
  const regions = Array.from({ length: 60_000 }, () => ({ referenceName: 'chr1' }));
  cache.set('other', { permission: 'all', expires: 2_000_000 });
  for (let i = 0; i < 5; i++) cache.set('a', { permission: { regions }, expires: 1_001_000 });
  vi.setSystemTime(1_001_000);
  expect(cache.get('a')).toBeUndefined();
  cache.set('b', { permission: { regions }, expires: 2_000_000 });
  expect(cache.get('other')).toBe('all');
});
