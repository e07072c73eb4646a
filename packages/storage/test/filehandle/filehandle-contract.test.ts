import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { byteSourceContract, type ContractSource, type ContractSubject } from '@htskit/testing';
// Its ES modules are not for Node: what Node finds is CommonJS, whose names it cannot see.
// oxlint-disable-next-line import/default
import filehandle3 from 'generic-filehandle';
import { BlobFile, LocalFile, RemoteFile } from 'generic-filehandle2';
import { afterAll, beforeAll, vi } from 'vitest';
import { fromBufferFilehandle, fromFilehandle, toFilehandle } from '../../src/filehandle/index.js';
import { memorySource } from '../../src/memory.js';
import { BlobReader } from './blob-reader.js';
import { serveRanges } from './range-server.js';

beforeAll(() => {
  vi.stubGlobal('FileReader', BlobReader);
});
afterAll(() => {
  vi.unstubAllGlobals();
});

byteSourceContract(
  'LocalFile of generic-filehandle2',
  (bytes) => createFile(bytes, (path) => fromFilehandle(new LocalFile(path))),
  { without: ['bytesRead'] },
);
byteSourceContract(
  'RemoteFile of generic-filehandle2',
  (bytes) => createRemote(bytes, (url) => fromFilehandle(new RemoteFile(url))),
  { without: ['version', 'replace'] },
);
byteSourceContract(
  'BlobFile of generic-filehandle2',
  (bytes) => ({ source: fromFilehandle(new BlobFile(toBlob(bytes))) }),
  { without: ['missing', 'version', 'replace', 'bytesRead'] },
);
byteSourceContract(
  'LocalFile of generic-filehandle 3',
  (bytes) => createFile(bytes, (path) => fromBufferFilehandle(new filehandle3.LocalFile(path))),
  // It continues to read the file that it has opened.
  { without: ['replace', 'bytesRead'] },
);
byteSourceContract(
  'RemoteFile of generic-filehandle 3',
  (bytes) => createRemote(bytes, (url) => fromBufferFilehandle(new filehandle3.RemoteFile(url))),
  { without: ['version', 'replace'] },
);
byteSourceContract(
  'BlobFile of generic-filehandle 3',
  (bytes) => ({ source: fromBufferFilehandle(new filehandle3.BlobFile(toBlob(bytes))) }),
  { without: ['missing', 'version', 'replace', 'bytesRead'] },
);
byteSourceContract(
  'a source that was made a filehandle and back',
  (bytes) => ({ source: fromFilehandle(toFilehandle(memorySource(bytes))) }),
  { without: ['missing', 'version', 'replace', 'bytesRead'] },
);

function toBlob(bytes: Uint8Array): Blob {
  return new Blob([new Uint8Array(bytes)]);
}

async function createFile(bytes: Uint8Array, create: (path: string) => ContractSource): Promise<ContractSubject> {
  const folder = await mkdtemp(join(tmpdir(), 'htskit-filehandle-'));
  const path = join(folder, 'object');
  await writeFile(path, bytes);
  return {
    source: create(path),
    missing: create(join(folder, 'missing')),
    replace: async (replacement) => {
      await writeFile(`${path}.new`, replacement);
      await rename(`${path}.new`, path);
    },
    dispose: () => rm(folder, { recursive: true }),
  };
}

async function createRemote(bytes: Uint8Array, create: (url: string) => ContractSource): Promise<ContractSubject> {
  const server = await serveRanges(bytes);
  const missing = await serveRanges(bytes, { status: 404 });
  return {
    source: create(server.url),
    missing: create(missing.url),
    bytesRead: server.bytesRead,
    dispose: async () => {
      await server.close();
      await missing.close();
    },
  };
}
