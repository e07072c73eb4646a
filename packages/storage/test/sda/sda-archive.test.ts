import type { SdaServer } from '@htskit/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SdaArchive } from '../../src/sda/sda-archive.js';
import { archivedFile, startArchive, TOKEN } from './archive.js';

const KEY = new Uint8Array(32).fill(7);

let server: SdaServer;

beforeEach(async () => {
  server = await startArchive({ pageLength: 2 });
});

afterEach(() => server.close());

function open(url = server.url): SdaArchive {
  return new SdaArchive(url, { publicKey: KEY, transport: { retryDelayMilliseconds: 0, retries: 1 } });
}

test('lists all pages of the datasets of a user', async () => {
  const datasets = ['EGAD1', 'EGAD2', 'https://doi.org/a/b', 'EGAD3', 'EGAD4'];
  server.permissions.set('alice', new Set(datasets));
  expect(await open().datasets({ headers: TOKEN })).toEqual([...datasets].sort());
});

test('lists the files of a dataset below a prefix, with the digests of their plaintext', async () => {
  for (const path of ['a.bam.c4gh', 'a.bam.bai.c4gh', 'a.cram.c4gh', 'b.bam.c4gh']) {
    server.files.push(archivedFile(path, Buffer.from(path)));
  }
  const files = await open().files('EGAD1', { pathPrefix: 'a.', headers: TOKEN });
  expect(files.map(({ filePath }) => filePath)).toEqual(['a.bam.c4gh', 'a.bam.bai.c4gh', 'a.cram.c4gh']);
  expect(files[0]?.checksums).toEqual([{ type: 'sha256', checksum: server.files[0]?.sha256 }]);
});

test('addresses a dataset whose id is a URL, and no other path', async () => {
  server.permissions.set('alice', new Set(['https://doi.org/a/b']));
  server.files.push({ ...archivedFile('a.bam', Buffer.from('x')), dataset: 'https://doi.org/a/b' });
  expect(await open().files('https://doi.org/a/b', { headers: TOKEN })).toHaveLength(1);
  for (const id of ['', '.', '..']) {
    const listed = async (): Promise<unknown> => open().files(id, { headers: TOKEN });
    await expect(listed()).rejects.toMatchObject({ code: 'INVALID_KEY' });
  }
  expect(server.requests).toHaveLength(1);
});

test('requests a header with exactly one public key', async () => {
  const file = archivedFile('a.bam', Buffer.from('content'));
  server.files.push(file);
  const { bytes, contentTag } = await open().header(file.fileId, { headers: TOKEN });
  expect(Buffer.from(bytes)).toEqual(Buffer.concat([file.header, KEY]));
  const content = await fetch(open().contentUrl(file.fileId), { method: 'HEAD', headers: TOKEN });
  expect(contentTag).toBe(content.headers.get('etag'));
});

test.each([
  [{}, 'EGAD1', 401],
  [{ authorization: 'Bearer mallory' }, 'EGAD1', 401],
  [TOKEN, 'EGAD2', 403],
])('is refused with the headers %j for %s with the status %i', async (headers, dataset, status) => {
  const refusal = { code: 'ACCESS_DENIED', status };
  await expect(open().files(dataset, { headers })).rejects.toMatchObject(refusal);
  await expect(open().header('absent', { headers })).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
});

test('reports an archive that fails as transient', async () => {
  server.interfere = () => 500;
  await expect(open().datasets({ headers: TOKEN })).rejects.toMatchObject({ code: 'UNAVAILABLE', isTransient: true });
  expect(server.requests).toHaveLength(2);
});

test.each(['ftp://archive.example', 'https://u:p@archive.example', 'https://archive.example/?a=b', 'archive'])(
  'refuses the URL %s',
  (url) => {
    expect(() => open(url)).toThrow(TypeError);
  },
);
