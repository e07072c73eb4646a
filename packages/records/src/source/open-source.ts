import type { ByteSource, ReadOptions } from '@htskit/io';
import { BlockCache, cachedSource } from '@htskit/storage/cache';
import { type Filehandle, fromFilehandle } from '@htskit/storage/filehandle';
import type { HttpSourceOptions } from '@htskit/storage/http';
import { isHttpUrl, locationSource, NO_LOCAL_FILES } from '@htskit/storage/internal';
import { RecordsError } from '../records-error.js';

/**
 * A file: an HTTP(S) URL, a path or a `file:` URL (Node, Bun and Deno), a `ByteSource` of `@htskit/storage`, or a filehandle of
 * generic-filehandle2.
 */
export type RecordSource = string | URL | ByteSource | Filehandle;

/** The default of `cacheBytes`. */
export const CACHE_BYTES: number = 2 ** 24;

/** How files are read. */
export interface SourceOptions {
  /**
   * Bytes that are kept in memory for later regions: of what small reads of the file returned, and as many of what regions were
   * decoded to. Default: 16 MiB.
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
  readonly close: () => Promise<void>;
}

/**
 * Opens a file. Small reads are cached, and those that are near each other are read together. Throws `StorageError` and
 * `RecordsError` UNSUPPORTED_SOURCE.
 */
export async function openSource(
  source: RecordSource,
  { cacheBytes = CACHE_BYTES, signal, ...options }: SourceOptions & Pick<ReadOptions, 'signal'>,
): Promise<OpenSource> {
  const { opened, location } = toByteSource(source, options);
  const close = async (): Promise<void> => {
    // A source of the caller is the caller's to close.
    if (opened !== source) await opened.close?.();
  };
  try {
    const { size, version } = await opened.stat({ signal });
    const versioned = version === undefined ? withVersion(opened) : opened;
    const cache = new BlockCache({ maxBytes: cacheBytes });
    return { source: cachedSource(versioned, cache), size, version: version ?? UNKNOWN_VERSION, location, close };
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
