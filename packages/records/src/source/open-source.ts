import type { ByteSource, ReadOptions } from '@htskit/io';
import { BlockCache, cachedSource } from '@htskit/storage/cache';
import { type Filehandle, fromFilehandle } from '@htskit/storage/filehandle';
import type { HttpSourceOptions } from '@htskit/storage/http';
import { isHttpUrl, locationSource, NO_LOCAL_FILES } from '@htskit/storage/internal';
import { RecordsError } from '../records-error.js';
import { FileCache } from './file-cache.js';

/**
 * A file: an HTTP(S) URL, a path or a `file:` URL (Node, Bun and Deno), a `ByteSource` of `@htskit/storage`, or a filehandle of
 * generic-filehandle2.
 */
export type RecordSource = string | URL | ByteSource | Filehandle;

/** How files are read. */
export interface SourceOptions {
  /**
   * A budget of the file's own: bytes that are kept in memory for later regions, of what small reads returned and of what regions
   * were decoded to. Default: all files without one share 256 MiB, in browsers 64 MiB, in workerd 32 MiB. What was not used for
   * three minutes is dropped.
   */
  readonly cacheBytes?: number;
  /** Options of the requests, if the file is at a URL: `headers`, `fetch`, `retries` and so on. */
  readonly http?: Omit<HttpSourceOptions, 'key'>;
}

/** An open file of a known size. */
export interface OpenSource {
  readonly source: ByteSource;
  readonly size: number;
  /** The version that all reads are of. */
  readonly version: string;
  /** The path or URL of the file, if it was opened by that. */
  readonly location: string | URL | undefined;
  /** Whether a read takes little time, however few bytes it is of. */
  readonly isLocal: boolean;
  readonly cache: FileCache;
  /** Drops what is kept of the file, and closes it if it was opened by its path. */
  readonly close: () => Promise<void>;
}

/**
 * Opens a file. Small reads are cached, and those that are near each other are read together. Throws `StorageError` and
 * `RecordsError` UNSUPPORTED_SOURCE.
 */
export async function openSource(
  source: RecordSource,
  { cacheBytes, signal, ...options }: SourceOptions & Pick<ReadOptions, 'signal'>,
): Promise<OpenSource> {
  const { opened, location } = toByteSource(source, options);
  const cache = new FileCache(cacheBytes);
  const close = async (): Promise<void> => {
    cache.clear();
    // A source of the caller is the caller's to close.
    if (opened !== source) await opened.close?.();
  };
  try {
    const { size, version } = await opened.stat({ signal });
    const versioned = version === undefined ? withVersion(opened) : opened;
    // The operating system caches local files.
    const isLocal = location !== undefined && !isHttpUrl(location);
    const blocks = new BlockCache({ store: cache.part('stored') });
    const cached = isLocal ? versioned : cachedSource(versioned, blocks);
    return { source: cached, size, version: version ?? UNKNOWN_VERSION, location, isLocal, cache, close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface ToByteSource {
  readonly opened: ByteSource;
  readonly location: string | URL | undefined;
}

function toByteSource(source: RecordSource, { http }: Pick<SourceOptions, 'http'>): ToByteSource {
  if (typeof source === 'string' || source instanceof URL) {
    const opened = locationSource(source, http);
    if (opened === undefined) throw new RecordsError('UNSUPPORTED_SOURCE', NO_LOCAL_FILES);
    return { opened, location: isHttpUrl(source) ? new URL(source) : source };
  }
  return { opened: 'stream' in source ? source : fromFilehandle(source), location: undefined };
}

/** Stands for the only version of a file whose versions cannot be distinguished. */
const UNKNOWN_VERSION = 'unknown';

/** Returns a source that ignores versions. The cache keeps only bytes of a version. */
function withVersion(source: ByteSource): ByteSource {
  return {
    key: source.key,
    stat: (options) => source.stat(options),
    read: (range, { signal } = {}) => source.read(range, { signal }),
    stream: (range, { signal } = {}) => source.stream(range, { signal }),
  };
}

const warned = new WeakSet<OpenSource>();

/** Reports that a file lacks its EOF marker, once. */
export function warnOnce(
  file: OpenSource,
  { onWarning = console.error }: { readonly onWarning?: (warning: Error) => void },
): void {
  if (warned.has(file)) return;
  warned.add(file);
  onWarning(new Error('the EOF marker is missing, so the file may be truncated'));
}
