import { stat } from 'node:fs/promises';
import { digestPath } from './digest-file.node.js';
import { isWorthKeeping } from './loaded-file.node.js';
import { isDigested, statSequenceFile } from './sequence-file.node.js';
import type { FastaSettings } from './table/fasta-table.node.js';
import { readTableInWorker } from './table/table-job.node.js';

export interface PrepareDigestsOptions extends FastaSettings {
  readonly signal: AbortSignal;
  /** Receives what is not served of the file, and failures to keep its digests. */
  readonly warn: (message: string) => void;
}

/**
 * Computes the digests of a FASTA or 2bit file where a server finds them, unless it finds those of this version. Returns whether
 * they were computed. Throws TableError.
 */
export async function prepareDigests(
  file: string,
  { cache, characters, signal, warn }: PrepareDigestsOptions,
): Promise<boolean> {
  const state = await statSequenceFile(file);
  if (state === undefined || !isDigested(file) || !isWorthKeeping(file, state.size)) return false;
  const before = await writtenAt(digestPath(file, cache));
  const { dataVersion } = state;
  await readTableInWorker(
    { file, cache, characters, dataVersion, blocking: undefined },
    { signal, warn, onProgress: () => undefined },
  );
  return (await writtenAt(digestPath(file, cache))) !== before;
}

async function writtenAt(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.mtimeMs;
}
