import { createHash } from 'node:crypto';
import { basename, dirname, join, relative } from 'node:path';
import { type SequenceCollection, sequenceCollection } from '@htskit/refget';
import type { DigestCache } from '@htskit/sequences';
import type { Blocking } from '@htskit/storage/file';
import { makeFolder } from '@htskit/storage/folder';
import { readRegularFile, writeAtomically } from '../files/whole-file.node.js';
import { openSequenceFile, type SequenceFile } from './sequence-file.node.js';
import type { FoundFile } from './sequence-roots.node.js';

/** Smaller files are digested quickly enough that their digests are not cached in a file. */
const CACHED_BYTES = 2 ** 22;

/** A file whose sequences are served. */
export interface LoadedFile extends SequenceFile {
  /** The state of the file when it was read. */
  readonly found: FoundFile;
  /** Undefined for a store and for a file without sequences. */
  readonly collection: SequenceCollection | undefined;
}

/** Displays the progress of digesting one file. */
export interface DigestProgressDisplay {
  /** Reports the bytes of the file that were digested so far. */
  readonly update: (bytes: number) => void;
  readonly stop: () => void;
}

export interface LoadFileOptions {
  /** A folder for the digests of all files. Undefined: beside each file. */
  readonly cache?: string | undefined;
  /** Called when a file is being digested; the result reports the progress. */
  readonly startProgress?: ((name: string, byteLength: number) => DigestProgressDisplay) | undefined;
  /** Whether short reads block the thread. Default `auto`. */
  readonly blocking?: Blocking | undefined;
  readonly signal: AbortSignal;
  /** Receives failures to cache the digests, which do not fail the file. */
  readonly onError: (error: Error) => void;
}

/** Opens a file and computes its digests and its collection. Throws what `openSequenceFile` throws. */
export async function loadFile(
  file: string,
  found: FoundFile,
  { cache, startProgress, blocking, signal, onError }: LoadFileOptions,
): Promise<LoadedFile> {
  const { size, naming, dataVersion } = found;
  const progress = startProgress?.(relative(process.cwd(), file), size);
  try {
    const opened = await openSequenceFile(file, {
      naming,
      digestCache: size < CACHED_BYTES ? undefined : digestFile(file, { cache, dataVersion, onError }),
      blocking,
      signal,
      onProgress: ({ bytesRead }) => progress?.update(bytesRead),
    });
    const { sequences, isCollection } = opened;
    const hasCollection = isCollection && sequences.length > 0;
    const collection = hasCollection ? await sequenceCollection(sequences, { signal }) : undefined;
    return { ...opened, found, collection };
  } finally {
    progress?.stop();
  }
}

/** Digests of about 2,000,000 sequences. Longer files are neither written nor read. */
const MAX_BYTES = 2 ** 28;

interface DigestFileOptions {
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
function digestFile(path: string, { cache, dataVersion, onError }: DigestFileOptions): DigestCache {
  const file = digestPath(path, cache);
  const head = Buffer.from(`{"dataVersion":${JSON.stringify(dataVersion)},"digests":`);
  const tail = Buffer.from('}\n');
  return {
    async load() {
      const bytes = await readRegularFile(file, MAX_BYTES);
      if (bytes === undefined || !head.equals(bytes.subarray(0, head.length))) return undefined;
      return bytes.subarray(head.length, -tail.length);
    },
    async save(bytes) {
      const content = Buffer.concat([head, bytes, tail]);
      if (content.length > MAX_BYTES) throw new Error(`the digests take more than ${MAX_BYTES} bytes`);
      await makeFolder(dirname(file));
      await writeAtomically(file, content);
    },
    onError,
  };
}

/** Returns the path of the digest file. In a cache folder, files of one name are distinguished by a hash of their path. */
export function digestPath(path: string, cache: string | undefined): string {
  if (cache === undefined) return `${path}.digests.json`;
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 16);
  return join(cache, `${basename(path)}.${hash}.digests.json`);
}
