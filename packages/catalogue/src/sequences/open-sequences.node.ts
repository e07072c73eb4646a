import { stat } from 'node:fs/promises';
import type { SequenceStore } from '@htskit/sequences';
import type { Blocking } from '@htskit/storage/file';
import { describeError } from '../files/file-errors.node.js';
import { type BucketLocation, formatLocation, type PathLocation } from '../locations/location.node.js';
import type { RemoteStorage } from '../locations/remote-storage.js';
import { openBucketSequences } from './bucket-sequences.node.js';
import { isSequenceFile } from './sequence-file.node.js';
import type { SequencePaths } from './sequence-roots.node.js';
import { isStoreFolder, openStoreFolder } from './store-folder.node.js';
import { type WatchedSequenceOptions, WatchedSequences } from './watched-sequences.node.js';

/** The location of sequences and their naming options. A store has names of its own. */
export interface SequenceLocation {
  /** A folder, a file, or a sequence store in a folder or bucket. */
  readonly location: PathLocation | BucketLocation;
  readonly namingAuthority?: string;
  readonly circular?: readonly string[];
  /** The path of a table of aliases. */
  readonly aliases?: string;
}

export interface OpenSequencesOptions extends Omit<WatchedSequenceOptions, 'sources' | 'stores'> {
  readonly locations: readonly SequenceLocation[];
  readonly storage: RemoteStorage;
}

/** Opens the sequences at paths and locations. Throws Error with the location if one cannot be opened. */
export async function openSequences({
  locations,
  storage,
  ...options
}: OpenSequencesOptions): Promise<WatchedSequences> {
  const { stores, paths } = await separateStores(options.paths, options.blocking);
  const sources: SequencePaths[] = [];
  for (const each of locations) {
    const opened = await openLocation(each, { storage, ...options }).catch((error: unknown) => {
      throw new Error(`${formatLocation(each.location)}: ${describeError(error)}`, { cause: error });
    });
    if ('find' in opened) stores.push(opened);
    else sources.push(opened);
  }
  return WatchedSequences.open({ ...options, paths, sources, stores });
}

/** Opens the paths that are sequence stores, which hold too many files to list, and returns the others. */
async function separateStores(
  paths: readonly string[],
  blocking: Blocking | undefined,
): Promise<{ readonly stores: SequenceStore[]; readonly paths: string[] }> {
  const stores: SequenceStore[] = [];
  const others: string[] = [];
  for (const path of paths) {
    if (await isStoreFolder(path)) stores.push(await openStoreFolder(path, blocking));
    else others.push(path);
  }
  return { stores, paths: others };
}

async function openLocation(
  { location, aliases, ...naming }: SequenceLocation,
  { storage, blocking, log }: Pick<OpenSequencesOptions, 'storage' | 'blocking' | 'log'>,
): Promise<SequenceStore | SequencePaths> {
  if (location.kind === 's3') {
    const { sleep } = storage;
    return openBucketSequences(storage.openStore(location), { name: formatLocation(location), sleep, log });
  }
  const { path } = location;
  if (await isStoreFolder(path)) {
    const isNamed = [aliases, ...Object.values(naming)].some((value) => value !== undefined);
    if (isNamed) throw new Error('a sequence store has its own names; give them to htskit refget import');
    return openStoreFolder(path, blocking);
  }
  if (!(await stat(path)).isDirectory() && !isSequenceFile(path)) {
    throw new Error('expected a folder, a FASTA or 2bit file, or a sequence store');
  }
  return { ...naming, paths: [path], aliases: aliases === undefined ? [] : [aliases] };
}

export interface SequenceCatalogueOptions
  extends Omit<SequencePaths, 'paths'>,
    Pick<WatchedSequenceOptions, 'blocking' | 'cache' | 'characters' | 'decrypt' | 'startProgress' | 'stores'> {
  /** Receives messages about files that cannot be served. Default `console.error`. */
  readonly log?: (message: string) => void;
}

/**
 * Opens the sequences of FASTA (plain or bgzipped) and 2bit files, of folders with such files, and of sequence stores.
 * Digests are computed in the background, unless they were cached before; `settled()` waits for them. Files that appear,
 * change or are deleted are noticed. Throws system errors for a path that does not exist, and Error for malformed aliases.
 *
 * @example
 * const sequences = await sequenceCatalogue(['/data/GRCh38.fa.gz'], { namingAuthority: 'ucsc', circular: ['chrM'] });
 * const handler = createRefgetHandler({ catalogue: sequences, collections: sequences.collections });
 */
export async function sequenceCatalogue(
  paths: string | readonly string[],
  { log = console.error, stores = [], ...options }: SequenceCatalogueOptions = {},
): Promise<WatchedSequences> {
  const separated = await separateStores([paths].flat(), options.blocking);
  return WatchedSequences.open({
    ...options,
    paths: separated.paths,
    stores: [...stores, ...separated.stores],
    log: (message) => log(message),
  });
}
