import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { STORE_FILES } from '../sequences/store-folder.node.js';
import { toUndefinedIfHidden } from './file-errors.node.js';

/** Returns whether `path` lies below `folder`. Both must be real paths, without symbolic links. */
export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  // On Windows no relative path leads to another drive: `relative` then returns an absolute one.
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/**
 * Lists the files below a folder, sorted by path. Files that this user may not read are skipped, as are links to folders,
 * links to files outside of the folder, and the subfolders of sequence stores, which may hold millions of files. Throws
 * other system errors, such as EMFILE.
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

/** Reads a folder. One that is unreadable, or was deleted meanwhile, counts as empty. */
async function readFolder(folder: string): Promise<Dirent[]> {
  return (await readdir(folder, { withFileTypes: true }).catch(toUndefinedIfHidden)) ?? [];
}

async function isFileBelow(root: string, link: string): Promise<boolean> {
  const real = await realpath(link).catch(toUndefinedIfHidden);
  if (real === undefined || !isBelow(root, real)) return false;
  return (await stat(real).catch(toUndefinedIfHidden))?.isFile() === true;
}
