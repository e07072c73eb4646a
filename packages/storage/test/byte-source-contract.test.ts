import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { byteSourceContract, type ContractSubject, FaultyServer, S3Server } from '@htskit/testing';
import { cachedSource } from '../src/cache/cached-source.js';
import { type FileSourceOptions, fileSource } from '../src/file/file-source.node.js';
import { httpSource } from '../src/http/http-source.js';
import { memorySource } from '../src/memory.js';
import { s3ObjectStore } from '../src/s3/s3-object-store.js';

byteSourceContract('memorySource', (bytes) => ({ source: memorySource(bytes) }), {
  without: ['missing', 'version', 'replace', 'bytesRead'],
});
byteSourceContract('memorySource with a version', (bytes) => ({ source: memorySource(bytes, { version: 'v1' }) }), {
  without: ['missing', 'replace', 'bytesRead'],
});
byteSourceContract('fileSource', (bytes) => createFile(bytes, {}), { without: ['bytesRead', 'abortedStat'] });
byteSourceContract('fileSource that never blocks', (bytes) => createFile(bytes, { blockingBytes: 0 }), {
  without: ['bytesRead'],
});

byteSourceContract('httpSource by entity-tags', (bytes) => serveObject(bytes, (count) => ({ etag: `"${count}"` })), {
  without: ['bytesRead'],
});
byteSourceContract('httpSource by times', (bytes) => serveObject(bytes, toLastModified), { without: ['bytesRead'] });
byteSourceContract('s3Source', (bytes) => createBucket(bytes, false), { without: ['bytesRead'] });
byteSourceContract('s3Source of a bucket with versions', (bytes) => createBucket(bytes, true), {
  without: ['bytesRead'],
});
// What is cached of a version is given although the object was replaced.
byteSourceContract('cachedSource', (bytes) => ({ source: cachedSource(memorySource(bytes, { version: 'v1' })) }), {
  without: ['missing', 'replace', 'bytesRead'],
});

async function serveObject(
  bytes: Uint8Array,
  toHeaders: (count: number) => Readonly<Record<string, string>>,
): Promise<ContractSubject> {
  const server = await FaultyServer.start({ bytes, headers: toHeaders(1) });
  return {
    source: httpSource(`${server.origin}/object`),
    missing: httpSource(`${server.origin}/missing`),
    replace: async (replacement) => {
      server.object = { bytes: replacement, headers: toHeaders(2) };
    },
    dispose: () => server.close(),
  };
}

function toLastModified(count: number): Readonly<Record<string, string>> {
  return { 'last-modified': new Date(count * 1000).toUTCString() };
}

async function createBucket(bytes: Uint8Array, keepsVersions: boolean): Promise<ContractSubject> {
  const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
  const server = await S3Server.start({ keys: credentials, keepsVersions });
  const { bucket, endpoint } = server;
  const store = s3ObjectStore({ bucket, endpoint, forcePathStyle: true, credentials });
  await store.put('object', bytes);
  return {
    source: store.source('object'),
    missing: store.source('missing'),
    replace: (replacement) => store.put('object', replacement),
    dispose: () => server.close(),
  };
}

async function createFile(bytes: Uint8Array, options: FileSourceOptions): Promise<ContractSubject> {
  const folder = await mkdtemp(join(tmpdir(), 'htskit-contract-'));
  const path = join(folder, 'object');
  await writeFile(path, bytes);
  const source = fileSource(path, options);
  return {
    source,
    missing: fileSource(join(folder, 'missing'), options),
    replace: async (replacement) => {
      await writeFile(`${path}.new`, replacement);
      await rename(`${path}.new`, path);
    },
    dispose: async () => {
      await source.close();
      await rm(folder, { recursive: true });
    },
  };
}
