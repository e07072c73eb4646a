import { access, constants } from 'node:fs/promises';
import { openSequenceStore } from '@htskit/sequences';
import { formatLocation } from '../locations/location.js';
import type { SequenceLocation } from '../locations/open-sequences.js';
import type { RemoteStorage } from '../locations/remote-storage.js';
import { readAliasTable } from '../read-alias-table.js';
import { isStoreFolder, openStoreFolder } from '../refget-store.js';
import { listSequenceFiles } from '../sequence-file.js';

/** What is served of a location of sequences. */
export interface SequenceReport {
  readonly location: string;
  /** How many files there are; undefined for a store. */
  readonly files: number | undefined;
  /** Who gave aliases to sequences of a store; undefined for files. */
  readonly namingAuthorities: readonly string[] | undefined;
}

/** Looks at a location; no sequence is read. Throws where it is not there, may not be read, or is of another kind. */
export async function checkSequences(
  { location, aliases }: SequenceLocation,
  storage: RemoteStorage,
): Promise<SequenceReport> {
  const name = formatLocation(location);
  if (location.kind === 's3' || (await isStoreFolder(location.path))) {
    const store = await (location.kind === 's3'
      ? openSequenceStore(storage.openStore(location))
      : openStoreFolder(location.path));
    await store.close();
    return { location: name, files: undefined, namingAuthorities: store.namingAuthorities };
  }
  await access(location.path, constants.R_OK);
  if (aliases !== undefined) await readAliasTable(aliases);
  const files = await listSequenceFiles(location.path);
  if (files.length === 0) throw new Error('there is no FASTA, no 2bit file and no store');
  return { location: name, files: files.length, namingAuthorities: undefined };
}
