import { crc32 } from '@htskit/bgzf/internal';
import { SequenceDigester } from '@htskit/digest';
import { type ObjectStore, StorageError } from '@htskit/io';
import { memoryStore } from '@htskit/storage/memory';
import { mutations, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { formatHead, HEADER_BYTES } from '../../src/store/object/object-format.js';
import { aliasKey, authorityKey, factKey, md5Key, sequenceKey } from '../../src/store/store-layout.js';
import { type VerifySummary, verifyStore } from '../../src/store/verify-store.js';
import { bytesOf, keysOf } from './counting-store.js';
import { randomBases, randomGenome, toBytes } from './random-bases.js';
import { keyOf, store } from './stored-fasta.js';

const GENOME = randomGenome(2_000, 1);
const PROTEIN = randomBases(300, { seed: 2, alphabet: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' });
const DIGESTS = new SequenceDigester().update(toBytes(GENOME)).digest();
const { md5, trunc512 } = DIGESTS;
const KEY = sequenceKey(trunc512);
const PROTEIN_KEY = sequenceKey(new SequenceDigester().update(toBytes(PROTEIN)).digest().trunc512);
const ALIAS = { alias: 'genome', namingAuthority: 'lab' };
const CIRCULAR = factKey(trunc512, { kind: 'circular' });
const NOTHING = new Uint8Array(0);
/** Digests of a sequence that is not stored. */
const ABSENT = { trunc512: '0'.repeat(48), md5: '1'.repeat(32) };

function example(): Promise<ObjectStore> {
  const records = { genome: GENOME, protein: PROTEIN, empty: '' };
  return store(records, { namingAuthority: 'lab', circular: new Set(['genome']) });
}

async function verify(objects: ObjectStore): Promise<{ found: string[]; summary: VerifySummary }> {
  const found: string[] = [];
  const onFinding = ({ key, problem }: { key: string; problem: string }): void => void found.push(`${key}: ${problem}`);
  return { summary: await verifyStore(objects, { onFinding }), found };
}

describe('verifyStore', () => {
  test('finds no problem in an imported store or an empty one', async () => {
    const { found, summary } = await verify(await example());
    expect(found).toEqual([]);
    expect(summary).toEqual({
      sequences: 3,
      bases: 2_300,
      aliases: 3,
      collections: 1,
      incomplete: 0,
      abandoned: [],
      findings: 0,
    });
    expect((await verify(await store({}))).summary).toMatchObject({ sequences: 0, findings: 0 });
  });

  test.each([
    ['packed bases', KEY, -1, 'the bases do not match their sha512t24u'],
    ['a letter for another one', PROTEIN_KEY, HEADER_BYTES + 7, 'the bases do not match their sha512t24u'],
    ['the header', KEY, 30, 'the header does not match its checksum'],
    ['the runs', KEY, HEADER_BYTES, 'the runs do not match their checksum'],
  ])('finds damage to %s', async (_, key, at, problem) => {
    const objects = await example();
    const bytes = await bytesOf(objects, key);
    const place = at < 0 ? bytes.length + at : at;
    const letter = bytes[place] === 0x41 ? 0x42 : 0x41;
    await objects.put(key, bytes.with(place, key === PROTEIN_KEY ? letter : (bytes[place] ?? 0) ^ 0x40));
    const { found, summary } = await verify(objects);
    expect(found).toEqual([`${key}: ${problem}`]);
    expect(summary).toMatchObject({ sequences: 2, findings: 1 });
  });

  test('finds objects that end early or late, and continues', async () => {
    const objects = await example();
    const [genome, protein] = [await bytesOf(objects, KEY), await bytesOf(objects, PROTEIN_KEY)];
    await objects.put(KEY, genome.slice(0, -1));
    await objects.put(PROTEIN_KEY, Buffer.concat([protein, Buffer.from('A')]));
    const { found } = await verify(objects);
    expect(found.toSorted()).toEqual(
      [
        `${KEY}: expected ${genome.length} bytes, found ${genome.length - 1}`,
        `${PROTEIN_KEY}: expected ${protein.length} bytes, found ${protein.length + 1}`,
      ].toSorted(),
    );
  });

  test.each([KEY, md5Key(md5)])('finds that %s cannot be read, and continues', async (unreadable) => {
    const objects = await example();
    const source: ObjectStore['source'] = (key, options) =>
      key !== unreadable
        ? objects.source(key, options)
        : {
            key,
            stat: () => objects.source(key).stat(),
            read: () => Promise.reject(new StorageError('UNAVAILABLE', 'the file cannot be read (EIO)', { key })),
            stream: () => new ReadableStream(),
          };
    const { found, summary } = await verify({
      source,
      list: (prefix, options) => objects.list(prefix, options),
      put: () => Promise.reject(new Error('nothing is written')),
      delete: () => Promise.reject(new Error('nothing is deleted')),
    });
    expect(found).toEqual([`${unreadable}: the file cannot be read (EIO)`]);
    expect(summary.sequences).toBe(unreadable === KEY ? 2 : 3);
  });

  test('finds letters that would begin a record of FASTA', async () => {
    const objects = await example();
    const bytes = (await bytesOf(objects, PROTEIN_KEY)).slice();
    bytes.set(toBytes('\n>x\n'), 100);
    await objects.put(PROTEIN_KEY, bytes);
    expect((await verify(objects)).found).toEqual([`${PROTEIN_KEY}: expected bases, found the byte 10`]);
  });

  test('finds a header with another MD5', async () => {
    const objects = await store({ genome: GENOME });
    const bytes = await bytesOf(objects, KEY);
    const head = formatHead({ ...DIGESTS, md5: ABSENT.md5 }, undefined).slice();
    const other = bytes.slice();
    // The fields before the number of runs, and the checksum of the runs, stay.
    const view = new DataView(head.buffer);
    const original = new DataView(bytes.buffer, bytes.byteOffset);
    for (const at of [12, 20, 64]) view.setUint32(at, original.getUint32(at, true), true);
    view.setUint32(68, crc32(head.subarray(0, 68)), true);
    other.set(head);
    await objects.put(KEY, other);
    expect((await verify(objects)).found).toEqual([
      `${KEY}: the bases do not match their MD5`,
      `${md5Key(md5)}: the sequence has another MD5`,
    ]);
  });

  test.each([
    [`sequences/${trunc512}`, 'the key is not that of a sequence'],
    ['sequences/abc/other', 'the key is not that of a sequence'],
    ['md5/abc/other', 'the key is not that of an MD5'],
    [`md5/000/${md5}`, 'the key is not that of an MD5'],
    [`${CIRCULAR}x`, 'the key is not that of a fact about a sequence'],
    [CIRCULAR.replace('metadata/', 'metadata/x/'), 'the key is not that of a fact about a sequence'],
    [`aliases/lab/000/genome!${trunc512}`, 'the key is not that of an alias'],
    [`aliases/lab/genome!${trunc512}`, 'the key is not that of an alias'],
    [aliasKey(ABSENT.trunc512, ALIAS), 'the sequence does not exist'],
    [factKey(ABSENT.trunc512, { kind: 'circular' }), 'the sequence does not exist'],
    [factKey(ABSENT.trunc512, { kind: 'alias', ...ALIAS }), 'the sequence does not exist'],
  ])('finds %s', async (key, problem) => {
    const objects = await example();
    await objects.put(key, NOTHING);
    expect((await verify(objects)).found).toEqual([`${key}: ${problem}`]);
  });

  test.each([
    ['of no digest', '../', 'the object does not hold a TRUNC512'],
    ['that leads nowhere', ABSENT.trunc512, 'the sequence does not exist'],
    ['of another sequence', trunc512, 'the sequence has another MD5'],
  ])('finds an MD5 %s', async (_, text, problem) => {
    const objects = await example();
    await objects.put(md5Key(ABSENT.md5), toBytes(text));
    expect((await verify(objects)).found).toEqual([`${md5Key(ABSENT.md5)}: ${problem}`]);
  });

  test('finds everything that leads to a removed sequence', async () => {
    const objects = await example();
    await objects.delete(KEY);
    const { found } = await verify(objects);
    const keys = [md5Key(md5), factKey(trunc512, { kind: 'alias', ...ALIAS }), CIRCULAR, aliasKey(trunc512, ALIAS)];
    const [ofCollection, ...others] = found.toSorted(
      (a, b) => Number(b.startsWith('collections/')) - Number(a.startsWith('collections/')),
    );
    expect(ofCollection).toMatch(/^collections\/.*: the sequence SQ\..* does not exist$/);
    expect(others.toSorted()).toEqual(keys.map((key) => `${key}: the sequence does not exist`).toSorted());
  });

  test.each([
    md5Key(md5),
    aliasKey(trunc512, ALIAS),
    factKey(trunc512, { kind: 'alias', ...ALIAS }),
    authorityKey(ALIAS.namingAuthority),
  ])('counts %s as incomplete and not as a finding', async (key) => {
    const objects = await example();
    await objects.delete(key);
    const { found, summary } = await verify(objects);
    expect(found).toEqual([]);
    expect(summary).toMatchObject({ sequences: 3, incomplete: 1, findings: 0 });
  });

  test.each([
    ['packed', randomBases(2_000, { seed: 3, alphabet: 'ACGT' })],
    ['stored as letters', PROTEIN],
  ])('finds every change to a sequence that is %s', async (_, bases) => {
    const objects = await store({ one: bases });
    const key = keyOf(bases);
    const bytes = await bytesOf(objects, key);
    const missed: string[] = [];
    for (const { bytes: damaged, description } of mutations(bytes, { seed: 1, count: volume(150) })) {
      await objects.put(key, damaged);
      const expected = Buffer.compare(damaged, bytes) === 0 ? 0 : 1;
      const { summary } = await verify(objects);
      if (summary.findings !== expected) missed.push(`${description}: ${summary.findings}`);
    }
    expect(missed).toEqual([]);
  });

  test('rejects other folders, and ends when its signal is aborted', async () => {
    await expect(verify(memoryStore())).rejects.toMatchObject({ code: 'NOT_A_STORE' });
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(verifyStore(await example(), { signal, onFinding: () => undefined })).rejects.toThrow('enough');
  });

  test('changes nothing', async () => {
    const objects = await example();
    const keys = await keysOf(objects);
    await verify(objects);
    expect(await keysOf(objects)).toEqual(keys);
  });
});
