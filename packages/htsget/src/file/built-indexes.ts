import type { StoredFile } from './stored-file.js';

/** Keeps the indexes that were built of files without one, for other processes and later starts. */
export interface BuiltIndexes {
  /**
   * Returns what was saved for a version of a file, or undefined. It is verified as a stored index is. If it fails, or what was saved
   * is damaged, the index is built.
   */
  load(file: StoredFile, version: string): Promise<Uint8Array | undefined>;
  /** Saves an index, or no bytes for a file that cannot be indexed. No caller waits for it, and its failure is ignored. */
  save(file: StoredFile, version: string, index: Uint8Array): Promise<void>;
}
