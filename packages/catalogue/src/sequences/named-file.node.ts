import { lstat } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { type ByteSource, LruCache } from '@htskit/io';
import { type Blocking, FileAccess, fileSource } from '@htskit/storage/file';
import type { StoredSequences } from '../drs/sequence-files.js';
import { isPlainPath } from '../locations/location.node.js';
import type { LoadedFiles } from './loaded-files.js';
import type { SequenceRoot } from './sequence-roots.node.js';

/** Sources that are kept, so that a file is not opened for each request. */
const sources = new LruCache<ByteSource>({ maxWeight: 1000 });

export interface FindNamedFileOptions {
  readonly roots: readonly SequenceRoot[];
  readonly loaded: LoadedFiles;
  readonly blocking: Blocking | undefined;
}

/**
 * Returns the loaded file with a name: its path relative to a root that is a folder, or the name of a root that is a file. The first
 * root wins. A name leads to loaded files only, and to regular files beside them.
 */
export function findNamedFile(
  name: string,
  { roots, loaded, blocking }: FindNamedFileOptions,
): StoredSequences | undefined {
  if (!isPlainPath(name) || (sep !== '/' && name.includes(sep))) return undefined;
  for (const { path: root } of roots) {
    const path = loaded.get(root) === undefined ? join(root, name) : root;
    const file = loaded.get(path);
    if (file?.sequences === undefined || (path === root && basename(root) !== name)) continue;
    return {
      data: open(path, blocking),
      digest: file.sequences.collection?.digest,
      companion: async (extension) => {
        const beside = `${path}.${extension}`;
        const found = await lstat(beside).catch(() => undefined);
        return found?.isFile() === true ? open(beside, blocking) : undefined;
      },
    };
  }
  return undefined;
}

function open(path: string, blocking: Blocking | undefined): ByteSource {
  const known = sources.get(path);
  if (known !== undefined) return known;
  const source = fileSource(path, { access: new FileAccess(path, { blocking }) });
  sources.set(path, source);
  return source;
}
