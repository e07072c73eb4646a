import type { Decrypt, ObjectCatalogue } from '@htskit/catalogue';
import {
  formatLocation,
  isStoreFolder,
  type MappedLocation,
  type ObjectLocation,
  openObjects,
  openSequences,
  RemoteStorage,
  type RemoteStorageOptions,
  SERVED_FILES,
  type SequenceLocation,
  type SharedCache,
  type WatchedSequenceOptions,
  type WatchedSequences,
} from '@htskit/catalogue/internal';
import type { BuiltIndexes } from '@htskit/htsget';
import type { BlockCache } from '@htskit/storage/cache';
import type { StoreGuard } from '@htskit/storage/guard';
import type { S3Options } from '@htskit/storage/s3';
import { type StoresSection, toStoreLimits } from '../store-limits.js';
import {
  openSharedStore,
  type SharedCacheLocation,
  type SharedCacheOptions,
  sharedIndexes,
  storedCache,
} from './shared-cache.js';

/** How remote files are read. */
export interface RemoteOptions {
  /** The store of all buckets. Default: AWS, without credentials. */
  readonly s3?: Omit<S3Options, 'bucket'>;
  /** The limits of each bucket and web server. */
  readonly stores?: StoresSection;
  /** Seconds for which the size and version of a remote file are cached. Default 5. */
  readonly statSeconds?: number;
}

/** The files to serve. The paths hold files of both protocols, or are stores of sequences. */
export interface FilesOptions extends Omit<WatchedSequenceOptions, 'sources' | 'stores'>, RemoteOptions {
  /** Further htsget objects. */
  readonly objectLocations?: readonly ObjectLocation[];
  /** Objects whose ids are not paths. */
  readonly mappedLocations?: readonly MappedLocation[];
  /** Further sequences. */
  readonly sequenceLocations?: readonly SequenceLocation[];
  /** Decrypts the files that are stored encrypted. Default: they are not served. */
  readonly decrypt?: Decrypt | undefined;
  /** Whether encrypted files are answered plain. Sequences are not answered otherwise. Default false. */
  readonly plainDelivery?: boolean | undefined;
  /** The lifetime of presigned URLs. Default 3600. */
  readonly presignSeconds?: number;
  /** The place of what replicas read and make of remote files, and share. Default: each reads and makes its own. */
  readonly sharedCache?: SharedCacheLocation | undefined;
  /** The keys by which replicas recognize what is shared. Without them, nothing is. */
  readonly signingKeys?: SharedCacheOptions['signingKeys'] | undefined;
}

/** The open files of a service. */
export interface ServedFiles {
  readonly objects: ObjectCatalogue;
  readonly sequences: WatchedSequences;
  /** Undefined without a shared cache. */
  readonly builtIndexes: BuiltIndexes | undefined;
  /** The number of files of objects that were found not to be served. Each was logged. */
  readonly unservedFiles: number;
  /** The guards of the buckets and web servers that hold files. */
  readonly guards: readonly StoreGuard[];
  /** Whether any files are on this machine. */
  readonly hasLocal: boolean;
  close(): Promise<void>;
}

/** Opens the files to serve, and logs a hint if there are none yet. Throws the same errors as `openObjects` and
 * `openSequences`. */
export async function openFiles(options: FilesOptions, cache: BlockCache): Promise<ServedFiles> {
  const {
    paths,
    objectLocations = [],
    mappedLocations = [],
    sequenceLocations = [],
    presignSeconds = 3600,
    blocking,
    decrypt,
    log,
  } = options;
  const storage = openRemote(options, { cache, presignSeconds });
  const shared = openShared(options, storage);
  if (shared !== undefined) storage.share(shared);
  const isStore = await Promise.all(paths.map(isStoreFolder));
  const folders = paths.filter((_, index) => isStore[index] !== true);
  let unservedFiles = 0;
  const logUnserved = (message: string): void => {
    unservedFiles++;
    log(message);
  };
  const opened = { paths: folders, locations: objectLocations, mapped: mappedLocations, storage, blocking, decrypt };
  const objects = await openObjects({ ...opened, log: logUnserved });
  try {
    const decryptSequence = options.plainDelivery === true ? decrypt : undefined;
    const sequences = await openSequences({
      ...options,
      locations: sequenceLocations,
      storage,
      decrypt: decryptSequence,
    });
    // Remote locations are not listed just for the hint.
    const isLocal = objectLocations.every(({ location }) => location.kind === 'path') && mappedLocations.length === 0;
    if (isLocal && sequences.isEmpty && (await objects.list()).length === 0) log(toEmptyMessage(options));
    const close = async (): Promise<void> => {
      await Promise.all([objects.close(), sequences.close()]);
    };
    const locations = [...objectLocations, ...sequenceLocations];
    const hasLocal = paths.length > 0 || locations.some(({ location }) => location.kind === 'path');
    return {
      objects,
      sequences,
      builtIndexes: shared && sharedIndexes(shared),
      get unservedFiles() {
        return unservedFiles;
      },
      guards: storage.guards,
      hasLocal,
      close,
    };
  } catch (error) {
    await objects.close();
    throw error;
  }
}

function openShared({ sharedCache, signingKeys, log }: FilesOptions, storage: RemoteStorage): SharedCache | undefined {
  if (sharedCache === undefined || signingKeys === undefined) return undefined;
  return storedCache(openSharedStore(sharedCache, storage), { signingKeys, log });
}

/** A store that asks for a longer pause is not waited for: the client gets 503 and comes back. */
const MAX_RETRY_AFTER_MILLISECONDS = 5000;

/** Opens the storage of remote files with the limits of the configuration. */
export function openRemote(
  { s3 = {}, stores, statSeconds }: RemoteOptions,
  options: Pick<RemoteStorageOptions, 'cache' | 'presignSeconds'>,
): RemoteStorage {
  const { concurrency, failures, firstByteSeconds, stallSeconds, retries, openSeconds, redirectHosts } =
    toStoreLimits(stores);
  return new RemoteStorage({
    ...options,
    s3,
    statSeconds,
    transport: {
      timeoutMilliseconds: Math.ceil(firstByteSeconds * 1000),
      stallMilliseconds: Math.ceil(stallSeconds * 1000),
      retries,
      maxRetryAfterMilliseconds: MAX_RETRY_AFTER_MILLISECONDS,
      redirectHosts,
    },
    guards: { concurrency, failures, openMilliseconds: openSeconds * 1000 },
  });
}

function toEmptyMessage({ paths, objectLocations = [], sequenceLocations = [] }: FilesOptions): string {
  const locations = [...objectLocations, ...sequenceLocations].map(({ location }) => formatLocation(location));
  const places = [...paths, ...locations];
  if (places.length === 0) return 'nothing to serve: give a path, or locations in the configuration';
  return `no files to serve in ${places.join(', ')} yet: add some, or give another path; ${SERVED_FILES}`;
}
