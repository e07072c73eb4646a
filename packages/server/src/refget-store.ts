import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openSequenceStore, type SequenceStore } from '@htskit/sequences';
import { folderStore } from '@htskit/storage/folder';

/** The file that marks a folder as a store written by `htskit refget import`. */
export const STORE_MARKER = 'htskit-store.json';

/** The file that marks a folder as a RefgetStore of gtars. */
export const RGSTORE = 'rgstore.json';

/** The files that mark a folder as a sequence store. */
export const STORE_FILES: readonly string[] = [STORE_MARKER, RGSTORE];

/** Returns whether a folder was written by `htskit refget import`. */
export async function isStoreFolder(path: string): Promise<boolean> {
  const stats = await stat(join(path, STORE_MARKER)).catch(() => undefined);
  return stats?.isFile() === true;
}

/** Opens such a folder. Throws as `openSequenceStore`. */
export function openStoreFolder(path: string): Promise<SequenceStore> {
  return openSequenceStore(folderStore(path));
}
