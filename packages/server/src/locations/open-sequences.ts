import { stat } from 'node:fs/promises';
import { openSequenceStore, type SequenceStore } from '@htskit/sequences';
import { describeError } from '../describe-error.js';
import { isStoreFolder, openStoreFolder } from '../refget-store.js';
import { isSequenceFile } from '../sequence-file.js';
import type { SequencePaths } from '../sequence-roots.js';
import { type SequenceOptions, SequenceSources } from '../sequences.js';
import { type BucketLocation, formatLocation, type PathLocation } from './location.js';
import type { RemoteStorage } from './remote-storage.js';

/** Where sequences lie, and what is known of them; a store knows that itself. */
export interface SequenceLocation {
  /** A folder or file, or a store of sequences: a folder, or what lies in a bucket. */
  readonly location: PathLocation | BucketLocation;
  readonly namingAuthority?: string | undefined;
  readonly circular?: readonly string[] | undefined;
  /** The path of a table. */
  readonly aliases?: string | undefined;
}

export interface OpenSequencesOptions extends Omit<SequenceOptions, 'sources' | 'stores'> {
  readonly locations: readonly SequenceLocation[];
  readonly storage: RemoteStorage;
}

/** The sequences at some paths and locations. Throws Error, which names the location, where they cannot be opened. */
export async function openSequences({
  locations,
  storage,
  ...options
}: OpenSequencesOptions): Promise<SequenceSources> {
  const stores: SequenceStore[] = [];
  const paths: string[] = [];
  const sources: SequencePaths[] = [];
  // A store has too many files to look among them for others.
  for (const path of options.paths) {
    if (await isStoreFolder(path)) stores.push(await openStoreFolder(path));
    else paths.push(path);
  }
  for (const each of locations) {
    const opened = await openLocation(each, storage).catch((error: unknown) => {
      throw new Error(`${formatLocation(each.location)}: ${describeError(error)}`, { cause: error });
    });
    if ('find' in opened) stores.push(opened);
    else sources.push(opened);
  }
  return SequenceSources.open({ ...options, paths, sources, stores });
}

async function openLocation(
  { location, aliases, ...naming }: SequenceLocation,
  storage: RemoteStorage,
): Promise<SequenceStore | SequencePaths> {
  if (location.kind === 's3') return openSequenceStore(storage.openStore(location));
  const { path } = location;
  if (await isStoreFolder(path)) {
    const isNamed = [aliases, ...Object.values(naming)].some((value) => value !== undefined);
    if (isNamed) throw new Error('a store has names of its own, which htskit refget import gives');
    return openStoreFolder(path);
  }
  if (!(await stat(path)).isDirectory() && !isSequenceFile(path)) {
    throw new Error('expected a folder, a FASTA or 2bit file, or a store');
  }
  return { ...naming, paths: [path], aliases: aliases === undefined ? [] : [aliases] };
}
