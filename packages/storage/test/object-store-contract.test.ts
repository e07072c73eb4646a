import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { objectStoreContract } from '@htskit/testing';
import { folderStore } from '../src/folder.node.js';
import { memoryStore } from '../src/memory.js';

objectStoreContract('memoryStore', () => ({ store: memoryStore() }));
objectStoreContract('folderStore', async () => {
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
});
