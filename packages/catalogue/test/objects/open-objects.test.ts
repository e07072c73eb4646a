import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixturePath, readFixture } from '@htskit/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseLocation, type StorageLocation } from '../../src/locations/location.node.js';
import type { ObjectCatalogue } from '../../src/objects/object-catalogue.js';
import { type ObjectLocation, openObjects } from '../../src/objects/open-objects.node.js';
import { startBucket, type TestBucket } from './bucket.js';
import { findFiles } from './find-files.js';

let folder: string;
let bucket: TestBucket;
let web: Server;
let origin: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  bucket = await startBucket();
  web = createServer((incoming, outgoing) => {
    const name = decodeURIComponent(incoming.url?.replace(/\?.*$/, '').slice(1) ?? '');
    const found = ['reads.bam', 'reads.bam.bai', 'variants-csi.vcf.gz'].includes(name);
    outgoing.writeHead(found ? 200 : 404, found ? { 'content-length': readFixture(name).length } : {}).end();
  });
  web.listen(0, '127.0.0.1');
  await once(web, 'listening');
  origin = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
});

afterEach(async () => {
  web.close();
  await bucket.server.close();
  rmSync(folder, { recursive: true });
});

function copy(fixture: string, path: string): void {
  cpSync(fixturePath(fixture), join(folder, path));
}

function at(text: string): StorageLocation {
  return parseLocation(text, folder);
}

async function open(...locations: readonly ObjectLocation[]): Promise<ObjectCatalogue> {
  return openObjects({ paths: [], locations, storage: bucket.storage, log: () => undefined });
}

function sizeOf(fixture: string): number {
  return readFixture(fixture).length;
}

test('serves a file under a given id with a given index, wherever each is stored', async () => {
  copy('reads.bam', 'a.bam');
  copy('reads.bam.bai', 'elsewhere.bai');
  await bucket.put({ 'x/b.bam': 'straddle.bam', 'indexes/b.csi': 'straddle.bam.bai' });
  const finder = await open(
    { id: 'study/A', location: at('a.bam'), index: at('elsewhere.bai') },
    { id: 'B', location: at('s3://bucket/x/b.bam'), index: at('elsewhere.bai') },
    { location: at('s3://bucket/x/b.bam'), index: at('s3://bucket/indexes/b.csi') },
    { location: at('s3://bucket/x/b.bam'), prefix: 'p' },
  );
  expect(await findFiles(finder, 'study/A')).toEqual([['BAM', sizeOf('reads.bam'), sizeOf('reads.bam.bai')]]);
  expect(await findFiles(finder, 'B')).toEqual([['BAM', sizeOf('straddle.bam'), sizeOf('reads.bam.bai')]]);
  expect(await findFiles(finder, 'b')).toEqual([['BAM', sizeOf('straddle.bam'), sizeOf('straddle.bam.bai')]]);
  expect(await findFiles(finder, 'p/b')).toEqual([['BAM', sizeOf('straddle.bam'), undefined]]);
  expect([await findFiles(finder, 'a'), await findFiles(finder, 'B', 'variants')]).toEqual([undefined, undefined]);
  const formats = ['BAM'];
  expect(await finder.list()).toEqual(['B', 'b', 'p/b', 'study/A'].map((id) => ({ id, datatype: 'reads', formats })));
  await finder.close();
});

test('treats files with the same id as formats of one object', async () => {
  copy('reads.bam', 'a.bam');
  copy('reads.cram', 'b.cram');
  const finder = await open({ id: 'A', location: at('b.cram') }, { id: 'A', location: at('a.bam') });
  expect(await findFiles(finder, 'A')).toEqual([
    ['BAM', sizeOf('reads.bam'), undefined],
    ['CRAM', sizeOf('reads.cram'), undefined],
  ]);
  await finder.close();
  const twice = open({ id: 'A', location: at('a.bam') }, { id: 'A', location: at('s3://bucket/c.bam') });
  await expect(twice).rejects.toThrow('cannot serve s3://bucket/c.bam: reads/A has another BAM file');
});

test('finds the index beside a URL, unless the URL has a query', async () => {
  const finder = await open(
    { location: at(`${origin}/reads.bam`) },
    { id: 'signed', location: at(`${origin}/reads.bam?signature=1`) },
    { id: 'both', location: at(`${origin}/reads.bam?signature=1`), index: at(`${origin}/reads.bam.bai?signature=2`) },
    { location: at(`${origin}/variants%2Dcsi.vcf.gz`) },
    { id: 'missing', location: at(`${origin}/missing.bam`) },
  );
  const [data, index] = [sizeOf('reads.bam'), sizeOf('reads.bam.bai')];
  expect(await findFiles(finder, 'reads')).toEqual([['BAM', data, index]]);
  expect(await findFiles(finder, 'signed')).toEqual([['BAM', data, undefined]]);
  expect(await findFiles(finder, 'both')).toEqual([['BAM', data, index]]);
  expect(await findFiles(finder, 'variants-csi', 'variants')).toEqual([
    ['VCF', sizeOf('variants-csi.vcf.gz'), undefined],
  ]);
  expect(await findFiles(finder, 'missing')).toBeUndefined();
  const coverages = await Promise.all(['reads', 'signed'].map((id) => finder.resolve(id, 'reads')));
  expect(coverages.map((files) => files?.[0]?.coverage?.key)).toEqual([`${origin}/reads.bam.coverage.bw`, undefined]);
});

test('serves a folder and a bucket only under ids that begin with their prefix', async () => {
  mkdirSync(join(folder, 'in'));
  copy('reads.bam', 'in/a.bam');
  copy('reads.bam', 'in/b.bam');
  await bucket.put({ 'deep/er/c.bam': 'reads.bam' });
  const finder = await open(
    { prefix: 'local', location: at('in') },
    { prefix: 'x/remote', location: at('s3://bucket/deep/') },
    { prefix: 'one', location: at('in/b.bam') },
  );
  for (const id of ['local/a', 'x/remote/er/c', 'one/b']) expect(await findFiles(finder, id), id).toHaveLength(1);
  for (const id of ['a', 'in/a', 'x/remote', 'x/remote/c', 'remote/er/c', 'locala', 'b']) {
    expect(await findFiles(finder, id), id).toBeUndefined();
  }
  expect((await finder.list()).map(({ id }) => id)).toEqual(['local/a', 'local/b', 'one/b', 'x/remote/er/c']);
});

test('prefers the first object of an id, and single files to folders', async () => {
  for (const name of ['one', 'two']) mkdirSync(join(folder, name));
  copy('reads.bam', 'one/a.bam');
  copy('straddle.bam', 'two/a.bam');
  copy('straddle.bam', 'two/b.bam');
  await bucket.put({ 'a.bam': 'no-eof.bam', 'b.bam': 'no-eof.bam' });
  const sizes = async (...locations: readonly ObjectLocation[]): Promise<unknown> => {
    const finder = await open(...locations);
    return [await findFiles(finder, 'a'), await findFiles(finder, 'b')];
  };
  const [one, two, remote] = [at('one'), at('two'), at('s3://bucket')].map((location) => ({ location }));
  const [reads, straddle, other] = ['reads.bam', 'straddle.bam', 'no-eof.bam'].map((name) => [
    ['BAM', sizeOf(name), undefined],
  ]);
  const named = { id: 'a', location: at('two/a.bam') };
  const all = [one, two, remote].filter((location) => location !== undefined);
  expect(await sizes(...all)).toEqual([reads, straddle]);
  expect(await sizes(...all.toReversed())).toEqual([other, other]);
  expect(await sizes(...all, named)).toEqual([straddle, straddle]);
});

test.each<[{ location: string; id?: string; index?: string }, RegExp]>([
  [{ location: 'missing' }, /ENOENT.*missing/],
  [{ location: 'missing.bam', id: 'a' }, /ENOENT.*missing\.bam/],
  [{ location: 'a.bam', index: 'missing.bai' }, /ENOENT.*missing\.bai/],
  [{ location: 'a.txt' }, /cannot serve .*a\.txt/],
])('rejects %j', async ({ location, index, ...others }, message) => {
  copy('reads.bam', 'a.bam');
  copy('README.md', 'a.txt');
  const opened = open({ ...others, location: at(location), index: index === undefined ? undefined : at(index) });
  await expect(opened).rejects.toThrow(message);
});
