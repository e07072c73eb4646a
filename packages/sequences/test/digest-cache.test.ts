import { memorySource } from '@htskit/storage/memory';
import { encodeTwoBit, mutations, readFixture } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import type { DigestCache } from '../src/digest-cache.js';
import { openFasta } from '../src/fasta/open-fasta.js';
import type { NamedSequence } from '../src/sequence.js';
import { openTwoBit } from '../src/two-bit/open-two-bit.js';
import { countingSource } from './fasta/counting-source.js';
import { readBases } from './fasta/read-bases.js';
import { MemoryCache } from './memory-cache.js';

const small = readFixture('crlf.fa').subarray(0, 2000);
const twoBit = encodeTwoBit([
  { name: 'a', bases: 'ACGTNNNN'.repeat(4000) },
  { name: 'b', bases: 'GATTACA' },
]);

const kinds: readonly (readonly [
  string,
  Uint8Array,
  (options: { data: ReturnType<typeof countingSource>; digestCache?: DigestCache }) => Promise<NamedSequence[]>,
])[] = [
  ['FASTA', readFixture('genome.fa'), openFasta],
  ['bgzipped FASTA', readFixture('genome.fa.gz'), openFasta],
  ['2bit', twoBit, openTwoBit],
];

describe.each(kinds)('the digest cache of %s', (_, bytes, open) => {
  test('replaces the pass over the file', async () => {
    const digestCache = new MemoryCache();
    const first = await open({ data: countingSource(bytes, 'v1'), digestCache });
    const data = countingSource(bytes, 'v1');
    const second = await open({ data, digestCache });
    expect([data.streams, digestCache.saves, digestCache.errors]).toEqual([0, 1, []]);
    expect(second.map(({ name, metadata }) => ({ name, metadata }))).toEqual(
      first.map(({ name, metadata }) => ({ name, metadata })),
    );
    for (const [index, sequence] of second.entries()) {
      expect((await readBases(sequence)) === (first[index] && (await readBases(first[index])))).toBe(true);
    }
  });

  test('digests another version of the file and saves it instead', async () => {
    const digestCache = new MemoryCache();
    await open({ data: countingSource(bytes, 'v1'), digestCache });
    const data = countingSource(bytes, 'v2');
    await open({ data, digestCache });
    expect([data.streams > 0, digestCache.saves, digestCache.errors]).toEqual([true, 2, []]);
    expect(new TextDecoder().decode(digestCache.saved)).toContain('"version":"v2"');
  });

  test('is not used for a source without versions', async () => {
    const digestCache = new MemoryCache();
    await open({ data: countingSource(bytes), digestCache });
    expect(digestCache.saves).toBe(0);
  });

  test('never changes a digest if it is damaged', async () => {
    const digestCache = new MemoryCache();
    const expected = (await open({ data: countingSource(bytes, 'v1'), digestCache })).map(({ metadata }) => metadata);
    let recomputed = 0;
    for (const mutation of mutations(digestCache.saved ?? bytes, { seed: 4, count: 60 })) {
      const damaged = new MemoryCache();
      damaged.saved = mutation.bytes;
      const sequences = await open({ data: countingSource(bytes, 'v1'), digestCache: damaged });
      expect(sequences.map(({ metadata }) => metadata)).toEqual(expected);
      recomputed += damaged.saves;
    }
    expect(recomputed).toBeGreaterThan(50);
  });
});

test.each([
  ['nothing', ''],
  ['text', 'digests'],
  ['a head without more', 'HTSKITST\u0001\0\0\0\u0002\0\0\0{}'],
  ['JSON of an earlier version', '{"htskitDigests":1,"checksum":"x","content":{}}'],
])('reports and replaces %s in place of digests', async (_, text) => {
  const digestCache = new MemoryCache();
  digestCache.saved = new TextEncoder().encode(text);
  expect(await openFasta({ data: memorySource(small, { version: 'v1' }), digestCache })).not.toEqual([]);
  expect([digestCache.errors.length, digestCache.saves]).toEqual([1, 1]);
  expect(digestCache.errors[0]?.cause).toMatchObject({ code: 'INVALID_TABLE' });
});

test('replaces a layout of another version without an error', async () => {
  const digestCache = new MemoryCache();
  digestCache.saved = new TextEncoder().encode(`HTSKITST\u0002${'\0'.repeat(60)}`);
  await openFasta({ data: memorySource(small, { version: 'v1' }), digestCache });
  expect([digestCache.errors, digestCache.saves]).toEqual([[], 1]);
});

test('replaces digests of another version of the cache', async () => {
  const digestCache = new MemoryCache();
  const open = (version: string) =>
    openFasta({ data: memorySource(small, { version: 'v1' }), digestCache: Object.assign(digestCache, { version }) });
  await open('a');
  await open('a');
  await open('b');
  expect([digestCache.errors, digestCache.saves]).toEqual([[], 2]);
});

test('ignores the digests of a file of another kind', async () => {
  const digestCache = new MemoryCache();
  await openTwoBit({ data: countingSource(twoBit, 'v1'), digestCache });
  await openFasta({ data: memorySource(small, { version: 'v1' }), digestCache });
  expect([digestCache.errors, digestCache.saves]).toEqual([[], 2]);
});

test('reports a cache that fails and opens the file', async () => {
  const errors: Error[] = [];
  const digestCache: DigestCache = {
    load: () => Promise.reject(new Error('cannot load')),
    save: () => Promise.reject(new Error('cannot save')),
    onError: (error) => errors.push(error),
  };
  expect(await openFasta({ data: memorySource(small, { version: 'v1' }), digestCache })).not.toEqual([]);
  expect(errors.map(({ message, cause }) => [message, cause])).toEqual([
    ['cannot use the saved digests', new Error('cannot load')],
    ['cannot save the digests', new Error('cannot save')],
  ]);
});
