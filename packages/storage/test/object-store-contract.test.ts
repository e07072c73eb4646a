import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ContractStoreSubject, objectStoreContract, S3Server } from '@htskit/testing';
import { folderStore } from '../src/folder.node.js';
import { memoryStore } from '../src/memory.js';
import { s3ObjectStore } from '../src/s3/s3-object-store.js';

objectStoreContract('memoryStore', () => ({ store: memoryStore() }));
objectStoreContract('folderStore', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'htskit-store-'));
  return { store: folderStore(join(folder, 'store')), dispose: () => rm(folder, { recursive: true }) };
});
objectStoreContract('s3ObjectStore', () => createBucket({}));
objectStoreContract('s3ObjectStore of small parts', () => createBucket({ partBytes: 200_001 }));
objectStoreContract('s3ObjectStore below a prefix', () => createBucket({ prefix: 'some folder/' }));

async function createBucket(options: {
  readonly partBytes?: number;
  readonly prefix?: string;
}): Promise<ContractStoreSubject> {
  const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
  const server = await S3Server.start({ keys: credentials, pageLength: 2 });
  const { bucket, endpoint } = server;
  const store = s3ObjectStore({ bucket, endpoint, forcePathStyle: true, credentials, ...options });
  return { store, dispose: () => server.close() };
}
