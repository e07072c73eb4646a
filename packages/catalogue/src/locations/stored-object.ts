import type { Locate } from '@htskit/htsget';
import type { ByteSource } from '@htskit/io';
import { isEncryptedPath } from '@htskit/io/internal';
import { type BlockCache, cachedSource } from '@htskit/storage/cache';
import { guardedSource, type StoreGuard } from '@htskit/storage/guard';
import { cacheStat } from './stat-caching-source.js';

/** An opened file of an htsget object. */
export interface StoredObject {
  readonly source: ByteSource;
  /** Whether it is encrypted, according to its name. */
  readonly isEncrypted: boolean;
  /** The guard of its bucket or web server. Local files have none. */
  readonly guard?: StoreGuard;
  /** See `StoredFile`. Local files have none: their version includes the inode, and replicas may use other paths. */
  readonly identity?: string;
  /** Creates presigned URLs, if clients fetch the bytes from the bucket. */
  readonly locate: Locate | undefined;
}

export interface RemoteCaches {
  /** Caches blocks of the files. */
  readonly cache: BlockCache;
  /** Seconds for which the size and version of a file are cached; 0 to request them for each ticket. Default 5. */
  readonly statSeconds?: number | undefined;
}

/** Long enough to save most requests for a busy object, short enough for a client to retry after a change. */
export const STAT_SECONDS = 5;

/** Opens a file of a remote store, whose blocks, size and version are cached. `data` is the data file of an index. */
export function toStored(
  remote: ByteSource,
  path: string,
  { cache, statSeconds = STAT_SECONDS, data }: RemoteCaches & { readonly data?: ByteSource | undefined },
): StoredObject {
  const source = cacheStat(cachedSource(remote, cache), {
    milliseconds: statSeconds * 1000,
    ...(data !== undefined && { data }),
  });
  return { source, isEncrypted: isEncryptedPath(path), identity: remote.key, locate: undefined };
}

/** Returns the source of a file as requests read it: those that wait for its store count towards the limit of its guard. */
export function toGuarded({ source, guard }: StoredObject): ByteSource {
  return guard === undefined ? source : guardedSource(source, guard);
}
