import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openSequenceStore, type SequenceStore } from '@htskit/sequences';
import { folderStore } from '@htskit/storage/folder';

/** The file that a folder is told by which `htskit refget import` wrote. */
export const STORE_MARKER = 'htskit-store.json';

/** What a RefgetStore of gtars has in its folder. */
export const RGSTORE = 'rgstore.json';

/** Files by which a folder is known to be a store of sequences. */
export const STORE_FILES: readonly string[] = [STORE_MARKER, RGSTORE];

/** Whether a folder is one that `htskit refget import` wrote. */
export async function isStoreFolder(path: string): Promise<boolean> {
  const stats = await stat(join(path, STORE_MARKER)).catch(() => undefined);
  return stats?.isFile() === true;
}

/** The sequences of such a folder. Throws as `openSequenceStore`. */
export function openStoreFolder(path: string): Promise<SequenceStore> {
  return openSequenceStore(folderStore(path));
}
