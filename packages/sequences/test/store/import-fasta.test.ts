import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { parseBlockHeader } from '@htskit/bgzf/internal';
import type { ByteSource, ObjectStore } from '@htskit/io';
import { memorySource, memoryStore } from '@htskit/storage/memory';
import { deferred, expectations, fixtureNames, readFixture } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { BoundedTasks, importFasta } from '../../src/store/import-fasta.js';
import { openSequenceStore } from '../../src/store/sequence-store.js';
import { verifyStore } from '../../src/store/verify-store.js';
import { readBases, sequencesOf } from '../fasta/read-bases.js';
import { bytesOf, countingStore, keysOf } from './counting-store.js';
import { randomGenome, toBytes } from './random-bases.js';
import { findIn, keyOf, store, toFasta } from './stored-fasta.js';

const RECORDS = Object.fromEntries(
  Array.from({ length: 200 }, (_, index) => [`r${index}`, randomGenome(index * 7, index)]),
);
const CHROMOSOME = randomGenome(5_000_001, 1);

async function clean(objects: Parameters<typeof verifyStore>[0]): Promise<boolean> {
  const findings: unknown[] = [];
  const { incomplete } = await verifyStore(objects, { onFinding: (finding) => findings.push(finding) });
  expect({ findings, incomplete }).toEqual({ findings: [], incomplete: 0 });
  return true;
}

describe('importFasta', () => {
  test.each(fixtureNames('.fa'))('stores every sequence of %s', async (name) => {
    const objects = memoryStore();
    const data = memorySource(readFixture(name));
    const { sequences: expected } = expectations(name);
    const summary = await importFasta({ store: objects, data, namingAuthority: 'fixture' });
    const bases = expected.reduce((total, { length }) => total + length, 0);
    expect(summary).toMatchObject({ records: expected.length, bases });
    const sequences = await openSequenceStore(objects);
    for (const [record, text] of sequencesOf(readFixture(name))) {
      const [found] = await sequences.find({ kind: 'curie', namespace: 'fixture', name: record });
      expect(found && (await readBases(found))).toBe(text);
      expect(found?.metadata.md5).toBe(expected.find((sequence) => sequence.name === record)?.md5);
    }
    expect(await clean(objects)).toBe(true);
  });

  test('stores the same from FASTA compressed by bgzip or gzip', async () => {
    const plain = await store({ chr1: CHROMOSOME, ...RECORDS });
    const text = toFasta({ chr1: CHROMOSOME, ...RECORDS });
    const gzip = new Response(new Blob([text.slice()]).stream().pipeThrough(new CompressionStream('gzip')));
    const compressed = [
      Buffer.concat([deflateBlocks(text, { level: 1 }), EOF_MARKER]),
      new Uint8Array(await gzip.arrayBuffer()),
    ];
    for (const bytes of compressed) {
      const objects = memoryStore();
      await importFasta({ store: objects, data: memorySource(bytes) });
      expect(await keysOf(objects)).toEqual(await keysOf(plain));
      expect(Buffer.compare(await bytesOf(objects, keyOf(CHROMOSOME)), await bytesOf(plain, keyOf(CHROMOSOME)))).toBe(
        0,
      );
    }
  });

  test('refuses bgzipped FASTA that ends at a block, and stores no shortened sequence', async () => {
    const text = toFasta({ chr1: CHROMOSOME, ...RECORDS });
    const whole = deflateBlocks(text, { level: 1 });
    const objects = memoryStore();
    const cut = whole.subarray(0, parseBlockHeader(whole).blockSize);
    await expect(importFasta({ store: objects, data: memorySource(cut) })).rejects.toMatchObject({ code: 'TRUNCATED' });
    await expect(importFasta({ store: objects, data: memorySource(whole) })).rejects.toThrow(/EOF marker is missing/);
    const complete = await keysOf(await store({ chr1: CHROMOSOME, ...RECORDS }));
    expect((await keysOf(objects)).filter((key) => !complete.includes(key))).toEqual([]);
  });

  test('stores a long sequence, which is not buffered', async () => {
    const objects = memoryStore();
    const buffered: string[] = [];
    const noting: ObjectStore = {
      source: (key) => objects.source(key),
      list: (prefix) => objects.list(prefix),
      delete: (key) => objects.delete(key),
      put(key, content) {
        if (content instanceof Uint8Array) buffered.push(key);
        return objects.put(key, content);
      },
    };
    await store({ chr1: CHROMOSOME, short: 'ACGT' }, { store: noting });
    expect(buffered).toContain(keyOf('ACGT'));
    expect(buffered).not.toContain(keyOf(CHROMOSOME));
    expect((await readBases(await findIn(objects, CHROMOSOME))) === CHROMOSOME).toBe(true);
    expect(await clean(objects)).toBe(true);
  });

  test('reports its summary, each record and its progress', async () => {
    const objects = memoryStore();
    const data = memorySource(toFasta({ one: 'ACGT', two: 'ACGTA', again: 'ACGT' }));
    const names: string[] = [];
    const progress: number[] = [];
    const options = { store: objects, data, onProgress: (bytes: number) => progress.push(bytes) };
    const summary = await importFasta({ ...options, onRecord: ({ name }) => names.push(name) });
    expect(summary).toMatchObject({ records: 3, bases: 13 });
    expect(names).toEqual(['one', 'two', 'again']);
    expect(progress.at(-1)).toBe((await data.stat()).size);
    expect(progress).toEqual(progress.toSorted((one, other) => one - other));
    const { collection } = summary;
    expect(collection).toMatch(/^[A-Za-z0-9_-]{32}$/);
    expect(await importFasta(options)).toEqual({ records: 3, stored: 0, bases: 13, collection });
  });

  test('does not write existing objects', async () => {
    const counting = countingStore(memoryStore());
    const options = { store: counting, namingAuthority: 'a', circular: new Set(['r3']) };
    await store({ chr1: CHROMOSOME, ...RECORDS }, options);
    const keys = await keysOf(counting);
    counting.clear();
    await store({ chr1: CHROMOSOME, ...RECORDS }, options);
    expect(counting.puts).toEqual([]);
    expect(await keysOf(counting)).toEqual(keys);
  });

  test('replaces truncated objects and adds missing ones', async () => {
    const objects = await store(RECORDS, { namingAuthority: 'a' });
    const whole = await keysOf(objects);
    await objects.put(keyOf(RECORDS['r150'] ?? ''), new Uint8Array(50));
    for (const key of whole.filter((_, index) => index % 3 === 0)) await objects.delete(key);
    await store(RECORDS, { store: objects, namingAuthority: 'a' });
    expect(await keysOf(objects)).toEqual(whole);
    expect(await clean(objects)).toBe(true);
  });

  test('allows concurrent imports', async () => {
    const objects = memoryStore();
    const shared = { chr1: CHROMOSOME, ...RECORDS };
    await Promise.all(
      ['a', 'b', 'c'].map((namingAuthority) =>
        store({ ...shared, [namingAuthority]: namingAuthority.repeat(50) }, { store: objects, namingAuthority }),
      ),
    );
    expect(await clean(objects)).toBe(true);
    const { metadata } = await findIn(objects, CHROMOSOME);
    expect(metadata.aliases).toEqual(['a', 'b', 'c'].map((namingAuthority) => ({ alias: 'chr1', namingAuthority })));
    expect(await keysOf(objects, 'sequences/')).toHaveLength(204);
  });

  test('stores topology, and aliases by name and by digest', async () => {
    const bases = 'ACGTACGTTT';
    const { md5, sha512t24u, trunc512 } = (await findIn(await store({ one: bases }), bases)).metadata;
    const aliases = ['one', md5.toUpperCase(), sha512t24u, trunc512, `ga4gh:${sha512t24u}`, 'another'].map(
      (sequence, index) => ({ sequence, alias: `alias${index}`, namingAuthority: 'Lab' }),
    );
    const objects = await store({ one: bases }, { aliases, circular: new Set(['one']) });
    const { metadata } = await findIn(objects, bases);
    expect(metadata.aliases.map(({ alias }) => alias)).toEqual(['alias0', 'alias1', 'alias2', 'alias3', 'alias4']);
    expect(metadata.aliases[0]?.namingAuthority).toBe('lab');
    expect(metadata.circular).toBe(true);
  });

  test.each(['md5', 'ga4gh', 'a:b', ''])('rejects the naming authority "%s"', async (namingAuthority) => {
    await expect(store({ one: 'ACGT' }, { namingAuthority })).rejects.toThrow(RangeError);
  });

  test('fails for text that is not FASTA and for corrupt data', async () => {
    const importBytes = (bytes: Uint8Array): Promise<unknown> =>
      importFasta({ store: memoryStore(), data: memorySource(bytes) });
    await expect(importBytes(toBytes('ACGT'))).rejects.toMatchObject({ name: 'FormatError' });
    const blocks = Buffer.concat([deflateBlocks(toFasta({ one: CHROMOSOME })), EOF_MARKER]);
    await expect(importBytes(blocks.subarray(0, blocks.length / 2))).rejects.toMatchObject({ name: 'BgzfError' });
    expect(await importBytes(new Uint8Array(0))).toEqual({ records: 0, stored: 0, bases: 0 });
  });

  test('fails with the error of the store', async () => {
    const failure = new Error('the store is full');
    const objects = { ...countingStore(memoryStore()), put: () => Promise.reject(failure) };
    await expect(store(RECORDS, { store: objects })).rejects.toBe(failure);
  });

  test('ends when its signal is aborted and leaves a valid store', async () => {
    const objects = memoryStore();
    const controller = new AbortController();
    const onRecord = ({ name }: { name: string }): void => {
      if (name === 'r100') controller.abort(new Error('enough'));
    };
    const imported = store(RECORDS, { store: objects, signal: controller.signal, onRecord, namingAuthority: 'a' });
    await expect(imported).rejects.toThrow('abort');
    const findings: unknown[] = [];
    await verifyStore(objects, { onFinding: (finding) => findings.push(finding) });
    expect(findings).toEqual([]);
    await store(RECORDS, { store: objects, namingAuthority: 'a' });
    expect(await clean(objects)).toBe(true);
  });

  test.each([
    ['longer', `${CHROMOSOME}A`],
    ['shorter', CHROMOSOME.slice(1)],
  ])('does not store a FASTA that is %s when it is read again', async (_, other) => {
    const reads = [CHROMOSOME, other].map((bases) => memorySource(toFasta({ one: bases })));
    const first = memorySource(toFasta({ one: CHROMOSOME }));
    const data: ByteSource = {
      ...first,
      key: 'changing',
      stat: () => first.stat(),
      read: (range) => first.read(range),
      stream: () => (reads.shift() ?? first).stream({ start: 0, end: 2 ** 30 }),
    };
    const objects = memoryStore();
    await expect(importFasta({ store: objects, data })).rejects.toThrow(/the FASTA changed|expected \d+ bytes/);
    expect(await keysOf(objects, 'sequences/')).toEqual([]);
  });
});

describe('BoundedTasks', () => {
  test('starts at most two tasks, and the next one when one ends', async () => {
    const tasks = new BoundedTasks(2);
    const ends = [deferred<void>(), deferred<void>(), deferred<void>()];
    const started: number[] = [];
    const added = ends.map(async ({ promise }, index) => {
      await tasks.add(() => {
        started.push(index);
        return promise;
      });
    });
    await Promise.all(added.slice(0, 2));
    expect(started).toEqual([0, 1]);
    ends[1]?.resolve();
    await added[2];
    expect(started).toEqual([0, 1, 2]);
    for (const { resolve } of ends) resolve();
    await tasks.finish();
  });

  test('throws the first failure when the next task is added and at the end', async () => {
    const tasks = new BoundedTasks(1);
    await tasks.add(() => Promise.reject(new Error('first')));
    await expect(tasks.add(() => Promise.reject(new Error('second')))).rejects.toThrow('first');
    await expect(tasks.finish()).rejects.toThrow('first');
  });

  test('settles even if tasks fail', async () => {
    const tasks = new BoundedTasks(4);
    const { promise, resolve } = deferred();
    let ended = false;
    await tasks.add(async () => {
      await promise;
      ended = true;
    });
    await tasks.add(() => Promise.reject(new Error('first')));
    setImmediate(resolve);
    await tasks.settle();
    expect(ended).toBe(true);
  });
});
