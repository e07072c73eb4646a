import { type IndexedFormat, indexPaths } from '@htskit/indexes';
import { StorageError } from '@htskit/io';
import { unlessAborted } from '@htskit/io/internal';
import { type OpenSource, openSource, type RecordSource, type SourceOptions } from './open-source.js';

/** How an index is found. */
export interface IndexOptions extends SourceOptions {
  /** The index: BAI, CSI, TBI or CRAI. Default: the file beside a path or URL, such as `reads.bam.bai`. */
  readonly index?: RecordSource;
}

/** The format of a file, and how its index is read. */
interface LazyIndexOptions<Index> extends IndexOptions {
  readonly format: IndexedFormat;
  readonly read: (source: OpenSource) => Promise<Index>;
}

/** The index of a file, which is read when it is first needed. */
export class LazyIndex<Index> {
  readonly #file: OpenSource;
  readonly #options: LazyIndexOptions<Index>;
  #loading: Promise<Index | undefined> | undefined;

  constructor(file: OpenSource, options: LazyIndexOptions<Index>) {
    this.#file = file;
    this.#options = options;
  }

  /** Returns the index; undefined if there is none. Concurrent calls read it once, and a call after a failure reads it again. */
  load(signal: AbortSignal | undefined): Promise<Index | undefined> {
    this.#loading ??= this.#find().catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    });
    return unlessAborted(this.#loading, signal, this.#file.source.key);
  }

  async #find(): Promise<Index | undefined> {
    const { index, format, read, ...options } = this.#options;
    for (const candidate of index === undefined ? besides(this.#file.location, format) : [index]) {
      const source = await openSource(candidate, { ...options, cacheBytes: 0, signal: undefined }).catch(
        (error: unknown) => {
          if (index === undefined && isMissing(error)) return undefined;
          throw error;
        },
      );
      if (source === undefined) continue;
      try {
        return await read(source);
      } finally {
        await source.close();
      }
    }
    return undefined;
  }
}

/** Returns whether there is no such file. A store may refuse access to objects that do not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof StorageError && (error.code === 'NOT_FOUND' || error.code === 'ACCESS_DENIED');
}

/** Returns where the index may be, in the order of lookup. The query of a URL stays. */
function besides(location: string | URL | undefined, format: IndexedFormat): (string | URL)[] {
  if (location === undefined) return [];
  if (typeof location === 'string') return indexPaths(location, format);
  return indexPaths(location.pathname, format).map((path) => {
    const url = new URL(location);
    url.pathname = path;
    return url;
  });
}
