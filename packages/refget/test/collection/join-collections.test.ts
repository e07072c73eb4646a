import { sequenceCollection } from '@htskit/sequences';
import { expect, test } from 'vitest';
import {
  type CollectionCatalogue,
  createCollectionCatalogue,
  joinCollections,
  sourceCollections,
} from '../../src/collection/collection-catalogue.js';
import { COMPLIANCE } from './published.js';

const [one, other, third] = await Promise.all(
  Object.values(COMPLIANCE)
    .slice(0, 3)
    .map(({ members }) => sequenceCollection(members)),
);
if (one === undefined || other === undefined || third === undefined) throw new Error('three collections are needed');

const toSource = (found: readonly (typeof one)[]): CollectionCatalogue =>
  sourceCollections({
    list: () =>
      Promise.resolve(
        found.map(({ digest, attributes, arrays }) => ({
          digest,
          length: arrays.names.length,
          attributes: { names: attributes.names.digest },
        })),
      ),
    find: (digest) => Promise.resolve(found.find((each) => each.digest === digest)),
  });

const failing = sourceCollections({
  list: () => Promise.reject(new Error('no response')),
  find: () => Promise.reject(new Error('no response')),
});

test('lists each collection of files and stores once, sorted and by page', async () => {
  const joined = joinCollections([createCollectionCatalogue([one, other]), toSource([other, third])]);
  const all = [one, other, third].map(({ digest }) => digest).sort();
  expect(await joined.list({ filters: [], start: 0, limit: 9 })).toEqual({ digests: all, total: 3 });
  expect(await joined.list({ filters: [], start: 1, limit: 1 })).toEqual({ digests: all.slice(1, 2), total: 3 });
  const filters = [{ attribute: 'names', digest: third.attributes.names.digest } as const];
  expect((await joined.list({ filters, start: 0, limit: 9 })).digests).toContain(third.digest);
});

test('finds collections and attributes in any of them', async () => {
  const joined = joinCollections([createCollectionCatalogue([one]), toSource([other])]);
  expect((await joined.find(other.digest))?.digest).toBe(other.digest);
  expect((await joined.findAttribute('names', other.attributes.names.digest))?.attributes.names.digest).toBe(
    other.attributes.names.digest,
  );
  expect([await joined.find('x'), await joined.findAttribute('names', 'x')]).toEqual([undefined, undefined]);
});

test('skips a catalogue that fails only if another one knows the collection', async () => {
  const joined = joinCollections([failing, createCollectionCatalogue([one])]);
  expect((await joined.find(one.digest))?.digest).toBe(one.digest);
  await expect(joined.find('x')).rejects.toThrow('no response');
  await expect(joined.list({ filters: [], start: 0, limit: 9 })).rejects.toThrow('no response');
});
