import { fromTrunc512, SequenceDigester, type SequenceIdentifier } from '@htskit/digest';
import type { ObjectStore } from '@htskit/io';
import { memoryStore } from '@htskit/storage/memory';
import { describe, expect, test } from 'vitest';
import { openSequenceStore, type SequenceStore } from '../../src/store/sequence-store.js';
import { aliasKey, factKey, md5Key, sequenceKey } from '../../src/store/store-layout.js';
import { verifyStore } from '../../src/store/verify-store.js';
import { countingStore } from './counting-store.js';
import { randomBases, toBytes, toText } from './random-bases.js';
import { keyOf, store, trunc512Of } from './stored-fasta.js';

const CHR1 = randomBases(1_000, { seed: 1, alphabet: 'ACGTN' });
const PLASMID = randomBases(100, { seed: 2, alphabet: 'ACGT' });
const DIGESTS = new SequenceDigester().update(toBytes(CHR1)).digest();
const OTHER = new SequenceDigester().update(toBytes(PLASMID)).digest();

const EXAMPLE = { namingAuthority: 'Example', circular: new Set(['plasmid']) };

function example(): Promise<ObjectStore> {
  return store({ chr1: CHR1, plasmid: PLASMID }, EXAMPLE);
}

const IDENTIFIERS: readonly (readonly [string, SequenceIdentifier, number])[] = [
  ['sha512t24u', { kind: 'sha512t24u', digest: DIGESTS.sha512t24u }, 1],
  ['TRUNC512', { kind: 'trunc512', digest: DIGESTS.trunc512 }, 1],
  ['MD5', { kind: 'md5', digest: DIGESTS.md5 }, 2],
  ['alias', { kind: 'curie', namespace: 'example', name: 'chr1' }, 1],
];

async function digestsOf(sequences: SequenceStore, identifier: SequenceIdentifier): Promise<string[]> {
  return (await sequences.find(identifier)).map(({ metadata }) => metadata.sha512t24u);
}

function nameOf(name: string, namespace = 'example'): SequenceIdentifier {
  return { kind: 'curie', namespace, name };
}

describe('a store', () => {
  test.each(IDENTIFIERS)('finds a sequence by its %s', async (_, identifier) => {
    const [found, ...others] = await (await openSequenceStore(await example())).find(identifier);
    expect(others).toEqual([]);
    const aliases = [{ alias: 'chr1', namingAuthority: 'example' }];
    expect(found?.metadata).toEqual({ ...DIGESTS, aliases, circular: false });
    expect(toText((await found?.read({ start: 0, end: 1_000 })) ?? new Uint8Array(0))).toBe(CHR1);
  });

  test.each(IDENTIFIERS)(
    'takes at most two reads and two listings to find one by its %s, and no read as long as it is open',
    async (_, identifier, reads) => {
      const counting = countingStore(await example());
      const sequences = await openSequenceStore(counting);
      counting.clear();
      await sequences.find(identifier);
      expect(counting.reads).toHaveLength(reads);
      expect(counting.lists).toHaveLength(identifier.kind === 'curie' ? 2 : 1);
      counting.clear();
      await sequences.find(identifier);
      expect(counting.reads).toEqual([]);
    },
  );

  test.each<SequenceIdentifier>([
    { kind: 'sha512t24u', digest: fromTrunc512('0'.repeat(48)) },
    { kind: 'trunc512', digest: '0'.repeat(48) },
    { kind: 'md5', digest: '0'.repeat(32) },
    nameOf('chr'),
    nameOf('CHR1'),
    nameOf('chr1', 'other'),
    nameOf('..'),
    nameOf('../chr1'),
    nameOf('x'.repeat(5_000)),
    nameOf('chr1', 'n'.repeat(5_000)),
    nameOf('\ud800'),
  ])('does not find $kind $name$digest', async (identifier) => {
    expect(await digestsOf(await openSequenceStore(await example()), identifier)).toEqual([]);
  });

  test('returns topology and all aliases, also of sequences with the same bases', async () => {
    const objects = await example();
    await store({ pUC: PLASMID, same: PLASMID }, { store: objects, namingAuthority: 'lab' });
    const sequences = await openSequenceStore(objects);
    expect(sequences.namingAuthorities).toEqual(['example', 'lab']);
    const [found] = await sequences.find({ kind: 'md5', digest: OTHER.md5 });
    expect(found?.metadata.circular).toBe(true);
    expect(found?.metadata.aliases).toEqual([
      { alias: 'plasmid', namingAuthority: 'example' },
      { alias: 'pUC', namingAuthority: 'lab' },
      { alias: 'same', namingAuthority: 'lab' },
    ]);
  });

  test('finds all sequences that share a name', async () => {
    const objects = await example();
    await store({ chr1: PLASMID }, { store: objects, namingAuthority: 'example' });
    const found = await digestsOf(await openSequenceStore(objects), nameOf('chr1'));
    expect(found.toSorted()).toEqual([DIGESTS.sha512t24u, OTHER.sha512t24u].toSorted());
  });

  test.each([
    'a/b',
    'a!b',
    '%41',
    'a%2Fb',
    '.',
    '..',
    '.hidden',
    'ä ö',
    'a:b',
    "~!*'()",
    'sp|P01308|INS_HUMAN',
    '𝄞',
    '\u007f',
  ])('keeps the name %j', async (alias) => {
    const objects = await store({ one: CHR1 }, { aliases: [{ sequence: 'one', alias, namingAuthority: 'odd' }] });
    const [found] = await (await openSequenceStore(objects)).find(nameOf(alias, 'odd'));
    expect(found?.metadata.aliases).toEqual([{ alias, namingAuthority: 'odd' }]);
  });

  test('rejects an alias that is too long for a file name', async () => {
    await expect(store({ ['x'.repeat(190)]: CHR1 }, { namingAuthority: 'n' })).rejects.toMatchObject({
      name: 'SequenceStoreError',
      code: 'INVALID_ALIAS',
    });
    await expect(store({ ['x'.repeat(189)]: CHR1 }, { namingAuthority: 'n' })).resolves.toBeDefined();
  });

  test('lists aliases again when the cached ones have expired', async () => {
    const objects = await example();
    const [young, old] = [await openSequenceStore(objects), await openSequenceStore(objects, { aliasMilliseconds: 0 })];
    const aliasesOf = async (sequences: SequenceStore): Promise<unknown> =>
      (await sequences.find({ kind: 'md5', digest: DIGESTS.md5 }))[0]?.metadata.aliases.map(({ alias }) => alias);
    expect([await aliasesOf(young), await aliasesOf(old)]).toEqual([['chr1'], ['chr1']]);
    await store({ one: CHR1 }, { store: objects, namingAuthority: 'later' });
    expect([await aliasesOf(young), await aliasesOf(old)]).toEqual([['chr1'], ['chr1', 'one']]);
    expect(await digestsOf(young, nameOf('one', 'later'))).toEqual([DIGESTS.sha512t24u]);
  });

  test('evicts the least recently used sequences', async () => {
    const counting = countingStore(await example());
    const sequences = await openSequenceStore(counting, { cacheBytes: 100_000 });
    const readsOf = async (digest: string): Promise<number> => {
      counting.clear();
      await sequences.find({ kind: 'trunc512', digest });
      return counting.reads.length;
    };
    const reads: number[] = [];
    for (const { trunc512 } of [DIGESTS, DIGESTS, OTHER, OTHER, DIGESTS]) reads.push(await readsOf(trunc512));
    expect(reads).toEqual([1, 0, 1, 0, 1]);
  });

  test('keeps at most 256 sequences open, the most recently used ones', async () => {
    const records = Array.from({ length: 300 }, (_, index) => `ACGTNNACGT${'A'.repeat(index)}`);
    const objects = await store(Object.fromEntries(records.map((bases, index) => [`s${index}`, bases])));
    const open = new Set<string>();
    const source: ObjectStore['source'] = (key, options) => {
      const inner = objects.source(key, options);
      if (key.startsWith('sequences/')) open.add(key);
      return {
        key: inner.key,
        stat: (statOptions) => inner.stat(statOptions),
        read: (range, readOptions) => inner.read(range, readOptions),
        stream: (range, readOptions) => inner.stream(range, readOptions),
        close: async () => void open.delete(key),
      };
    };
    const sequences = await openSequenceStore({
      source,
      list: (prefix) => objects.list(prefix),
      put: () => Promise.reject(new Error('nothing is written')),
      delete: () => Promise.reject(new Error('nothing is deleted')),
    });
    for (const bases of records) await sequences.find({ kind: 'trunc512', digest: trunc512Of(bases) });
    expect(open).toEqual(new Set(records.slice(-256).map(keyOf)));
  });

  test('opens a sequence once for concurrent requests', async () => {
    const counting = countingStore(await example());
    const sequences = await openSequenceStore(counting);
    counting.clear();
    const identifier = { kind: 'trunc512', digest: DIGESTS.trunc512 } as const;
    await Promise.all(Array.from({ length: 10 }, () => sequences.find(identifier)));
    expect(counting.reads).toHaveLength(1);
  });

  test('can be used after it was closed', async () => {
    const sequences = await openSequenceStore(await example());
    const [found] = await sequences.find(nameOf('chr1'));
    await sequences.close();
    expect(toText((await found?.read({ start: 1, end: 5 })) ?? new Uint8Array(0))).toBe(CHR1.slice(1, 5));
    expect(await digestsOf(sequences, nameOf('chr1'))).toEqual([DIGESTS.sha512t24u]);
  });

  test('does not find a deleted sequence by any identifier', async () => {
    const objects = await example();
    await objects.delete(sequenceKey(DIGESTS.trunc512));
    const sequences = await openSequenceStore(objects);
    for (const [, identifier] of IDENTIFIERS) expect(await digestsOf(sequences, identifier)).toEqual([]);
  });

  test('fails for a damaged MD5 entry and does not cache the failure', async () => {
    const objects = await example();
    const sequences = await openSequenceStore(objects);
    const identifier = { kind: 'md5', digest: DIGESTS.md5 } as const;
    await objects.put(md5Key(DIGESTS.md5), toBytes('../../etc/passwd'));
    await expect(sequences.find(identifier)).rejects.toMatchObject({ code: 'CORRUPT', key: md5Key(DIGESTS.md5) });
    await objects.put(md5Key(DIGESTS.md5), toBytes(DIGESTS.trunc512));
    expect(await digestsOf(sequences, identifier)).toEqual([DIGESTS.sha512t24u]);
  });

  test('ignores keys that it cannot parse', async () => {
    const objects = await example();
    const alias = { alias: 'chr1', namingAuthority: 'example' };
    await objects.put(`${aliasKey(DIGESTS.trunc512, alias)}0`, new Uint8Array(0));
    for (const key of ['!alias!lab', '!alias!lab!a!b', '!alias!lab!%', '!alias!lab!%41', '!other', '!circular!not']) {
      await objects.put(factKey(DIGESTS.trunc512, { kind: 'circular' }).replace('!circular', key), new Uint8Array(0));
    }
    const [found] = await (await openSequenceStore(objects)).find(nameOf('chr1'));
    expect(found?.metadata).toEqual({ ...DIGESTS, aliases: [alias], circular: false });
  });

  test.each([
    ['no marker', undefined, 'NOT_A_STORE'],
    ['a marker that is not JSON', 'htskit', 'NOT_A_STORE'],
    ['a marker of something else', '{"format":"other","version":1}', 'NOT_A_STORE'],
    ['a marker that is not an object', 'null', 'NOT_A_STORE'],
    ['another version', '{"format":"htskit-refget-store","version":2}', 'UNSUPPORTED_VERSION'],
    ['no version', '{"format":"htskit-refget-store"}', 'UNSUPPORTED_VERSION'],
  ])('with %s is rejected', async (_, marker, code) => {
    const objects = memoryStore();
    if (marker !== undefined) await objects.put('htskit-store.json', toBytes(marker));
    const failure = { name: 'SequenceStoreError', code };
    await expect(openSequenceStore(objects)).rejects.toMatchObject(failure);
    await expect(verifyStore(objects, { onFinding: () => undefined })).rejects.toMatchObject(failure);
  });

  test('of another version is not written to', async () => {
    const objects = memoryStore();
    await objects.put('htskit-store.json', toBytes('{"format":"htskit-refget-store","version":2}'));
    await expect(store({ chr1: CHR1 }, { store: objects })).rejects.toMatchObject({ code: 'UNSUPPORTED_VERSION' });
  });
});
