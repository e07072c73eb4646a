import { expect, test } from 'vitest';
import { checkMutations, mutations } from '../src/index.js';

const bytes = Uint8Array.from({ length: 200 }, (_, i) => i);

test('equal seeds give equal mutations, other seeds others', () => {
  const first = [...mutations(bytes, { seed: 7, count: 50 })];
  expect([...mutations(bytes, { seed: 7, count: 50 })]).toEqual(first);
  expect([...mutations(bytes, { seed: 8, count: 50 })]).not.toEqual(first);
});

test('the given bytes stay as they are', () => {
  const copy = bytes.slice();
  // A Buffer's `slice` is a view of it.
  for (const mutation of mutations(Buffer.from(bytes.buffer), { seed: 1, count: 200 })) mutation.bytes.fill(0);
  expect(bytes).toEqual(copy);
});

test('every kind of damage occurs', () => {
  const kinds = new Set<string>();
  for (const { description } of mutations(bytes, { seed: 2, count: 200 })) kinds.add(description.replace(/\d+/g, 'N'));
  expect([...kinds].sort()).toEqual([
    'N bytes inserted at N',
    'N-bit field at N set to N',
    'bit N of byte N flipped',
    'byte N set to N',
    'bytes up to N followed by those from N',
    'truncated to N bytes',
  ]);
});

test('a single byte can be mutated, no bytes cannot', () => {
  expect([...mutations(Uint8Array.of(1), { seed: 3, count: 100 })]).toHaveLength(100);
  expect(() => [...mutations(new Uint8Array(), { seed: 3, count: 1 })]).toThrow('nothing to mutate');
});

test('outcomes are counted', async () => {
  const check = (mutated: Uint8Array) => mutated.length === bytes.length;
  const { accepted, refused } = await checkMutations(bytes, { seed: 1, count: 200, check });
  expect(accepted).toBeGreaterThan(50);
  expect(refused).toBeGreaterThan(50);
  expect(accepted + refused).toBe(200);
});

test('a failing check names the damage', async () => {
  const cause = new Error('wrong');
  const check = (): boolean => {
    throw cause;
  };
  const failure = checkMutations(bytes, { seed: 1, count: 1, check });
  await expect(failure).rejects.toThrow(/\(seed 1, mutation 0\)$/);
  await expect(checkMutations(bytes, { seed: 1, count: 1, check })).rejects.toMatchObject({ cause });
});
