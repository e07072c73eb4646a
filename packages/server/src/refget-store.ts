import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openSequenceStore, type SequenceStore } from '@htskit/refget';
import { folderStore } from '@htskit/storage/folder';

/** Whether a folder is one that `htskit refget import` wrote. */
export async function isStoreFolder(path: string): Promise<boolean> {
  const stats = await stat(join(path, 'htskit-store.json')).catch(() => undefined);
  return stats?.isFile() === true;
}

/** The sequences of such a folder. Throws as `openSequenceStore`. */
export function openStoreFolder(path: string): Promise<SequenceStore> {
  return openSequenceStore(folderStore(path));
}
