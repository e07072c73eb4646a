import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ObjectStore } from '@htskit/io';
import { openSequenceStore, type SequenceStore } from '@htskit/sequences';
import { type Blocking, FileAccess } from '@htskit/storage/file';
import { folderStore } from '@htskit/storage/folder';

/** The file that marks a folder as a sequence store of `htskit refget import`. */
export const STORE_MARKER = 'htskit-store.json';

/** The file that marks a folder as a RefgetStore of gtars. */
export const RGSTORE = 'rgstore.json';

/** Names of files that mark a folder as a sequence store. */
export const STORE_FILES: readonly string[] = [STORE_MARKER, RGSTORE];

/** Returns whether a folder is a sequence store of `htskit refget import`. */
export async function isStoreFolder(path: string): Promise<boolean> {
  const stats = await stat(join(path, STORE_MARKER)).catch(() => undefined);
  return stats?.isFile() === true;
}

/** Returns whether a bucket is a sequence store of `htskit refget import`. Throws `StorageError` if it cannot be read. */
export async function isStoreBucket(store: ObjectStore): Promise<boolean> {
  for await (const key of store.list(STORE_MARKER)) if (key === STORE_MARKER) return true;
  return false;
}

/** Opens the sequence store in a folder. Throws what `openSequenceStore` throws. */
export function openStoreFolder(path: string, blocking?: Blocking): Promise<SequenceStore> {
  return openSequenceStore(folderStore(path, { access: new FileAccess(path, { blocking }) }));
}
