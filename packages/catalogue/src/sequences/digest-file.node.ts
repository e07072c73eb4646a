import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import type { DigestCache } from '@htskit/sequences';
import { makeFolder } from '@htskit/storage/folder';
import { readRegularFile, writeAtomically } from '../files/whole-file.node.js';

/** Digests of about 20,000,000 sequences. Longer files are neither written nor read. */
const MAX_BYTES = 2 ** 31 - 1;

export interface DigestFileOptions {
  /** A folder for the digests of all files. Undefined: beside each sequence file. */
  readonly cache: string | undefined;
  /** The version of the sequence file. Digests of another version are not loaded. */
  readonly dataVersion: string;
  readonly onError: (error: Error) => void;
}

/**
 * Caches the digests of a sequence file in a file of their own, which is written atomically. A symbolic link in its place is
 * replaced; its target is not written.
 */
export function digestFile(path: string, { cache, dataVersion, onError }: DigestFileOptions): DigestCache {
  const file = digestPath(path, cache);
  return {
    version: dataVersion,
    load: () => readRegularFile(file, MAX_BYTES),
    async save(chunks) {
      await makeFolder(dirname(file));
      await writeAtomically(file, chunks);
    },
    onError,
  };
}

/** Returns the path of the digest file. In a cache folder, files of one name are distinguished by a hash of their path. */
export function digestPath(path: string, cache: string | undefined): string {
  if (cache === undefined) return `${path}.digests`;
  return join(cache, `${basename(path)}.${shortHash(path)}.digests`);
}

/** Distinguishes files of one name. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
