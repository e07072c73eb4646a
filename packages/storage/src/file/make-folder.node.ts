import { mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents, and flushes their names to disk. Throws the system's error. Parents are created
 * one at a time: `recursive` of Node 20 never ends below /proc, which refuses a new name as if its parent were missing.
 *
 * @example
 * await makeFolder('/data/sequences/new');
 */
export async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeFolder(parent);
  try {
    await mkdir(path);
  } catch (error) {
    // Another writer may have created it in the meantime.
    if (!(await isFolder(path))) throw error;
  }
  await syncFolder(parent);
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

/** Flushes the names in a folder to disk, if the system can. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
