import { concatBytes } from '@htskit/io';
import { byteSourceContract, objectBytes } from '@htskit/testing';
import { expect, onTestFinished, test } from 'vitest';
import { httpSource } from '../../src/http/http-source.js';
import { memorySource } from '../../src/memory.js';
import { SdaArchive } from '../../src/sda/sda-archive.js';
import { sdaSource } from '../../src/sda/sda-source.js';
import { archivedFile, startArchive, TOKEN } from './archive.js';

const HEADER_BYTES = 10;

byteSourceContract(
  'sdaSource',
  (bytes) => {
    const content = memorySource(bytes.slice(HEADER_BYTES), { version: '"1"' });
    const header = { bytes: bytes.slice(0, HEADER_BYTES), contentTag: '"1"' };
    return { source: sdaSource({ content, readHeader: async () => header }) };
  },
  { without: ['missing', 'replace', 'bytesRead'] },
);

async function openArchived(content: Uint8Array) {
  const server = await startArchive();
  onTestFinished(() => server.close());
  const file = archivedFile('a.bam.c4gh', content);
  server.files.push(file);
  const archive = new SdaArchive(server.url, { publicKey: new Uint8Array(32) });
  const readHeader = () => archive.header(file.fileId, { headers: TOKEN });
  const source = sdaSource({ content: httpSource(archive.contentUrl(file.fileId), { headers: TOKEN }), readHeader });
  return { server, source, whole: concatBytes([file.header, new Uint8Array(32), content]) };
}

test('reads the header once, and segments by ranges', async () => {
  const { server, source, whole } = await openArchived(objectBytes);
  expect(await source.stat()).toMatchObject({ size: whole.length });
  for (const [start, end] of [
    [0, 5],
    [30, 60],
    [42, 42],
    [42, 100],
    [1_000_000, 1_000_100],
  ] as const) {
    expect(Buffer.from(await source.read({ start, end }))).toEqual(Buffer.from(whole.slice(start, end)));
  }
  expect(server.requests.filter(({ url }) => url.endsWith('/header'))).toHaveLength(1);
  expect(server.requests.every(({ authorization }) => authorization === TOKEN.authorization)).toBe(true);
});

test('does not join a header and segments of different files', async () => {
  const tags = ['"other"', '"other"'];
  const source = sdaSource({
    content: memorySource(objectBytes, { version: '"1"' }),
    readHeader: async () => ({ bytes: new Uint8Array(10), contentTag: tags.pop() ?? '"1"' }),
  });
  await expect(source.stat()).rejects.toMatchObject({ code: 'CHANGED' });
  await expect(source.read({ start: 0, end: 20 }, { version: '"1"' })).rejects.toMatchObject({ code: 'CHANGED' });
  expect(await source.stat()).toMatchObject({ version: '"1"' });
});

test('requests a header again after a failure', async () => {
  const answers = [
    Promise.reject(new Error('no')),
    Promise.resolve({ bytes: new Uint8Array(10), contentTag: undefined }),
  ];
  answers[0]?.catch(() => undefined);
  const readHeader = () => answers.shift() ?? Promise.reject(new Error('too often'));
  const source = sdaSource({ content: memorySource(objectBytes), readHeader });
  await expect(source.stat()).rejects.toThrow('no');
  expect(await source.stat()).toMatchObject({ size: objectBytes.length + 10 });
});
