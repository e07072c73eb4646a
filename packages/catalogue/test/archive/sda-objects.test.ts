import { createHash } from 'node:crypto';
import { concatBytes } from '@htskit/io';
import { readFixture, SdaServer } from '@htskit/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ObjectCatalogue } from '../../src/objects/object-catalogue.js';
import { openMappedObjects, requestOf } from '../mapped/services.js';
import { transformedSource } from '../transformed-source.js';

const PUBLIC_KEY = new Uint8Array(32).fill(9);
/** The header of all files, and what stands for its encryption. */
const HEADER = Buffer.from('header');

let archive: SdaServer;
let catalogue: ObjectCatalogue;

beforeEach(async () => {
  archive = await SdaServer.start({ reencrypt: (header, key) => concatBytes([header, key]) });
  archive.permissions.set('alice', new Set(['EGAD1', 'https://doi.org/a/b']));
  archive.permissions.set('bob', new Set(['EGAD2']));
  // Stands for decryption, which the real header is needed for.
  const decrypt = (stored: Parameters<typeof transformedSource>[0]) => transformedSource(stored, (bytes) => bytes);
  const reader = { publicKey: PUBLIC_KEY, decrypt };
  catalogue = await openMappedObjects([{ kind: 'sda', url: archive.url, reader, prefix: 'ega' }]);
});

afterEach(() => archive.close());

function add(dataset: string, path: string, content: Uint8Array = Buffer.from(path)): void {
  const sha256 = createHash('sha256').update(content).digest('hex');
  const fileId = `${dataset}:${path}`;
  archive.files.push({ dataset, path, fileId, header: HEADER, content, decryptedSize: content.length, sha256 });
}

/** Returns the formats of an object, with the paths whose bytes its data and index are, for a user. */
async function findPaths(id: string, token: string | undefined, datatype: 'reads' | 'variants' = 'reads') {
  const files = await catalogue.resolve(id, datatype, requestOf(token));
  return files?.map(({ format, isEncrypted, data, index }) => [format, isEncrypted, pathOf(data), pathOf(index)]);
}

function pathOf(source: { readonly key: string } | undefined): string | undefined {
  return source?.key.replace(/^.*#/, '');
}

test('serves the files of datasets, all of which are encrypted whatever their names are', async () => {
  for (const path of ['s/a.bam.c4gh', 's/a.bam.bai.c4gh', 's/a.bam.bai', 's/a.cram', 's/a.cram.crai.c4gh'])
    add('EGAD1', path);
  for (const path of ['v.vcf.gz.c4gh', 'v.vcf.gz.c4gh.tbi.c4gh', 'v.bcf', 'v.csi']) add('EGAD1', path);
  expect(await findPaths('ega/EGAD1/s/a', 'alice')).toEqual([
    ['BAM', true, 's/a.bam.c4gh', 's/a.bam.bai.c4gh'],
    ['CRAM', true, 's/a.cram', 's/a.cram.crai.c4gh'],
  ]);
  expect(await findPaths('ega/EGAD1/v', 'alice', 'variants')).toEqual([
    ['VCF', true, 'v.vcf.gz.c4gh', 'v.vcf.gz.c4gh.tbi.c4gh'],
    ['BCF', true, 'v.bcf', 'v.csi'],
  ]);
});

test('reads the header and the segments as one file, with the digest of the plaintext', async () => {
  const content = readFixture('reads.bam');
  add('EGAD1', 'a.bam', content);
  const [file] = (await catalogue.resolve('ega/EGAD1/a', 'reads', requestOf('alice'))) ?? [];
  const whole = Buffer.concat([HEADER, PUBLIC_KEY, content]);
  const bytes = await file?.data.read({ start: 0, end: whole.length });
  expect(Buffer.from(bytes ?? []).equals(whole)).toBe(true);
  expect(file?.checksums).toEqual([{ type: 'sha-256', checksum: archive.files[0]?.sha256 }]);
  expect(file?.forwarded).toEqual({ authorization: 'Bearer alice' });
});

test('the id of a dataset may be a URL, which is percent-encoded', async () => {
  add('https://doi.org/a/b', 'x/c.bam.c4gh');
  const id = 'ega/https%3A%2F%2Fdoi.org%2Fa%2Fb/x/c';
  expect(await catalogue.listFor?.(requestOf('alice'))).toEqual([
    { id, datatype: 'reads', formats: ['BAM'], encrypted: ['BAM'] },
  ]);
  expect(await findPaths(id, 'alice')).toEqual([['BAM', true, 'x/c.bam.c4gh', undefined]]);
});

test.each(['ega/%2E%2E/x', 'ega/%2e/x', 'ega//x', 'ega/%/x', 'ega/EGAD1', 'other/EGAD1/x'])(
  'nothing is requested for the id %s',
  async (id) => {
    expect(await findPaths(id, 'alice')).toBeUndefined();
    expect(archive.requests).toEqual([]);
  },
);

test('the archive decides with the token of each user, for lookups, lists and bytes', async () => {
  add('EGAD1', 'a.bam.c4gh');
  add('EGAD2', 'b.bam.c4gh');
  const forbidden = { code: 'PermissionDenied', status: 403 };
  const listed = async (token?: string) => (await catalogue.listFor?.(requestOf(token)))?.map(({ id }) => id);
  for (let round = 0; round < 2; round++) {
    expect(await findPaths('ega/EGAD1/a', 'alice')).toHaveLength(1);
    await expect(findPaths('ega/EGAD1/a', 'bob')).rejects.toMatchObject(forbidden);
    await expect(findPaths('ega/EGAD2/b', 'alice')).rejects.toMatchObject(forbidden);
    await expect(findPaths('ega/EGAD9/b', 'alice')).rejects.toMatchObject(forbidden);
    for (const token of [undefined, 'mallory']) {
      const refusal = { code: 'InvalidAuthentication', status: 401 };
      await expect(findPaths('ega/EGAD1/a', token)).rejects.toMatchObject(refusal);
    }
    expect(await listed('alice')).toEqual(['ega/EGAD1/a']);
    expect(await listed('bob')).toEqual(['ega/EGAD2/b']);
    expect(await listed()).toEqual([]);
  }
  await expect(listed('mallory')).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  expect(await catalogue.list()).toEqual([]);
});

test('a permission that ends while a file is read is refused as the archive does', async () => {
  add('EGAD1', 'a.bam.c4gh', readFixture('reads.bam'));
  const [file] = (await catalogue.resolve('ega/EGAD1/a', 'reads', requestOf('alice'))) ?? [];
  archive.permissions.set('alice', new Set());
  const read = file?.data.read({ start: 100_000, end: 100_100 });
  await expect(read).rejects.toMatchObject({ code: 'PermissionDenied' });
  archive.permissions.delete('alice');
  const stream = file?.data.stream({ start: 200_000, end: 200_100 }).getReader();
  await expect(stream?.read()).rejects.toMatchObject({ code: 'InvalidAuthentication' });
  await expect(file?.data.stat()).rejects.toMatchObject({ code: 'InvalidAuthentication' });
});

test('an archive that fails is unavailable', async () => {
  archive.interfere = () => 502;
  await expect(findPaths('ega/EGAD1/a', 'alice')).rejects.toMatchObject({ code: 'UNAVAILABLE', isTransient: true });
});
