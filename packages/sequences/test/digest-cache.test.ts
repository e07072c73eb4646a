import { sha512t24u } from '@htskit/digest';
import { memorySource } from '@htskit/storage/memory';
import { encodeTwoBit, mutations, readFixture } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import type { DigestCache } from '../src/digest-cache.js';
import { openFasta } from '../src/fasta/open-fasta.js';
import type { NamedSequence } from '../src/sequence.js';
import { openTwoBit } from '../src/two-bit/open-two-bit.js';
import { countingSource } from './fasta/counting-source.js';
import { readBases } from './fasta/read-bases.js';

/** Keeps in memory, and counts. */
class MemoryKeeper implements DigestCache {
  kept: Uint8Array | undefined;
  saves = 0;
  readonly errors: Error[] = [];

  async load(): Promise<Uint8Array | undefined> {
    return this.kept;
  }

  async save(bytes: Uint8Array): Promise<void> {
    this.kept = bytes;
    this.saves += 1;
  }

  onError(error: Error): void {
    this.errors.push(error);
  }
}

const small = readFixture('crlf.fa').subarray(0, 2000);
const twoBit = encodeTwoBit([
  { name: 'a', bases: 'ACGTNNNN'.repeat(4000) },
  { name: 'b', bases: 'GATTACA' },
]);

const kinds: readonly (readonly [
  string,
  Uint8Array,
  (options: { data: ReturnType<typeof countingSource>; keeper?: DigestCache }) => Promise<NamedSequence[]>,
])[] = [
  ['FASTA', readFixture('genome.fa'), openFasta],
  ['bgzipped FASTA', readFixture('genome.fa.gz'), openFasta],
  ['2bit', twoBit, openTwoBit],
];

describe.each(kinds)('of %s', (_, bytes, open) => {
  test('what was kept stands for the pass over the file', async () => {
    const keeper = new MemoryKeeper();
    const first = await open({ data: countingSource(bytes, 'v1'), keeper });
    const data = countingSource(bytes, 'v1');
    const second = await open({ data, keeper });
    expect([data.streams, keeper.saves, keeper.errors]).toEqual([0, 1, []]);
    expect(second.map(({ name, metadata }) => ({ name, metadata }))).toEqual(
      first.map(({ name, metadata }) => ({ name, metadata })),
    );
    for (const [rank, sequence] of second.entries()) {
      expect((await readBases(sequence)) === (first[rank] && (await readBases(first[rank])))).toBe(true);
    }
  });

  test('another version of the file is digested, and kept instead', async () => {
    const keeper = new MemoryKeeper();
    await open({ data: countingSource(bytes, 'v1'), keeper });
    const data = countingSource(bytes, 'v2');
    await open({ data, keeper });
    expect([data.streams > 0, keeper.saves, keeper.errors]).toEqual([true, 2, []]);
    expect(new TextDecoder().decode(keeper.kept)).toContain('"version":"v2"');
  });

  test('a file whose version is unknown is digested each time', async () => {
    const keeper = new MemoryKeeper();
    await open({ data: countingSource(bytes), keeper });
    expect(keeper.saves).toBe(0);
  });

  test('damage to what was kept changes no digest', async () => {
    const keeper = new MemoryKeeper();
    const expected = (await open({ data: countingSource(bytes, 'v1'), keeper })).map(({ metadata }) => metadata);
    let recomputed = 0;
    for (const mutation of mutations(keeper.kept ?? bytes, { seed: 4, count: 60 })) {
      const damaged = new MemoryKeeper();
      damaged.kept = mutation.bytes;
      const sequences = await open({ data: countingSource(bytes, 'v1'), keeper: damaged });
      expect(sequences.map(({ metadata }) => metadata)).toEqual(expected);
      recomputed += damaged.saves;
    }
    expect(recomputed).toBeGreaterThan(50);
  });
});

test.each([
  ['nothing', ''],
  ['text', 'digests'],
  ['null', 'null'],
  ['an empty object', '{}'],
  ['a list', '[]'],
  ['no content', '{"htskitDigests":1,"checksum":"x"}'],
  ['a wrong checksum', '{"htskitDigests":1,"checksum":"x","content":{}}'],
])('%s instead of digests is told, and replaced', async (_, text) => {
  const keeper = new MemoryKeeper();
  keeper.kept = new TextEncoder().encode(text);
  expect(await openFasta({ data: memorySource(small, { version: 'v1' }), keeper })).not.toEqual([]);
  expect([keeper.errors.length, keeper.saves]).toEqual([1, 1]);
});

test.each([
  ['an MD5 that is none', 1, 'zz"\n'],
  ['an MD5 in upper case', 1, 'ABCDEF'.repeat(6).slice(0, 32)],
  ['a digest without SQ.', 2, 'a'.repeat(32)],
  ['a length below 0', 0, -1],
  ['a length that is no whole number', 0, 1.5],
])('%s among digests whose checksum is right is told, and replaced', async (_, column, value) => {
  const keeper = new MemoryKeeper();
  const first = await openTwoBit({ data: countingSource(twoBit, 'v1'), keeper });
  const { content } = JSON.parse(new TextDecoder().decode(keeper.kept)) as { content: { digests: unknown[][] } };
  const digests = content.digests.map((columns) => columns.with(column, value));
  const text = JSON.stringify({ ...content, digests });
  const checksum = sha512t24u(new TextEncoder().encode(text));
  keeper.kept = new TextEncoder().encode(`{"htskitDigests":1,"checksum":"${checksum}","content":${text}}`);
  const second = await openTwoBit({ data: countingSource(twoBit, 'v1'), keeper });
  expect(second.map(({ metadata }) => metadata)).toEqual(first.map(({ metadata }) => metadata));
  expect([keeper.errors.length, keeper.saves]).toEqual([1, 2]);
});

test('a layout of another version is replaced without a word', async () => {
  const keeper = new MemoryKeeper();
  keeper.kept = new TextEncoder().encode('{"htskitDigests":2,"anything":1}');
  await openFasta({ data: memorySource(small, { version: 'v1' }), keeper });
  expect([keeper.errors, keeper.saves]).toEqual([[], 1]);
});

test('what was kept of a file of another kind is not taken', async () => {
  const keeper = new MemoryKeeper();
  await openTwoBit({ data: countingSource(twoBit, 'v1'), keeper });
  await openFasta({ data: memorySource(small, { version: 'v1' }), keeper });
  expect([keeper.errors, keeper.saves]).toEqual([[], 2]);
});

test('a keeper that fails is told so, and the file is opened', async () => {
  const errors: Error[] = [];
  const keeper: DigestCache = {
    load: () => Promise.reject(new Error('cannot load')),
    save: () => Promise.reject(new Error('cannot save')),
    onError: (error) => errors.push(error),
  };
  expect(await openFasta({ data: memorySource(small, { version: 'v1' }), keeper })).not.toEqual([]);
  expect(errors.map(({ message, cause }) => [message, cause])).toEqual([
    ['the digests that were kept cannot be used', new Error('cannot load')],
    ['the digests cannot be kept', new Error('cannot save')],
  ]);
});
