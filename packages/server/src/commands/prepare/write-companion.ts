import { type ObjectStream, type SourceStat, StorageError } from '@htskit/io';
import { unlessMissing } from '@htskit/io/internal';
import { isCurrentFile, isMadeOf } from '../../stored-file/companion.js';
import type { PreparedFile } from './prepared-file.js';

/** An object beside a file that is made of it. */
export interface Companion {
  readonly key: string;
  /** Undefined if it does not exist. */
  readonly stat: SourceStat | undefined;
  /** Whether it was made of this version of the file. */
  readonly isCurrent: boolean;
}

/** Looks for the object of a key, which is made of a file. */
export async function findCompanion(
  { key: dataKey, location, stat: dataStat }: PreparedFile,
  key: string,
  signal: AbortSignal,
): Promise<Companion> {
  const stat = await unlessMissing(location.store.source(key).stat({ signal }));
  const [path, original] = [location.pathOf(key), location.pathOf(dataKey)];
  const isCurrent =
    path !== undefined && original !== undefined ? await isCurrentFile(path, original) : isMadeOf(stat, dataStat);
  return { key, stat, isCurrent };
}

/**
 * Writes an object that was made of a file, unless another process has done so: then that one is kept. Returns whether it was
 * written. Throws StorageError CHANGED if the file is no longer the one that it was made of.
 */
export async function writeCompanion(
  file: PreparedFile,
  content: Uint8Array | ObjectStream,
  { key, stat, signal }: Pick<Companion, 'key' | 'stat'> & { readonly signal: AbortSignal },
): Promise<boolean> {
  const { store } = file.location;
  await checkUnchanged(file, signal);
  try {
    await store.put(key, content, {
      replaces: stat === undefined ? null : stat.version,
      origin: file.stat.version,
      signal,
    });
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== 'CHANGED') throw error;
    if ((await findCompanion(file, key, signal)).isCurrent) return false;
    throw error;
  }
  try {
    await checkUnchanged(file, signal);
  } catch (error) {
    // In a folder, it would be taken for one of the new version, since it is younger.
    await store.delete(key);
    throw error;
  }
  return true;
}

async function checkUnchanged({ stored, stat }: PreparedFile, signal: AbortSignal): Promise<void> {
  const { version, size } = await stored.stat({ signal });
  if (version === stat.version && size === stat.size) return;
  throw new StorageError('CHANGED', 'the file changed while it was read; try again', { key: stored.key });
}
