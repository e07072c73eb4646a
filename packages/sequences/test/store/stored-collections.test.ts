import { concatBytes, type ObjectStore } from '@htskit/io';
import { fileSource } from '@htskit/storage/file';
import { memorySource, memoryStore } from '@htskit/storage/memory';
import { fixturePath } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import type { IndexedList } from '../../src/collection/collection-attributes.js';
import { sequenceCollection } from '../../src/collection/sequence-collection.js';
import { openFasta } from '../../src/fasta/open-fasta.js';
import { exportRgstore } from '../../src/rgstore/export-rgstore.js';
import { openRgstore, readRgstore } from '../../src/rgstore/open-rgstore.js';
import { exportFasta, exportTable } from '../../src/store/export-collection.js';
import { importFasta } from '../../src/store/import-fasta.js';
import { removeCollection } from '../../src/store/remove-collection.js';
import { openSequenceStore } from '../../src/store/sequence-store.js';
import { collectionKey, digestOfCollectionKey, sequenceKey } from '../../src/store/store-layout.js';
import { verifyStore } from '../../src/store/verify-store.js';
import { readBases } from '../fasta/read-bases.js';
import { digestsOf, encode } from '../rgstore/build-rgstore.js';
import { keysOf } from './counting-store.js';

const FASTA = '>chr1 first\nACGTNN\nRYX\n>chr2\nGATTACA\n>copy\nGATTACA\n>empty\n>u\nACGUU\n>p\nMKVLJ\n>k\nACGKTN\n';

const toArray = <T>(list: IndexedList<T>): (T | undefined)[] =>
  Array.from({ length: list.length }, (_, index) => list.at(index));

async function importText(store: ObjectStore, text: string, namingAuthority?: string): Promise<string> {
  const { collection = '' } = await importFasta({ store, data: memorySource(encode(text)), namingAuthority });
  return collection;
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return new TextDecoder().decode(concatBytes(parts));
}

test('an import stores the collection of the file, which the store returns at all levels', async () => {
  const store = memoryStore();
  const digest = await importText(store, FASTA);
  const expected = await sequenceCollection(await openFasta({ data: memorySource(encode(FASTA)) }));
  const { collections } = await openSequenceStore(store);
  const found = await collections.find(digest);
  expect([found?.digest, found?.attributes]).toEqual([expected.digest, expected.attributes]);
  expect(found && toArray(found.arrays.names)).toEqual(['chr1', 'chr2', 'copy', 'empty', 'u', 'p', 'k']);
  expect(found && toArray(found.arrays.sortedSequences)).toEqual(toArray(expected.arrays.sortedSequences));
  expect(await collections.list()).toEqual([
    {
      digest,
      length: 7,
      attributes: Object.fromEntries(Object.entries(expected.attributes).map(([name, found]) => [name, found.digest])),
    },
  ]);
  expect([await collections.find('x'), await collections.find(digest.split('').reverse().join(''))]).toEqual([
    undefined,
    undefined,
  ]);
});

test('the collection of a file is the same from the file and from a store', async () => {
  const data = fileSource(fixturePath('genome.fa'));
  const { collection } = await importFasta({ store: memoryStore(), data });
  expect(collection).toBe((await sequenceCollection(await openFasta({ data }))).digest);
});

test('an import of no records stores no collection', async () => {
  const store = memoryStore();
  expect(await importText(store, '')).toBe('');
  expect(await (await openSequenceStore(store)).collections.list()).toEqual([]);
});

test('the key of a collection holds its digest, and no other key does', () => {
  const digest = digestsOf('ACGT').sha512t24u.slice(3);
  expect(digestOfCollectionKey(collectionKey(digest))).toBe(digest);
  expect(digestOfCollectionKey(collectionKey(digest).replace(/\/...\//, '/zzz/'))).toBeUndefined();
  expect(digestOfCollectionKey('collections/readme')).toBeUndefined();
});

describe('verifying a store', () => {
  const findingsOf = async (store: ObjectStore): Promise<string[]> => {
    const problems: string[] = [];
    await verifyStore(store, { onFinding: ({ key, problem }) => problems.push(`${key.split('/')[0]}: ${problem}`) });
    return problems;
  };

  test('finds a damaged collection, one under another key, and a missing sequence', async () => {
    const store = memoryStore();
    const digest = await importText(store, FASTA);
    expect(await findingsOf(store)).toEqual([]);
    const key = collectionKey(digest);
    const bytes = await store.source(key).read({ start: 0, end: 1e6 });
    await store.put(key, bytes.with(-40, 1 ^ (bytes.at(-40) ?? 0)));
    expect(await findingsOf(store)).toEqual(['collections: the digest does not match']);
    await store.put(key, bytes);
    const other = collectionKey(digestsOf('ACGT').sha512t24u.slice(3));
    await store.put(other, bytes);
    expect(await findingsOf(store)).toEqual(['collections: the object does not hold the collection']);
    await store.delete(other);
    const { sha512t24u, trunc512 } = digestsOf('GATTACA');
    await store.delete(sequenceKey(trunc512));
    expect(await findingsOf(store)).toContain(`collections: the sequence ${sha512t24u} does not exist`);
  });
});

describe('exporting a collection', () => {
  test('returns the FASTA with lines of any length', async () => {
    const store = memoryStore();
    const digest = await importText(store, FASTA);
    for (const lineBases of [1, 4, 9, 60]) {
      const text = await textOf(exportFasta(store, digest, { lineBases }));
      expect(
        text
          .replace(/\n(?!>|$)/g, '')
          .split('\n')
          .join(''),
      ).toBe('>chr1ACGTNNRYX>chr2GATTACA>copyGATTACA>empty>uACGUU>pMKVLJ>kACGKTN');
      expect(
        Math.max(
          ...text
            .split('\n')
            .filter((line) => !line.startsWith('>'))
            .map(({ length }) => length),
        ),
      ).toBe(Math.min(lineBases, 9));
      expect(await importText(memoryStore(), text)).toBe(digest);
    }
    await expect(textOf(exportFasta(store, digest, { lineBases: 0 }))).rejects.toThrow(RangeError);
  });

  test('returns a table of names and digests', async () => {
    const store = memoryStore();
    const { length, md5, sha512t24u, trunc512 } = digestsOf('GATTACA');
    const lines = (await textOf(exportTable(store, await importText(store, FASTA)))).split('\n');
    expect(lines[0]).toBe('#name\tlength\tmd5\tsha512t24u\ttrunc512');
    expect(lines[2]).toBe(['chr2', length, md5, sha512t24u, trunc512].join('\t'));
    expect(lines).toHaveLength(9);
  });

  test.each([
    [
      'a name that begins with "#"',
      '>a\nACGT\n>#b\nGG\n',
      undefined,
      /^the name of sequence 2 of collection \S+ is "#b"/,
    ],
    ['a record without a name', '>\nACGT\n', undefined, /^the name of sequence 1 of collection \S+ is ""/],
    [
      'an alias that begins with "#"',
      '>a\nACGT\n',
      { sequence: 'a', alias: '#1', namingAuthority: 'here' },
      /^an alias of sequence 1 of collection \S+ is "#1"/,
    ],
  ])('refuses to write a RefgetStore with %s, and writes nothing', async (_, text, alias, message) => {
    const [store, target] = [memoryStore(), memoryStore()];
    const first = await importText(store, '>x\nGATTACA\n');
    const { collection = '' } = await importFasta({
      store,
      data: memorySource(encode(text)),
      ...(alias && { aliases: [alias] }),
    });
    const exported = exportRgstore(store, { target, collections: [first, collection] });
    await expect(exported).rejects.toMatchObject({
      code: 'INVALID_NAME',
      message: expect.stringMatching(message) as string,
    });
    expect(await keysOf(target)).toEqual([]);
  });

  test.each([true, false])('writes a RefgetStore that holds the same (encoded: %s)', async (isEncoded) => {
    const store = memoryStore();
    const collections = [await importText(store, FASTA, 'here'), await importText(store, '>x\nGATTACA\n>y\nCCCC\n')];
    const target = memoryStore();
    await exportRgstore(store, { target, collections, isEncoded });
    const rgstore = await readRgstore({ store: target });
    expect((await rgstore.collections.list()).map(({ digest }) => digest)).toEqual(collections);
    for (const digest of collections) {
      const [found, expected] = [
        await rgstore.collections.find(digest),
        await (await openSequenceStore(store)).collections.find(digest),
      ];
      expect([found?.attributes, found && toArray(found.arrays.names)]).toEqual([
        expected?.attributes,
        expected && toArray(expected.arrays.names),
      ]);
    }
    const sequences = await openRgstore({ store: target });
    const texts = await Promise.all(sequences.map((sequence) => readBases(sequence)));
    expect(texts).toEqual(['ACGTNNRYX', 'GATTACA', '', 'ACGUU', 'MKVLJ', 'ACGKTN', 'CCCC']);
    expect(sequences[0]?.metadata.aliases).toEqual([{ alias: 'chr1', namingAuthority: 'here' }]);
  });

  test('fails for an unknown collection and for a missing sequence', async () => {
    const store = memoryStore();
    const digest = await importText(store, FASTA);
    await expect(textOf(exportFasta(store, 'unknown'))).rejects.toMatchObject({ code: 'UNKNOWN_COLLECTION' });
    await store.delete(sequenceKey(digestsOf('GATTACA').trunc512));
    await expect(textOf(exportFasta(store, digest))).rejects.toMatchObject({ code: 'CORRUPT' });
  });
});

test('removing a collection leaves the store as if it had never been imported', async () => {
  const [store, other] = [memoryStore(), memoryStore()];
  const kept = await importText(store, '>x\nGATTACA\n>y\nCCCC\n', 'kept');
  const removed = await importText(store, FASTA, 'removed');
  await importText(other, '>x\nGATTACA\n>y\nCCCC\n', 'kept');
  expect(await removeCollection(store, removed)).toEqual({ sequences: 5 });
  // The sequence that both have keeps its alias.
  const additional = (await keysOf(store)).filter((key) => !key.includes('removed'));
  expect(additional).toEqual(await keysOf(other));
  expect((await (await openSequenceStore(store)).collections.list()).map(({ digest }) => digest)).toEqual([kept]);
  await expect(removeCollection(store, removed)).rejects.toMatchObject({ code: 'UNKNOWN_COLLECTION' });
});
