import { sequenceCollection } from '@htskit/sequences';
import { volume } from '@htskit/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type CollectionComparison,
  type ComparedArray,
  compareCollections,
  toComparedCollection,
} from '../../src/collection/compare-collections.js';
import { COMPARISONS, COMPLIANCE, type PublishedCollection } from './published.js';

const collectionOf = async ({ members }: PublishedCollection) =>
  toComparedCollection(await sequenceCollection(members));

async function compareArrays(
  a: ComparedArray,
  b: ComparedArray,
): Promise<readonly [count: number, isSameOrder: boolean | null]> {
  const comparison = await compareCollections(
    { digest: null, attributes: new Map([['names', a]]) },
    { digest: null, attributes: new Map([['names', b]]) },
  );
  const { a_and_b_count: count, a_and_b_same_order: order } = comparison.array_elements;
  return [count['names'] ?? -1, order['names'] ?? null];
}

describe.each(COMPARISONS)('base and $name', (other, expected) => {
  test('compare like in the compliance tests, by the rules of the reference implementation', async () => {
    const comparison = await compareCollections(await collectionOf(COMPLIANCE.base), await collectionOf(other), {
      rules: 'reference',
    });
    expect(comparison).toStrictEqual(expected);
  });

  test('compare by the specification, which lists transient attributes and gives one element no order', async () => {
    const { digests, attributes, array_elements: elements } = expected;
    const order = Object.entries(elements.a_and_b_same_order).map(([name, isSameOrder]) => [
      name,
      (elements.a_and_b_count[name] ?? 0) < 2 ? null : isSameOrder,
    ]);
    const comparison = await compareCollections(await collectionOf(COMPLIANCE.base), await collectionOf(other));
    expect(comparison).toStrictEqual({
      digests,
      attributes: {
        ...attributes,
        a_and_b: ['lengths', 'name_length_pairs', 'names', 'sequences', 'sorted_name_length_pairs', 'sorted_sequences'],
      },
      array_elements: { ...elements, a_and_b_same_order: Object.fromEntries(order) as Record<string, boolean | null> },
    } satisfies CollectionComparison);
  });
});

// Sequence collections 1.0.0, §3.3, "Same-order specification"
test.each<[string, readonly string[], readonly string[], number, boolean | null]>([
  ['nothing shared', ['a', 'b'], ['c', 'd'], 0, null],
  ['one shared', ['a', 'b'], ['b', 'c'], 1, null],
  ['empty arrays', [], [], 0, null],
  ['equal', ['a', 'b', 'c'], ['a', 'b', 'c'], 3, true],
  ['a subset in order', ['a', 'x', 'b', 'y', 'c'], ['a', 'b', 'c'], 3, true],
  ['both with others between', ['a', 'x', 'b'], ['z', 'a', 'y', 'y', 'b', 'z'], 2, true],
  ['turned around', ['a', 'b'], ['b', 'a'], 2, false],
  ['balanced duplicates in order', ['1', '2', '1'], ['1', 'x', '2', '1'], 3, true],
  ['balanced duplicates in another order', ['1', '2', '1'], ['2', '1', '1'], 3, false],
  ['an element twice, and nothing else', ['1', '1'], ['1', '1'], 2, true],
  ['more copies in a', ['a', 'b', 'a'], ['a', 'b'], 2, null],
  ['more copies in b', ['a', 'b'], ['a', 'b', 'b'], 2, null],
  ['more copies in a of one, in b of another', ['a', 'a', 'b'], ['a', 'b', 'b'], 2, null],
  ['duplicates that are not shared', ['x', 'a', 'x', 'b'], ['a', 'b', 'y', 'y'], 2, true],
])('%s', async (_, a, b, count, isSameOrder) => {
  expect(await compareArrays(a, b)).toEqual([count, isSameOrder]);
  expect(await compareArrays(b, a)).toEqual([count, isSameOrder]);
});

test('agrees with a brute-force comparison of all elements', async () => {
  const elements = fc.array(fc.constantFrom<string[]>('a', 'b', 'c', 'd', 'e'), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(elements, elements, async (a, b) => {
      const copies = (array: readonly string[], element: string) => array.filter((other) => other === element).length;
      const shared = [...new Set(a)].filter((element) => b.includes(element));
      const count = shared.reduce((sum, element) => sum + Math.min(copies(a, element), copies(b, element)), 0);
      const isBalanced = shared.every((element) => copies(a, element) === copies(b, element));
      const onlyShared = (array: readonly string[]) => array.filter((element) => shared.includes(element)).join();
      const order = count < 2 || !isBalanced ? null : onlyShared(a) === onlyShared(b);
      expect(await compareArrays(a, b)).toEqual([count, order]);
    }),
    { seed: 7, numRuns: volume(2000) },
  );
});

test('distinguishes numbers from strings that look like them', async () => {
  expect(await compareArrays([1, 2], ['1', '2'])).toEqual([0, null]);
});

test('distinguishes a name that ends in digits from a length', async () => {
  const one = [{ name: '2 x', metadata: { length: 1, sha512t24u: 'SQ.a' } }];
  const other = [{ name: 'x', metadata: { length: 12, sha512t24u: 'SQ.a' } }];
  const comparison = await compareCollections(
    toComparedCollection(await sequenceCollection(one)),
    toComparedCollection(await sequenceCollection(other)),
  );
  expect(comparison.array_elements.a_and_b_count['name_length_pairs']).toBe(0);
});

test('counts attributes of any name, and lists those without elements', async () => {
  const a = {
    digest: 'a',
    attributes: new Map([
      ['author', undefined],
      ['names', ['x']],
    ] as [string, string[] | undefined][]),
  };
  const b = {
    digest: null,
    attributes: new Map([
      ['__proto__', ['x', 'y']],
      ['names', ['x']],
    ]),
  };
  const { digests, attributes, array_elements: elements } = await compareCollections(a, b);
  expect(digests).toEqual({ a: 'a', b: null });
  expect(attributes).toEqual({ a_only: ['author'], b_only: ['__proto__'], a_and_b: ['names'] });
  expect(Object.entries(elements.a_count)).toEqual([['names', 1]]);
  expect(Object.entries(elements.b_count)).toEqual([
    ['__proto__', 2],
    ['names', 1],
  ]);
});

test('compares 200,000 elements', async () => {
  const names = Array.from({ length: 200_000 }, (_, index) => `n${index}`);
  expect(await compareArrays(names, names)).toEqual([200_000, true]);
  expect(await compareArrays(names, names.toReversed())).toEqual([200_000, false]);
});

test('does not look into arrays of equal digests', async () => {
  const array: ComparedArray = {
    length: 3,
    digest: 'same',
    at: () => {
      throw new Error('looked at');
    },
  };
  expect(await compareArrays(array, array)).toEqual([3, true]);
  await expect(compareArrays(array, { ...array, digest: 'other' })).rejects.toThrow('looked at');
});

test('yields to the event loop, and ends when the signal is aborted', async () => {
  const names = Array.from({ length: 200_000 }, (_, index) => `n${index}`);
  const collection = { digest: null, attributes: new Map([['names', names]]) };
  const controller = new AbortController();
  setTimeout(() => controller.abort(new Error('enough')), 0);
  await expect(compareCollections(collection, collection, { signal: controller.signal })).rejects.toThrow('enough');
});
