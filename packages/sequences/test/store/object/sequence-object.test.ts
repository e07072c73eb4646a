import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ByteRange, type ByteSource, toByteStream } from '@htskit/io';
import { folderStore } from '@htskit/storage/folder';
import { memoryStore } from '@htskit/storage/memory';
import { mutations, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { MAX_RUNS } from '../../../src/store/object/exception-runs.js';
import { formatHead } from '../../../src/store/object/object-format.js';
import { SequenceObject } from '../../../src/store/object/sequence-object.js';
import { SequenceStoreError } from '../../../src/store/sequence-store-error.js';
import { readBases } from '../../fasta/read-bases.js';
import { digestsOf } from '../../rgstore/build-rgstore.js';
import { bytesOf, countingStore } from '../counting-store.js';
import { randomBases, randomGenome, toText } from '../random-bases.js';
import { findIn, keyOf, store } from '../stored-fasta.js';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const PROTEIN = randomBases(151, { seed: 5, alphabet: LETTERS });
const GENOME = randomGenome(160, 3);

describe('a stored sequence', () => {
  test.each([
    ...Array.from({ length: 10 }, (_, length) => [`${length} bases`, 'ACGTTGCAGT'.slice(0, length)]),
    ['N alone', 'N'.repeat(67)],
    ['N at both ends', `NNNNN${randomBases(80, { seed: 1, alphabet: 'ACGT' })}NNN`],
    ['a genome with all letters', GENOME],
    ['a protein', PROTEIN],
  ])('returns every slice of %s', async (_, bases = '') => {
    const sequence = await findIn(await store({ one: bases.toLowerCase() }), bases);
    expect(sequence.metadata.length).toBe(bases.length);
    const differing: string[] = [];
    for (let start = 0; start <= bases.length; start++) {
      for (let end = start; end <= bases.length; end++) {
        const slice = toText(await sequence.read({ start, end }));
        if (slice !== bases.slice(start, end)) differing.push(`[${start}, ${end}): ${slice}`);
      }
    }
    expect(differing).toEqual([]);
  });

  test.each([
    ['packed', GENOME],
    ['stored as letters', PROTEIN],
  ])('reads into the memory of the caller if it is %s', async (_, bases) => {
    const folder = mkdtempSync(join(tmpdir(), 'htskit-sequences-'));
    const sequence = await findIn(await store({ one: bases }, { store: folderStore(folder) }), bases);
    for (const [start, end] of [
      [0, bases.length],
      [3, 50],
      [17, 18],
    ] as const) {
      const into = new Uint8Array(end - start + 8);
      const slice = await sequence.read({ start, end }, { into });
      expect([toText(slice), slice.buffer === into.buffer]).toEqual([bases.slice(start, end), true]);
    }
    rmSync(folder, { recursive: true });
  });

  test.each([
    ['packed', randomGenome(3_000_001, 4)],
    ['stored as letters', randomBases(1_000_001, { seed: 6, alphabet: LETTERS })],
  ])('streams any range of bases %s', async (_, bases) => {
    const sequence = await findIn(await store({ one: bases }), bases);
    for (const [start, end] of [
      [0, bases.length],
      [1, bases.length - 1],
      [2, 3],
      [262_143, 524_289],
      [700_003, 700_003],
    ] as const) {
      expect((await readBases(sequence, { start, end })) === bases.slice(start, end)).toBe(true);
    }
  });

  test.each([
    ['packed', GENOME, 4],
    ['stored as letters', PROTEIN, 1],
  ])('reads no more bytes than the bases take if it is %s', async (_, bases, basesPerByte) => {
    const counting = countingStore(await store({ one: bases }));
    const sequence = await findIn(counting, bases);
    const size = (await bytesOf(counting, keyOf(bases))).length;
    const first = size - Math.ceil(bases.length / basesPerByte);
    for (const [start, end] of [
      [0, 1],
      [3, 5],
      [4, 8],
      [17, 99],
      [5, 6],
      [0, bases.length],
    ] as const) {
      counting.clear();
      await sequence.read({ start, end });
      await readBases(sequence, { start, end });
      const range = { start: first + Math.floor(start / basesPerByte), end: first + Math.ceil(end / basesPerByte) };
      expect(counting.reads.map((read) => read.range)).toEqual([range, range]);
    }
  });

  test.each([
    [-1, 2],
    [2, 1],
    [0, 161],
    [0.5, 1],
    [0, Number.NaN],
  ])('rejects the range [%d, %d) at once', async (start, end) => {
    const sequence = await findIn(await store({ one: GENOME }), GENOME);
    expect(() => sequence.read({ start, end })).toThrow(RangeError);
    expect(() => sequence.stream({ start, end })).toThrow(RangeError);
  });

  test('reads many runs once, with the first bases', async () => {
    const bases = `N${'A'.repeat(15)}`.repeat(MAX_RUNS / 256);
    const counting = countingStore(await store({ one: bases }));
    const sequence = await findIn(counting, bases);
    counting.clear();
    const reads = await Promise.all([0, 1, 2].map((start) => sequence.read({ start, end: 20 })));
    expect(reads.map(toText)).toEqual([0, 1, 2].map((start) => bases.slice(start, 20)));
    const runs = { start: 72, end: 72 + (9 * MAX_RUNS) / 256 };
    expect(counting.reads.filter(({ range }) => range.end === runs.end)).toHaveLength(1);
    expect(counting.reads).toHaveLength(4);
  });

  test('ends a stream when its signal is aborted', async () => {
    const bases = randomBases(3_000_000, { seed: 8, alphabet: 'ACGT' });
    const sequence = await findIn(await store({ one: bases }), bases);
    const controller = new AbortController();
    const reader = sequence.stream({ start: 0, end: bases.length }, { signal: controller.signal }).getReader();
    await reader.read();
    controller.abort();
    await expect(reader.read()).rejects.toThrow('aborted');
  });
});

/** Returns the code of the error of reading all bases of a damaged object, or undefined if it succeeds. */
async function failureOf(bases: string, object: Uint8Array): Promise<string | undefined> {
  const damaged = memoryStore();
  const original = await store({ one: bases }, { store: damaged });
  await original.put(keyOf(bases), object);
  try {
    const sequence = await findIn(damaged, bases);
    await sequence.read({ start: 0, end: bases.length });
    const text = await readBases(sequence);
    expect(text).toMatch(/^[!-`{-~]*$/);
    expect(text).toHaveLength(bases.length);
    return undefined;
  } catch (error) {
    if (error instanceof SequenceStoreError) return error.code;
    throw error;
  }
}

describe('a damaged object', () => {
  const long = randomGenome(400_000, 9);

  test.each([
    ['its header', 71, GENOME],
    ['its runs', 80, GENOME],
    ['its bases', -1, GENOME],
    ['its bases, after the first read', -1, long],
    ['its runs, after the first read', 20_000, long],
  ])('is TRUNCATED if it ends in %s', async (_, end, bases) => {
    const object = await bytesOf(await store({ one: bases }), keyOf(bases));
    expect(await failureOf(bases, object.slice(0, end))).toBe('TRUNCATED');
  });

  test('is CORRUPT if it is too long, holds another sequence, or holds other bytes than letters', async () => {
    const object = await bytesOf(await store({ one: PROTEIN }), keyOf(PROTEIN));
    expect(await failureOf(PROTEIN, Buffer.concat([object, object.subarray(0, 1)]))).toBe('CORRUPT');
    expect(await failureOf(GENOME, object)).toBe('CORRUPT');
    expect(await failureOf(PROTEIN, object.with(100, 0x0a))).toBe('CORRUPT');
    expect(await failureOf(PROTEIN, object.with(100, 0x61))).toBe('CORRUPT');
  });

  test.each([
    ['packed', GENOME],
    ['stored as letters', PROTEIN],
  ])('returns exactly its number of letters or fails if it is %s', async (_, bases) => {
    const object = await bytesOf(await store({ one: bases }), keyOf(bases));
    let rejected = 0;
    for (const { bytes } of mutations(object, { seed: 2, count: volume(300) })) {
      if ((await failureOf(bases, bytes)) !== undefined) rejected++;
    }
    expect(rejected).toBeGreaterThan(volume(200));
  });
});

test('a sequence of 2^33 bases is read beyond its first 2^32', async () => {
  const length = 2 ** 33;
  const digests = { ...digestsOf('ACGT'), length };
  const runs = { starts: Float64Array.of(2 ** 32 + 1), lengths: Float64Array.of(3), letters: Uint8Array.of(0x4e) };
  const head = formatHead(digests, runs);
  const size = head.length + length / 4;
  // All bits of the bases are zero, which is A.
  const source: ByteSource = {
    key: 'sparse',
    stat: () => Promise.resolve({ size }),
    async read({ start, end }) {
      const bytes = new Uint8Array(Math.min(end, size) - start);
      if (start < head.length) bytes.set(head.subarray(start, end));
      return bytes;
    },
    stream: (range) => toByteStream(readOnce(source, range)),
  };
  const object = await SequenceObject.open(Object.assign(memoryStore(), { source: () => source }), digests.trunc512);
  const range = { start: 2 ** 32 - 1, end: 2 ** 32 + 6 };
  expect(object && toText(await object.read(range))).toBe('AANNNAA');
  const chunks: string[] = [];
  for await (const chunk of object?.chunks(range) ?? []) chunks.push(toText(chunk));
  expect(chunks.join('')).toBe('AANNNAA');
  expect(toText((await object?.read({ start: length - 1, end: length })) ?? new Uint8Array())).toBe('A');
});

async function* readOnce(source: ByteSource, range: ByteRange): AsyncGenerator<Uint8Array, void> {
  yield await source.read(range);
}
