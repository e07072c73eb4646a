import { existsSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { type NormalizeOptions, SequenceDigester } from '@htskit/digest';
import { type BorrowedBytes, peek } from '@htskit/io';
import {
  CHUNK_SIZES,
  chunksOf,
  expectations,
  fixtureNames,
  mutations,
  overwriteChunks,
  readFixture,
  volume,
} from '@htskit/testing';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { FastaProgress } from '../../src/digest/digest-pool.js';
import type { RecordObserver } from '../../src/digest/fasta-dispatcher.js';
import { DigestPool, digestFasta, type FastaDigests } from '../../src/index.js';

interface TestRecord {
  readonly name: string;
  readonly sequence: string;
}

const pool = new DigestPool({ threads: 2 });

afterAll(() => pool.close());

test('runs workers from the build of this package', () => {
  expect(existsSync(new URL('../../dist/digest/digest-worker.js', import.meta.url)), 'run "pnpm run build" first').toBe(
    true,
  );
});

function bases(length: number, seed: number): string {
  let state = seed;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return 'ACGTNacgtn'.charAt(state >>> 16) || 'A';
  }).join('');
}

function toFasta(records: readonly TestRecord[]): Uint8Array {
  const text = records.map(
    ({ name, sequence }) => `>${name} of ${sequence.length}\n${sequence.replace(/.{1,60}/g, '$&\n')}`,
  );
  return new TextEncoder().encode(text.join(''));
}

function digestEach(records: readonly TestRecord[], options: NormalizeOptions = {}): FastaDigests[] {
  return records.map(({ name, sequence }) => ({
    name,
    description: `of ${sequence.length}`,
    ...new SequenceDigester(options).update(new TextEncoder().encode(sequence)).digest(),
  }));
}

async function* chunked(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

/** Two members, the second of which begins with a zero byte: node:zlib ignores it. */
function damagedMember(text: Uint8Array): Uint8Array {
  const [first, second] = [gzipSync(text.subarray(0, 1000)), gzipSync(text.subarray(1000))];
  return Buffer.concat([first, second.fill(0, 0, 1)]);
}

async function toArray<T>(items: AsyncIterable<T>): Promise<T[]> {
  const array: T[] = [];
  for await (const item of items) array.push(item);
  return array;
}

/** Long, short and empty sequences, one that ends where a slot does, and more records than a slot holds. */
const records: TestRecord[] = [
  { name: 'long', sequence: bases(3_000_000, 1) },
  { name: 'empty', sequence: '' },
  { name: 'short', sequence: bases(100, 2) },
  { name: 'longer', sequence: bases(1_500_000, 3) },
  ...Array.from({ length: 5000 }, (_, index) => ({ name: `contig${index}`, sequence: bases(index % 90, index) })),
  { name: 'last', sequence: bases(1_100_000, 4) },
];
const fasta = toFasta(records);
const expected = digestEach(records);

describe('digests each sequence', () => {
  test.each([10_000_000, 65_536, 4001])('in chunks of %i bytes', async (size) => {
    expect(await toArray(pool.digestFasta(chunked(fasta, size)))).toEqual(expected);
  });

  test.each([1, 3])('on %i threads', async (threads) => {
    expect(await toArray(digestFasta(chunked(fasta, 100_000), { threads }))).toEqual(expected);
  });

  test('of several files at once', async () => {
    const results = await Promise.all(
      [1, 2, 3].map((part) => toArray(pool.digestFasta(chunked(fasta, part * 50_000)))),
    );
    for (const result of results) expect(result).toEqual(expected);
  });

  test('compressed by bgzip', async () => {
    const bytes = Buffer.concat([deflateBlocks(fasta, { level: 1 }), EOF_MARKER]);
    expect(await toArray(pool.digestFasta(chunked(bytes, 30_000)))).toEqual(expected);
  });

  test('compressed by gzip, in one member or several', async () => {
    const half = Math.floor(fasta.length / 2);
    const several = Buffer.concat([gzipSync(fasta.subarray(0, half)), gzipSync(fasta.subarray(half))]);
    expect(await toArray(pool.digestFasta(chunked(gzipSync(fasta), 30_000)))).toEqual(expected);
    expect(await toArray(pool.digestFasta(chunked(several, 30_000)))).toEqual(expected);
  });

  test.each([
    ['plain', fasta],
    ['bgzip', Buffer.concat([deflateBlocks(fasta, { level: 1 }), EOF_MARKER])],
    ['gzip', gzipSync(fasta)],
  ])('in chunks that are overwritten when the next one is requested: %s', async (_, bytes) => {
    for (const size of CHUNK_SIZES.filter((chunkBytes) => chunkBytes > 1)) {
      expect(await toArray(pool.digestFasta(overwriteChunks(chunksOf(bytes, size))))).toEqual(expected);
    }
  });

  test('in single bytes that are overwritten', async () => {
    const bytes = readFixture('crlf.fa');
    const found = await toArray(pool.digestFasta(overwriteChunks(chunksOf(bytes, 1))));
    expect(found).toEqual(await toArray(pool.digestFasta(chunked(bytes, bytes.length))));
  });

  test('in one chunk of any length', async () => {
    expect(await toArray(pool.digestFasta(chunked(fasta, fasta.length)))).toEqual(expected);
  });

  test('of proteins, with their asterisks if requested', async () => {
    const proteins = [{ name: 'protein', sequence: 'MAGIC*' }];
    const omitted = { count: 1, firstOffset: 5, characters: { '*': 1 } };
    const found = await toArray(digestFasta(chunked(toFasta(proteins), 5)));
    expect(found).toEqual(digestEach(proteins).map((digests) => ({ ...digests, omitted })));
    const kept = await toArray(digestFasta(chunked(toFasta(proteins), 5), { characters: 'sam' }));
    expect(kept).toEqual(digestEach(proteins, { characters: 'sam' }));
    expect(kept[0]?.length).toBe(6);
  });

  test.each([...fixtureNames('.fa'), ...fixtureNames('.fa.gz')])('of the fixture %s', async (name) => {
    const { sequences } = expectations(name);
    const found = await toArray(digestFasta(chunked(readFixture(name), 1000)));
    expect(found.map(({ md5 }) => md5)).toEqual(sequences.map(({ md5 }) => md5));
  });
});

test('returns the same digests for any chunking, plain and compressed', async () => {
  const few = [
    { name: 'a', sequence: bases(130, 5) },
    { name: 'b', sequence: '' },
    { name: 'c', sequence: bases(61, 6) },
  ];
  const plain = toFasta(few);
  const files = [plain, Buffer.concat([deflateBlocks(plain), EOF_MARKER]), new Uint8Array(gzipSync(plain))];
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 300 }), fc.constantFrom(...files), async (size, file) => {
      expect(await toArray(pool.digestFasta(chunked(file, size)))).toEqual(digestEach(few));
    }),
    { numRuns: 60 },
  );
});

test('reports omitted characters alike for any chunking', async () => {
  const sequence = `${bases(100, 7)}*${bases(70_000, 8)}--\u0001`;
  const fasta = toFasta([
    { name: 'clean', sequence: bases(90, 9) },
    { name: 'other', sequence },
  ]);
  for (const size of [7, 61, 4096, 65_536, 1_000_000]) {
    const found = await toArray(pool.digestFasta(chunked(fasta, size)));
    expect(found.map(({ omitted }) => omitted)).toEqual([
      undefined,
      { count: 4, firstOffset: 100, characters: { '*': 1, '-': 2, '\\x01': 1 } },
    ]);
  }
});

test.each([
  [
    'another character',
    '>a\nAC\n>b\nACG\nT*-\n',
    'record "b" holds characters other than letters: "*" (1), first at position 5',
    14,
  ],
  ['no name', '>a\nAC\n>\nACG\n', 'record 2 has no name', 6],
])('strict refuses a record with %s', async (_name, text, message, offset) => {
  for (const size of [1, 4, 100]) {
    const run = toArray(pool.digestFasta(chunked(new TextEncoder().encode(text), size), { characters: 'strict' }));
    await expect(run).rejects.toMatchObject({ code: 'INVALID_RECORD', message, offset });
  }
});

test('an observer receives the text and the bases of each record, with their offsets', async () => {
  const seen: { name: string; text: string; bases: string }[] = [];
  const ascii = (bytes: BorrowedBytes): string => Buffer.from(peek(bytes)).toString('latin1');
  const file = new TextEncoder().encode('\n>a x\nAc\r\n*t\n>b\n>c\nN');
  const observer: RecordObserver = {
    onRecord: (name) => seen.push({ name, text: '', bases: '' }),
    onSequence({ bytes, offset, bases: normalized }) {
      const record = seen.at(-1) ?? { text: '', bases: '' };
      record.text += ascii(bytes);
      record.bases += ascii(normalized);
      expect(ascii(file.subarray(offset, offset + bytes.length))).toBe(ascii(bytes));
    },
  };
  await toArray(pool.digestFasta(chunked(file, 3), { observer }));
  expect(seen).toEqual([
    { name: 'a', text: 'Ac\r\n*t\n', bases: 'ACT' },
    { name: 'b', text: '', bases: '' },
    { name: 'c', text: 'N', bases: 'N' },
  ]);
});

test('returns no records for no bytes', async () => {
  expect(await toArray(pool.digestFasta(chunked(new Uint8Array(0), 1)))).toEqual([]);
});

test('reports the bytes read up to the size of the file', async () => {
  const bytes = Buffer.concat([deflateBlocks(fasta, { level: 1 }), EOF_MARKER]);
  const seen: FastaProgress[] = [];
  await toArray(pool.digestFasta(chunked(bytes, 100_000), { onProgress: (progress) => seen.push(progress) }));
  expect(seen.at(-1)).toEqual({ bytesRead: bytes.length, sequences: records.length });
  expect(seen.map(({ bytesRead }) => bytesRead)).toEqual(
    seen.map(({ bytesRead }) => bytesRead).toSorted((a, b) => a - b),
  );
});

describe('ends early', () => {
  test('when the consumer stops iterating, and closes the chunks', async () => {
    let isStopped = false;
    async function* endless(): AsyncGenerator<Uint8Array, void> {
      try {
        yield fasta;
        for (;;) yield toFasta([{ name: 'more', sequence: bases(1000, 9) }]);
      } finally {
        isStopped = true;
      }
    }
    for await (const { name } of pool.digestFasta(endless())) if (name === 'longer') break;
    expect(isStopped).toBe(true);
    expect(await toArray(pool.digestFasta(chunked(fasta, 1_000_000)))).toEqual(expected);
  });

  test.each([0, 1, 3])('when the signal is aborted before chunk %i', async (count) => {
    const controller = new AbortController();
    const chunks = async function* (): AsyncGenerator<Uint8Array, void> {
      for (let index = 0; index <= 3; index += 1) {
        if (index === count) controller.abort(new RangeError('enough'));
        yield toFasta([{ name: `${index}`, sequence: 'ACGT' }]);
      }
    };
    const run = toArray(pool.digestFasta(chunks(), { signal: controller.signal }));
    await expect(run).rejects.toThrow('enough');
  });

  test('when the signal is already aborted', async () => {
    const controller = new AbortController();
    const onProgress = (): void => controller.abort(new RangeError('enough'));
    const run = toArray(pool.digestFasta(chunked(fasta, 100_000), { signal: controller.signal, onProgress }));
    await expect(run).rejects.toThrow('enough');
  });

  test('when the chunks throw, also within gzip', async () => {
    for (const head of [fasta.subarray(0, 100_000), new Uint8Array(gzipSync(fasta)).subarray(0, 100_000)]) {
      const failing = async function* (): AsyncGenerator<Uint8Array, void> {
        yield head;
        throw new RangeError('unplugged');
      };
      await expect(toArray(pool.digestFasta(failing()))).rejects.toThrow('unplugged');
    }
  });

  test.each([
    ['text that is not FASTA', new TextEncoder().encode('hello'), { name: 'FormatError', code: 'INVALID_DATA' }],
    ['corrupt BGZF', deflateBlocks(fasta).fill(0xff, 5000, 5020), { name: 'BgzfError' }],
    ['gzip that is followed by zeros', Buffer.concat([gzipSync(fasta), new Uint8Array(9)]), { code: 'INVALID_DATA' }],
    ['gzip whose second member is damaged', damagedMember(fasta), { name: 'DigestError', code: 'INVALID_DATA' }],
    ['BGZF without its EOF marker', deflateBlocks(fasta), { name: 'BgzfError', code: 'TRUNCATED' }],
    ['truncated gzip', new Uint8Array(gzipSync(fasta)).subarray(0, -20), { name: 'DigestError', code: 'INVALID_DATA' }],
    ['corrupt gzip', new Uint8Array(gzipSync(fasta)).fill(0xff, 10, 14), { name: 'DigestError', code: 'INVALID_DATA' }],
  ])('%s', async (_name, bytes, error) => {
    await expect(toArray(pool.digestFasta(chunked(bytes, 10_000)))).rejects.toMatchObject(error);
  });
});

test('rejects a mutated FASTA or digests its letters', async () => {
  const small = toFasta([
    { name: 'a', sequence: bases(130, 5) },
    { name: 'b', sequence: bases(61, 6) },
  ]);
  for (const file of [small, Buffer.concat([deflateBlocks(small), EOF_MARKER]), new Uint8Array(gzipSync(small))]) {
    for (const { bytes, description } of mutations(file, { seed: 3, count: volume(300) })) {
      const names = await toArray(pool.digestFasta(chunked(bytes, 50))).then(
        (found) => found.map(({ md5 }) => md5.length),
        (error: unknown) => (error instanceof Error ? error.name : ''),
      );
      const isKnown = Array.isArray(names) || ['FormatError', 'BgzfError', 'DigestError'].includes(names);
      expect(isKnown, `${description}: ${names.toString()}`).toBe(true);
    }
  }
});

test('starts again after it was closed', async () => {
  const another = new DigestPool({ threads: 2 });
  await toArray(another.digestFasta(chunked(fasta, 1_000_000)));
  await another.close();
  expect(await toArray(another.digestFasta(chunked(fasta, 1_000_000)))).toEqual(expected);
  await another.close();
});

test.each([0, -1, 1.5])('rejects %d threads', (threads) => {
  expect(() => new DigestPool({ threads })).toThrow(RangeError);
});
