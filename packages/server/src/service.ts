import { createPlainHtsgetHandler, type HtsgetOptions } from '@htskit/htsget';
import type { PlainResponse } from '@htskit/http';
import { type Authority, RefgetError, type ServiceInfoOptions } from '@htskit/protocol';
import { createPlainRefgetHandler, type RefgetOptions } from '@htskit/refget';
import type { BlockCache } from '@htskit/storage/cache';
import type { S3Options } from '@htskit/storage/s3';
import { createApp, type Handler } from './app.js';
import { type CorsOrigins, withOrigins } from './cors.js';
import { describeError } from './describe-error.js';
import { formatLocation } from './locations/location.js';
import type { ObjectFinder } from './locations/object-finder.js';
import { type ObjectLocation, openObjects } from './locations/open-objects.js';
import { openSequences, type SequenceLocation } from './locations/open-sequences.js';
import { RemoteStorage } from './locations/remote-storage.js';
import { isStoreFolder } from './refget-store.js';
import type { SequenceOptions, SequenceSources } from './sequences.js';
import { SERVED_FILES } from './served-paths.js';

/** What is served, and how. The paths hold files of both protocols, or are stores of sequences. */
export interface ServiceOptions extends Omit<SequenceOptions, 'sources' | 'stores'> {
  /** Further htsget objects. */
  readonly objectLocations?: readonly ObjectLocation[] | undefined;
  /** Further sequences. */
  readonly sequenceLocations?: readonly SequenceLocation[] | undefined;
  /** The store of all buckets. Default: AWS, without credentials. */
  readonly s3?: Omit<S3Options, 'bucket'> | undefined;
  /** For how long the size and version of a remote file stand, in seconds. Default 5. */
  readonly statSeconds?: number | undefined;
  readonly authority: Authority;
  /** How closely regions are cut. Default `auto`. */
  readonly precision?: HtsgetOptions['precision'] | undefined;
  readonly limits?: HtsgetOptions['limits'] | undefined;
  /** Of refget. */
  readonly sequenceRules?:
    | Pick<RefgetOptions, 'circularSupported' | 'subsequenceLimit' | 'rangeOutOfBounds'>
    | undefined;
  readonly serviceInfo?: ServiceInfoOptions | undefined;
  /** Whose scripts may read the answers. Default: everybody's. */
  readonly origins?: CorsOrigins | undefined;
  readonly authorizeHtsget?: HtsgetOptions['authorize'] | undefined;
  readonly authorizeRefget?: RefgetOptions['authorize'] | undefined;
  readonly onHtsgetEvent?: HtsgetOptions['onEvent'] | undefined;
}

/** What is served, before it is known where. */
export interface ServedFiles {
  readonly objects: ObjectFinder;
  readonly sequences: SequenceSources;
  close(): Promise<void>;
}

/** How long presigned URLs are valid where nothing is said, in seconds: as long as those of blocks. */
const PRESIGN_SECONDS = 3600;

/** Opens what is served. Throws as `openObjects` and `openSequences`. Says so where there is nothing yet. */
export async function openFiles(options: ServiceOptions, cache: BlockCache): Promise<ServedFiles> {
  const { paths, objectLocations = [], sequenceLocations = [], limits, log } = options;
  const storage = new RemoteStorage({
    s3: options.s3 ?? {},
    cache,
    presignSeconds: limits?.blockUrlSeconds ?? PRESIGN_SECONDS,
    statSeconds: options.statSeconds,
  });
  const isStore = await Promise.all(paths.map(isStoreFolder));
  const folders = paths.filter((_, rank) => isStore[rank] !== true);
  const objects = await openObjects({ paths: folders, locations: objectLocations, storage, log });
  try {
    const sequences = await openSequences({ ...options, locations: sequenceLocations, storage });
    // What lies elsewhere is not listed for that.
    const isLocal = objectLocations.every(({ location }) => location.kind === 'path');
    if (isLocal && sequences.isEmpty && (await objects.list()).length === 0) log(toEmptyMessage(options));
    const close = async (): Promise<void> => {
      await Promise.all([objects.close(), sequences.close()]);
    };
    return { objects, sequences, close };
  } catch (error) {
    await objects.close();
    throw error;
  }
}

function toEmptyMessage({ paths, objectLocations = [], sequenceLocations = [] }: ServiceOptions): string {
  const locations = [...objectLocations, ...sequenceLocations].map(({ location }) => formatLocation(location));
  const places = [...paths, ...locations];
  if (places.length === 0) return `nothing is served: give a path, or locations in the configuration`;
  return `nothing to serve is in ${places.join(', ')} yet: put files there, or give another path; ${SERVED_FILES}`;
}

export interface HandlerOptions extends ServiceOptions {
  readonly publicUrl: string;
  readonly signingKeys: readonly [Uint8Array, ...Uint8Array[]];
}

/** The handler of all paths of the server. Throws RangeError for a public URL that is none. */
export function createHandler(options: HandlerOptions, { objects, sequences }: ServedFiles): Handler<PlainResponse> {
  const { publicUrl, signingKeys, authority, precision, limits, log, origins = '*' } = options;
  const { serviceInfo, sequenceRules, authorizeHtsget, authorizeRefget, onHtsgetEvent } = options;
  const htsget = createPlainHtsgetHandler({
    resolve: (id, datatype) => objects.resolve(id, datatype),
    publicUrl,
    signingKeys,
    authority,
    ...(precision !== undefined && { precision }),
    ...(limits !== undefined && { limits }),
    ...(serviceInfo !== undefined && { serviceInfo }),
    ...(authorizeHtsget !== undefined && { authorize: authorizeHtsget }),
    ...(onHtsgetEvent !== undefined && { onEvent: onHtsgetEvent }),
    onError: (error, object) =>
      log(object === undefined ? describeError(error) : `${object.datatype}/${object.id}: ${describeError(error)}`),
  });
  const refget = createPlainRefgetHandler({
    catalogue: sequences,
    collections: sequences.collections,
    authority,
    ...sequenceRules,
    ...(serviceInfo !== undefined && { serviceInfo }),
    ...(authorizeRefget !== undefined && { authorize: authorizeRefget }),
    onError: (error) => {
      // What may still be digested is no failure.
      if (!(error instanceof RefgetError)) log(describeError(error));
    },
  });
  return withOrigins(createApp({ htsget, refget }), origins);
}
