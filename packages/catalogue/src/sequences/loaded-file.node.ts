import { relative } from 'node:path';
import { type SequenceCollection, sequenceCollection } from '@htskit/refget';
import { digestFile } from './digest-file.node.js';
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
  readonly signal: AbortSignal;
  /** Receives failures to cache the digests, which do not fail the file. */
  readonly onError: (error: Error) => void;
}

/** Opens a file and computes its digests and its collection. Throws what `openSequenceFile` throws. */
export async function loadFile(
  file: string,
  found: FoundFile,
  { cache, startProgress, signal, onError }: LoadFileOptions,
): Promise<LoadedFile> {
  const { size, naming, dataVersion } = found;
  const progress = startProgress?.(relative(process.cwd(), file), size);
  try {
    const opened = await openSequenceFile(file, {
      naming,
      digestCache: size < CACHED_BYTES ? undefined : digestFile(file, { cache, dataVersion, onError }),
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
