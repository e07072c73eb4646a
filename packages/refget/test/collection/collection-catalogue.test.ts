import { sequenceCollection } from '@htskit/sequences';
import { expect, test } from 'vitest';
import { createCollectionCatalogue, sourceCollections } from '../../src/collection/collection-catalogue.js';
import { COMPLIANCE } from './published.js';

const published = Object.values(COMPLIANCE);
const collections = await Promise.all(
  [...published, COMPLIANCE.base].map(({ members }) => sequenceCollection(members)),
);
const catalogue = createCollectionCatalogue(collections);
const digests = published.map(({ digest }) => digest).sort();

test('finds each collection by its digest, in its letter case', async () => {
  for (const { digest } of published) expect((await catalogue.find(digest))?.digest).toBe(digest);
  expect(await catalogue.find(COMPLIANCE.base.digest.toLowerCase())).toBeUndefined();
  expect(await catalogue.find('constructor')).toBeUndefined();
});

test('lists equal collections once, by digest', async () => {
  expect(await catalogue.list({ filters: [], start: 0, limit: 100 })).toEqual({ digests, total: 6 });
});

test.each([
  [0, 2],
  [2, 3],
  [5, 10],
  [6, 1],
  [1e13, 1],
])('returns the page from %i of %i', async (start, limit) => {
  const page = await catalogue.list({ filters: [], start, limit });
  expect(page).toEqual({ digests: digests.slice(start, start + limit), total: 6 });
});

test('filters by one attribute or several', async () => {
  const lengths = { attribute: 'lengths', digest: COMPLIANCE.base.level1.lengths } as const;
  const coordinates = {
    attribute: 'sorted_name_length_pairs',
    digest: COMPLIANCE.base.level1.sorted_name_length_pairs,
  } as const;
  const list = async (filters: readonly (typeof lengths | typeof coordinates)[]) =>
    catalogue.list({ filters, start: 0, limit: 1 });
  expect((await list([lengths])).total).toBe(4);
  expect((await list([coordinates])).total).toBe(3);
  expect((await list([lengths, coordinates])).total).toBe(2);
  expect(await list([{ ...lengths, digest: COMPLIANCE.base.digest }, coordinates] as never)).toEqual({
    digests: [],
    total: 0,
  });
});

test('finds an attribute in any collection that has it', async () => {
  const { names } = COMPLIANCE.subset.level1;
  expect((await catalogue.findAttribute('names', names))?.arrays.names).toEqual(['chrX', 'chr1']);
  expect(await catalogue.findAttribute('sequences', names)).toBeUndefined();
});

test('finds the attribute of a store only in a collection that has it, whatever the list says', async () => {
  const { names } = COMPLIANCE.subset.level1;
  const source = sourceCollections({
    list: async () => collections.map(({ digest }) => ({ digest, length: 1, attributes: { names } })),
    find: async (digest) => collections.find((collection) => collection.digest === digest),
  });
  expect((await source.findAttribute('names', names))?.digest).toBe(COMPLIANCE.subset.digest);
  const wrong = sourceCollections({
    list: async () => [{ digest: COMPLIANCE.base.digest, length: 3, attributes: { names } }],
    find: async (digest) => collections.find((collection) => collection.digest === digest),
  });
  expect(await wrong.findAttribute('names', names)).toBeUndefined();
});
