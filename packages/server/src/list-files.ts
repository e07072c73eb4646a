import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { toUndefinedIfHidden } from './missing-file.js';
import { STORE_FILES } from './refget-store.js';

/** Whether a path is that of the folder or of something below it. Both are real paths. */
export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  // To another drive of Windows there is none: then it is the path itself.
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/**
 * The files below a folder, sorted. What this user may not read is passed over, as are links to folders, and links to files
 * that lie outside of the folder. Of a store of sequences, which may have millions, the folders are passed over, too. Throws
 * what else the file system says, such as EMFILE.
 */
export async function listFiles(folder: string): Promise<string[]> {
  const root = await realpath(folder).catch(() => folder);
  const paths: string[] = [];
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const entries = await readFolder(next);
    const isStore = entries.some((entry) => STORE_FILES.includes(entry.name) && entry.isFile());
    for (const entry of entries) {
      const path = join(next, entry.name);
      if (entry.isDirectory() && !isStore) folders.push(path);
      else if (entry.isFile() || (entry.isSymbolicLink() && (await isFileBelow(root, path)))) paths.push(path);
    }
  }
  return paths.sort();
}

/** A folder that is not for this user, or has just gone, is no reason to serve nothing of its neighbours. */
async function readFolder(folder: string): Promise<Dirent[]> {
  return (await readdir(folder, { withFileTypes: true }).catch(toUndefinedIfHidden)) ?? [];
}

async function isFileBelow(root: string, link: string): Promise<boolean> {
  const real = await realpath(link).catch(toUndefinedIfHidden);
  if (real === undefined || !isBelow(root, real)) return false;
  return (await stat(real).catch(toUndefinedIfHidden))?.isFile() === true;
}
