import { expect, test } from 'vitest';
import { namedReferences, numberedReferences } from '../../src/internal.js';

const ids = new Map([
  ['a', 0],
  ['b', 1],
]);
const index = { tabix: { names: ['b', 'c'] }, referenceId: (name: string) => ({ b: 0, c: 1 })[name] };

test('records with numbers have the references of the header', () => {
  const references = numberedReferences(ids, { hasUnplaced: true });
  expect([references.referenceId('b'), references.referenceId('c')]).toEqual([1, undefined]);
  expect({ ...references, names: [...references.names()] }).toMatchObject({
    names: ['a', 'b'],
    count: 2,
    hasUnplaced: true,
  });
});

test('records with names have those of the header and of the index', () => {
  const references = namedReferences(ids, index);
  expect(['a', 'c', 'c', 'd'].map((name) => references.referenceId(name))).toEqual([0, 2, 2, undefined]);
  expect([...references.names()]).toEqual(['a', 'b', 'c']);
});

test('without an index, records may have any name', () => {
  const references = namedReferences(ids, undefined);
  expect(['x', 'b', 'y', 'x'].map((name) => references.referenceId(name))).toEqual([2, 1, 3, 2]);
});
