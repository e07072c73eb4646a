import type { ObjectStore } from '@htskit/io';
import { checkMutations, volume } from '@htskit/testing';
import { expect, test } from 'vitest';
import { sequenceCollection } from '../../src/collection/sequence-collection.js';
import { readRgstore } from '../../src/rgstore/open-rgstore.js';
import { parseCollectionRows } from '../../src/rgstore/rgstore-tables.js';
import { SequenceSourceError } from '../../src/sequence-source-error.js';
import { buildRgstore, digestsOf, encode, MANIFEST } from './build-rgstore.js';

const MEMBERS = ['ACGT', 'GATTACA'].map((bases, index) => ({ name: `chr${index}`, metadata: digestsOf(bases) }));
const collection = await sequenceCollection(MEMBERS);
const INDEX = `#digest\tn_sequences\tnames_digest\n${collection.digest}\t2\t${collection.attributes.names.digest}\n`;
const ROWS = MEMBERS.map(({ name, metadata: { length, sha512t24u, md5 } }) =>
  [name, length, 'dna2bit', sha512t24u.slice(3), md5, ''].join('\t'),
);

async function build(rows: readonly string[] = ROWS, index: string | undefined = INDEX): Promise<ObjectStore> {
  const store = await buildRgstore([], { ...MANIFEST, collection_index: 'collections.rgci' });
  if (index !== undefined) await store.put('collections.rgci', encode(index));
  await store.put(`collections/${collection.digest}.rgsi`, encode(`##seqcol_digest=x\n${rows.join('\n')}\n`));
  return store;
}

test('lists the collections with the digests that the store knows, and returns them at all levels', async () => {
  const { collections } = await readRgstore({ store: await build() });
  expect(await collections.list()).toEqual([
    { digest: collection.digest, length: 2, attributes: { names: collection.attributes.names.digest } },
  ]);
  const found = await collections.find(collection.digest);
  expect(found?.attributes).toEqual(collection.attributes);
  expect([0, 1, 2].map((index) => found?.arrays.names.at(index))).toEqual(['chr0', 'chr1', undefined]);
  expect(await collections.find('unknown')).toBeUndefined();
});

test('refuses a collection whose sequences do not match its digest', async () => {
  for (const rows of [ROWS.toReversed(), []]) {
    const { collections } = await readRgstore({ store: await build(rows) });
    await expect(collections.find(collection.digest)).rejects.toMatchObject({ code: 'DIGEST_MISMATCH' });
  }
});

test('refuses a collection with another length than that of the sequence', async () => {
  const store = await build(ROWS.map((row) => row.replace('\t7\t', '\t8\t')));
  await store.put('sequences.rgsi', encode(`${ROWS.join('\n')}\n`));
  const { collections } = await readRgstore({ store });
  await expect(collections.find(collection.digest)).rejects.toMatchObject({
    code: 'DIGEST_MISMATCH',
    message: 'sequence 2 of a collection has length 8, expected 7',
  });
});

test('has no collections without a table of them', async () => {
  const store = await build(ROWS);
  await store.delete('collections.rgci');
  expect(await (await readRgstore({ store })).collections.list()).toEqual([]);
  const early = await buildRgstore([]);
  expect(await (await readRgstore({ store: early })).collections.list()).toEqual([]);
});

test.each(['short\t1\n', `${collection.digest}\n`, `${collection.digest}\tmany\n`, `${collection.digest}\t-1\n`])(
  'refuses the table of collections %j',
  async (index) => {
    const store = await build(ROWS, index);
    await expect(readRgstore({ store })).rejects.toMatchObject({ code: 'INVALID_STORE' });
  },
);

test('parses a damaged table of collections or refuses it', async () => {
  const { accepted, refused } = await checkMutations(encode(INDEX), {
    seed: 3,
    count: volume(1000),
    check(bytes) {
      try {
        for (const { length } of parseCollectionRows(bytes)) expect(Number.isSafeInteger(length)).toBe(true);
        return true;
      } catch (error) {
        if (error instanceof SequenceSourceError && error.code === 'INVALID_STORE') return false;
        throw error;
      }
    },
  });
  expect(Math.min(accepted, refused)).toBeGreaterThan(0);
});
