import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The files below a folder, sorted; links to files count, links to folders are not followed. */
export async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = await Promise.all(
    entries.map(async (entry) => {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile()) return path;
      const isLinkToFile = entry.isSymbolicLink() && (await stat(path).catch(() => undefined))?.isFile();
      return isLinkToFile ? path : undefined;
    }),
  );
  return paths.filter((path) => path !== undefined).sort();
}
