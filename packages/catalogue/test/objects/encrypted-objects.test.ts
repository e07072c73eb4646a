import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ByteSource } from '@htskit/io';
import { s3ObjectStore } from '@htskit/storage/s3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseLocation } from '../../src/locations/location.node.js';
import { locationObjects } from '../../src/objects/bucket-objects.js';
import { folderObjects } from '../../src/objects/folder-objects.node.js';
import type { Decrypt, ObjectCatalogue } from '../../src/objects/object-catalogue.js';
import { type OpenObjectsOptions, openObjects } from '../../src/objects/open-objects.node.js';
import { transformedSource } from '../transformed-source.js';
import { startBucket, type TestBucket } from './bucket.js';

let folder: string;
let bucket: TestBucket;
const logged: string[] = [];
const log = (message: string): void => void logged.push(message);

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  bucket = await startBucket();
  logged.length = 0;
});

afterEach(async () => {
  rmSync(folder, { recursive: true });
  await bucket.server.close();
});

/** Stands for decryption: the plaintext of a file is its content in angle brackets. */
const decrypt: Decrypt = (stored) =>
  transformedSource(stored, (bytes) => Buffer.from(`<${Buffer.from(bytes).toString()}>`));

function write(names: readonly string[]): void {
  for (const name of names) writeFileSync(join(folder, name), name);
}

async function textOf(source: ByteSource | undefined): Promise<string | undefined> {
  return source && Buffer.from(await source.read({ start: 0, end: 1000 })).toString();
}

/** Returns the contents of the data and of the index of each file of an object, and whether it is encrypted. */
async function contentsOf({ resolve }: ObjectCatalogue, id: string, datatype: 'reads' | 'variants' = 'reads') {
  const files = (await resolve(id, datatype)) ?? [];
  return Promise.all(
    files.map(async ({ data, index, isEncrypted = false }) => [await textOf(data), await textOf(index), isEncrypted]),
  );
}

describe('in a folder', () => {
  test('an encrypted file has the id and the format of a plain one', async () => {
    write(['a.bam.c4gh', 'b.cram.c4gh', 'c.vcf.gz.c4gh', 'd.vcf.bgz.c4gh', 'e.bcf.c4gh', '.bam.c4gh', 'f.c4gh']);
    const catalogue = await folderObjects(folder, { log, decrypt });
    expect(await catalogue.list()).toEqual([
      { id: 'a', datatype: 'reads', formats: ['BAM'], encrypted: ['BAM'] },
      { id: 'b', datatype: 'reads', formats: ['CRAM'], encrypted: ['CRAM'] },
      { id: 'c', datatype: 'variants', formats: ['VCF'], encrypted: ['VCF'] },
      { id: 'd', datatype: 'variants', formats: ['VCF'], encrypted: ['VCF'] },
      { id: 'e', datatype: 'variants', formats: ['BCF'], encrypted: ['BCF'] },
    ]);
    expect(await contentsOf(catalogue, 'a')).toEqual([['<a.bam.c4gh>', undefined, true]]);
    expect(await contentsOf(catalogue, 'd', 'variants')).toEqual([['<d.vcf.bgz.c4gh>', undefined, true]]);
    expect(logged).toEqual([]);
  });

  test('a plain file beside an encrypted one of its format is reported, and not served', async () => {
    write(['a.bam', 'a.bam.c4gh', 'a.cram', 'b.vcf.gz', 'b.vcf.bgz.c4gh']);
    const catalogue = await folderObjects(folder, { log, decrypt });
    expect(await catalogue.list()).toEqual([
      { id: 'a', datatype: 'reads', formats: ['BAM', 'CRAM'], encrypted: ['BAM'] },
      { id: 'b', datatype: 'variants', formats: ['VCF'], encrypted: ['VCF'] },
    ]);
    expect(logged).toHaveLength(2);
    expect(logged[0]).toMatch(/a\.bam is not served: .*a\.bam\.c4gh has the same id$/);
    expect(await contentsOf(catalogue, 'a')).toEqual([
      ['<a.bam.c4gh>', undefined, true],
      ['a.cram', undefined, false],
    ]);
    expect(await contentsOf(catalogue, 'b', 'variants')).toEqual([['<b.vcf.bgz.c4gh>', undefined, true]]);
  });

  test('an index is decrypted if its name says so', async () => {
    write(['a.bam.c4gh']);
    const catalogue = await folderObjects(folder, { log, decrypt });
    for (const [name, content] of [
      ['a.bai', 'a.bai'],
      ['a.bam.bai', 'a.bam.bai'],
      ['a.bam.c4gh.bai', 'a.bam.c4gh.bai'],
      ['a.bam.bai.c4gh', '<a.bam.bai.c4gh>'],
    ] as const) {
      write([name]);
      expect(await contentsOf(catalogue, 'a')).toEqual([['<a.bam.c4gh>', content, true]]);
    }
  });

  test('a plain file has no encrypted index', async () => {
    write(['a.bam', 'a.bam.bai.c4gh']);
    const catalogue = await folderObjects(folder, { log, decrypt });
    expect(await contentsOf(catalogue, 'a')).toEqual([['a.bam', undefined, false]]);
  });

  test('the bigWig of an encrypted file is the encrypted one beside it', async () => {
    write(['a.bam.c4gh', 'a.bam.coverage.bw.c4gh', 'a.bam.c4gh.coverage.bw', 'b.bam.c4gh', 'b.bam.coverage.bw']);
    const { resolve } = await folderObjects(folder, { log, decrypt });
    const [a, b] = [await resolve('a', 'reads'), await resolve('b', 'reads')];
    expect(await textOf(a?.[0]?.coverage)).toBe('<a.bam.coverage.bw.c4gh>');
    expect(b?.[0]?.coverage).toBeUndefined();
  });

  test('without a key, encrypted files are reported, and plain ones are served', async () => {
    write(['a.bam', 'a.bam.c4gh', 'b.bam.c4gh']);
    const catalogue = await folderObjects(folder, { log });
    expect(await catalogue.list()).toEqual([{ id: 'a', datatype: 'reads', formats: ['BAM'] }]);
    expect(logged).toHaveLength(2);
    expect(logged[1]).toMatch(/b\.bam\.c4gh is not served: it is encrypted by Crypt4GH, and there is no key/);
    expect(await contentsOf(catalogue, 'a')).toEqual([['a.bam', undefined, false]]);
    expect(await contentsOf(catalogue, 'b')).toEqual([]);
  });

  test('one source serves all requests, and one file under both names has one for each', async () => {
    write(['a.bam.c4gh']);
    symlinkSync('a.bam.c4gh', join(folder, 'stored.bam'));
    const catalogue = await folderObjects(folder, { log, decrypt });
    const [first, second] = [await catalogue.resolve('a', 'reads'), await catalogue.resolve('a', 'reads')];
    expect(first?.[0]?.data).toBe(second?.[0]?.data);
    expect(first?.[0]?.data).toBeDefined();
    expect(await contentsOf(catalogue, 'stored')).toEqual([['a.bam.c4gh', undefined, false]]);
    expect(await contentsOf(catalogue, 'a')).toEqual([['<a.bam.c4gh>', undefined, true]]);
  });
});

describe('in a bucket', () => {
  const put = async (keys: readonly string[]): Promise<void> => {
    const store = s3ObjectStore({ ...bucket.s3, bucket: bucket.server.bucket });
    for (const key of keys) await store.put(key, Buffer.from(key));
    bucket.requests.length = 0;
  };
  const open = (options: Pick<OpenObjectsOptions, 'decrypt'>): ObjectCatalogue => {
    const location = { kind: 's3', bucket: bucket.server.bucket, key: '' } as const;
    return locationObjects(location, { storage: bucket.storage, delivery: 'presigned', ...options });
  };

  test('an encrypted file precedes a plain one of its format, with an index that may be encrypted', async () => {
    await put(['a.bam', 'a.bam.c4gh', 'a.bam.bai.c4gh', 'b.bcf.c4gh', 'b.bcf.csi']);
    const catalogue = open({ decrypt });
    expect(await catalogue.list()).toEqual([
      { id: 'a', datatype: 'reads', formats: ['BAM'], encrypted: ['BAM'] },
      { id: 'b', datatype: 'variants', formats: ['BCF'], encrypted: ['BCF'] },
    ]);
    expect(await contentsOf(catalogue, 'a')).toEqual([['<a.bam.c4gh>', '<a.bam.bai.c4gh>', true]]);
    expect(await contentsOf(catalogue, 'b', 'variants')).toEqual([['<b.bcf.c4gh>', 'b.bcf.csi', true]]);
  });

  test('presigned URLs lead to plain files only', async () => {
    await put(['a.bam.c4gh', 'a.cram']);
    const [encrypted, plain] = (await open({ decrypt }).resolve('a', 'reads')) ?? [];
    expect(encrypted?.isEncrypted).toBe(true);
    expect(encrypted?.locate).toBeUndefined();
    expect(plain?.locate).toBeDefined();
  });

  test('without a key, encrypted files are neither listed nor looked for', async () => {
    await put(['a.bam.c4gh', 'b.bam']);
    const catalogue = open({});
    expect(await catalogue.list()).toEqual([{ id: 'b', datatype: 'reads', formats: ['BAM'] }]);
    expect(await contentsOf(catalogue, 'a')).toEqual([]);
    expect(bucket.requests.filter((request) => request.includes('c4gh'))).toEqual([]);
  });
});

describe('at locations of their own', () => {
  const open = (names: readonly string[], options: Pick<OpenObjectsOptions, 'decrypt'>): Promise<ObjectCatalogue> =>
    openObjects({
      paths: [],
      locations: names.map((name) => ({ location: parseLocation(name, folder), id: 'x' })),
      storage: bucket.storage,
      log,
      ...options,
    });

  test('an encrypted file is a format of its object', async () => {
    write(['a.bam.c4gh', 'a.bam.bai.c4gh', 'b.cram']);
    const catalogue = await open(['a.bam.c4gh', 'b.cram'], { decrypt });
    expect(await catalogue.list()).toEqual([
      { id: 'x', datatype: 'reads', formats: ['BAM', 'CRAM'], encrypted: ['BAM'] },
    ]);
    expect(await contentsOf(catalogue, 'x')).toEqual([
      ['<a.bam.c4gh>', '<a.bam.bai.c4gh>', true],
      ['b.cram', undefined, false],
    ]);
  });

  test('an encrypted and a plain file of one format and id are an error, as other files are', async () => {
    write(['a.bam.c4gh', 'b.bam']);
    await expect(open(['a.bam.c4gh', 'b.bam'], { decrypt })).rejects.toThrow('reads/x has another BAM file');
  });

  test('without a key, an encrypted file and one with an encrypted index are reported, and not served', async () => {
    write(['a.bam.c4gh', 'b.bam', 'b.bai.c4gh']);
    const catalogue = await open(['a.bam.c4gh'], {});
    const indexed = await openObjects({
      paths: [],
      locations: [{ location: parseLocation('b.bam', folder), index: parseLocation('b.bai.c4gh', folder) }],
      storage: bucket.storage,
      log,
    });
    expect([...(await catalogue.list()), ...(await indexed.list())]).toEqual([]);
    expect(logged).toHaveLength(2);
    for (const message of logged) expect(message).toMatch(/is not served: it is encrypted by Crypt4GH/);
  });

  test('a path of an encrypted file or index may be given', async () => {
    write(['a.bam.c4gh', 'a.bam.bai.c4gh']);
    cpSync(join(folder, 'a.bam.c4gh'), join(folder, 'b.bam.c4gh'));
    const paths = ['a.bam.c4gh', 'a.bam.bai.c4gh'].map((name) => join(folder, name));
    const catalogue = await openObjects({ paths, locations: [], storage: bucket.storage, log, decrypt });
    expect((await catalogue.list()).map(({ id }) => id)).toEqual(['a']);
    expect(await contentsOf(catalogue, 'a')).toEqual([['<a.bam.c4gh>', '<a.bam.bai.c4gh>', true]]);
  });
});
