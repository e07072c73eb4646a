import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3Server } from '@htskit/testing';
import { folderStore } from '../src/file/folder-store.node.js';
import { memoryStore } from '../src/memory.js';
import { s3ObjectStore } from '../src/s3/s3-object-store.js';
import { type ContractStoreSubject, objectStoreContract } from './object-store-contract.js';

objectStoreContract('memoryStore', () => ({ store: memoryStore() }));
objectStoreContract('folderStore', createFolder, { keepsOrigins: false });
objectStoreContract('s3ObjectStore', () => createBucket({}), { foreignKeys: true });
objectStoreContract('s3ObjectStore of small parts', () => createBucket({ partBytes: 200_001 }), { foreignKeys: true });
objectStoreContract('s3ObjectStore below a prefix', () => createBucket({ prefix: 'some folder/' }), {
  foreignKeys: true,
});

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

async function createFolder(): Promise<ContractStoreSubject> {
  const folder = await mkdtemp(join(tmpdir(), 'htskit-store-'));
  const store = join(folder, 'store');
  const placeForeign = async (): Promise<string[]> => {
    await mkdir(join(folder, 'elsewhere'));
    for (const file of ['elsewhere/object', 'elsewhere/backup~', 'store/.hidden', 'store/a copy (1)']) {
      await writeFile(join(folder, file), Uint8Array.of(1));
    }
    const links = {
      'folder/linked': 'elsewhere/object',
      hidden: 'store/.hidden',
      'folder/linked-folder': 'elsewhere',
      'elsewhere/back': 'store',
      'folder/parent': 'store/folder',
      dangling: 'nowhere',
    };
    for (const [name, target] of Object.entries(links)) {
      await symlink(join(folder, target), join(folder, name.startsWith('elsewhere') ? '.' : 'store', name));
    }
    return ['folder/linked', 'folder/linked-folder/object', 'hidden'];
  };
  return { store: folderStore(store), placeForeign, dispose: () => rm(folder, { recursive: true }) };
}
