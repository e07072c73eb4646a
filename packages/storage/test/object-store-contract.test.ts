import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { objectStoreContract } from '@htskit/testing';
import { folderStore } from '../src/folder.node.js';
import { memoryStore } from '../src/memory.js';

objectStoreContract('memoryStore', () => ({ store: memoryStore() }));
objectStoreContract('folderStore', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'htskit-store-'));
  return { store: folderStore(join(folder, 'store')), dispose: () => rm(folder, { recursive: true }) };
});
