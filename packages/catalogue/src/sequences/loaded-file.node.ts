import { relative } from 'node:path';
import { isEncryptedPath } from '@htskit/io/internal';
import type { Blocking } from '@htskit/storage/file';
import type { Decrypt } from '../objects/object-catalogue.js';
import { openSequenceFile, type SequenceFile } from './sequence-file.node.js';
import type { FoundFile } from './sequence-roots.node.js';
import type { FastaSettings } from './table/fasta-table.node.js';
import { readTableInWorker } from './table/table-job.node.js';

/** Shorter files are digested so quickly that they need neither a worker nor a file for their digests. */
const LONG_BYTES = 2 ** 22;

/** A file whose sequences are served. */
export interface LoadedFile extends SequenceFile {
  /** The state of the file when it was read. */
  readonly found: FoundFile;
}

/** Displays the progress of digesting one file. */
export interface DigestProgressDisplay {
  /** Reports the bytes of the file that were digested so far. */
  readonly update: (bytes: number) => void;
  readonly stop: () => void;
}

export interface LoadFileOptions extends FastaSettings {
  /** Called when a file is being digested; the result reports the progress. */
  readonly startProgress?: (name: string, byteLength: number) => DigestProgressDisplay;
  /** Whether short reads block the thread. Default `auto`. */
  readonly blocking?: Blocking;
  /** Decrypts an encrypted file. Default: it is not served. */
  readonly decrypt?: Decrypt | undefined;
  readonly signal: AbortSignal;
  /** Receives failures to cache the digests, and what is not served of the file. Neither fails the file. */
  readonly warn: (message: string) => void;
}

/** Returns whether a worker digests a file and keeps the digests. It has no keys. */
export function isWorthKeeping(file: string, size: number): boolean {
  return size >= LONG_BYTES && !isEncryptedPath(file);
}

/** Opens a file and computes its digests and its collection. Throws what `openSequenceFile` throws, and TableError. */
export async function loadFile(
  file: string,
  found: FoundFile,
  { cache, characters, startProgress, blocking, decrypt, signal, warn }: LoadFileOptions,
): Promise<LoadedFile> {
  const { size, naming, dataVersion } = found;
  const progress = startProgress?.(relative(process.cwd(), file), size);
  const onProgress = ({ bytesRead }: { readonly bytesRead: number }): void => progress?.update(bytesRead);
  try {
    const opened = await openSequenceFile(file, {
      naming,
      cache,
      characters,
      dataVersion,
      blocking,
      decrypt,
      signal,
      warn,
      onProgress,
      readTable: isWorthKeeping(file, size)
        ? () => readTableInWorker({ file, cache, characters, dataVersion, blocking }, { signal, onProgress, warn })
        : undefined,
    });
    return { ...opened, found };
  } finally {
    progress?.stop();
  }
}
