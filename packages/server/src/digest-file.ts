import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import type { DigestCache } from '@htskit/sequences';
import { makeFolder } from '@htskit/storage/folder';
import { readRegularFile } from './read-regular-file.js';
import { writeBeside } from './replace-file.js';

/** About 2,000,000 sequences. Longer ones are neither kept nor read. */
const MAX_KEPT_BYTES = 2 ** 28;

export interface DigestFileOptions {
  /** A folder for the digests of all files; without it they are kept beside their file. */
  readonly cache: string | undefined;
  /** Of the file before it was read: what was kept of another state of it is not loaded. */
  readonly dataVersion: string;
  readonly onError: (error: Error) => void;
}

/**
 * Keeps the digests of a file of sequences in a file of their own, which appears whole or not at all. A link in its place
 * is replaced, and what it leads to is not written.
 */
export function digestFile(path: string, { cache, dataVersion, onError }: DigestFileOptions): DigestCache {
  const kept = digestPath(path, cache);
  const head = Buffer.from(`{"dataVersion":${JSON.stringify(dataVersion)},"digests":`);
  const tail = Buffer.from('}\n');
  return {
    async load() {
      const bytes = await readRegularFile(kept, MAX_KEPT_BYTES);
      if (bytes === undefined || !head.equals(bytes.subarray(0, head.length))) return undefined;
      return bytes.subarray(head.length, -tail.length);
    },
    async save(bytes) {
      const content = Buffer.concat([head, bytes, tail]);
      if (content.length > MAX_KEPT_BYTES) throw new Error(`they are longer than ${MAX_KEPT_BYTES} bytes`);
      await makeFolder(dirname(kept));
      await writeBeside(kept, content);
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
