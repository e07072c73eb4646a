import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, type ZlibOptions } from 'node:zlib';
import { storedKeyOf } from '@htskit/catalogue/internal';
import type { StoredFile } from '@htskit/htsget';

/** Files of features that genome browsers show beside data. */
const ANNOTATION = /\.(?:gff3?|gtf|bed)(?:\.b?gz)?$/i;
/** The most bytes of a file that is sent: browsers read it as a whole, so that names are found in it. */
const MOST_BYTES = 2 ** 24;
const MOST_FILES = 20;
/** The most bytes of its text. */
const MOST_TEXT_BYTES = 2 ** 27;

const decompress = promisify<Uint8Array, ZlibOptions, Uint8Array>(gunzip);

/** Returns the names of the annotation files in the folders of local files. Folders that cannot be read have none. */
export async function listAnnotations(files: readonly StoredFile[]): Promise<readonly string[]> {
  return [...(await findAnnotations(files)).keys()];
}

/** Reads an annotation file in the folders of local files, without its compression. Returns undefined if there is none of this name. */
export async function readAnnotation(files: readonly StoredFile[], name: string): Promise<Uint8Array | undefined> {
  const path = (await findAnnotations(files)).get(name);
  if (path === undefined) return undefined;
  const bytes = await readFile(path);
  return /\.b?gz$/i.test(name) ? decompress(bytes, { maxOutputLength: MOST_TEXT_BYTES }) : bytes;
}

async function findAnnotations(files: readonly StoredFile[]): Promise<ReadonlyMap<string, string>> {
  const paths = files.map(({ data }) => storedKeyOf(data)).filter(isAbsolute);
  const found = new Map<string, string>();
  for (const folder of new Set(paths.map(dirname))) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      // A link may lead out of what is served.
      if (!entry.isFile() || !ANNOTATION.test(entry.name) || found.has(entry.name) || found.size >= MOST_FILES)
        continue;
      const path = join(folder, entry.name);
      const { size } = await stat(path).catch(() => ({ size: Number.POSITIVE_INFINITY }));
      if (size <= MOST_BYTES) found.set(entry.name, path);
    }
  }
  return found;
}
