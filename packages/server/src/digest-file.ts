import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { DigestKeeper } from '@htskit/refget';
import { replaceFile } from './replace-file.js';

export interface DigestFileOptions {
  /** A folder for the digests of all files; without it they are kept beside their file. */
  readonly cache: string | undefined;
  readonly onError: (error: Error) => void;
}

/** Keeps the digests of a file of sequences in a file of their own, which appears whole or not at all. */
export function digestFile(path: string, { cache, onError }: DigestFileOptions): DigestKeeper {
  const kept = digestPath(path, cache);
  return {
    async load() {
      return readFile(kept).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        throw error;
      });
    },
    async save(bytes) {
      await mkdir(dirname(kept), { recursive: true });
      await replaceFile(kept, bytes);
    },
    onError,
  };
}

/** In the cache, files of one name and several folders are told apart by a hash of their absolute path. */
export function digestPath(path: string, cache: string | undefined): string {
  if (cache === undefined) return `${path}.digests.json`;
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 16);
  return join(cache, `${basename(path)}.${hash}.digests.json`);
}
