import { BgzfError } from '@htskit/bgzf';
import { FormatError } from '@htskit/formats';
import { IndexError } from '@htskit/indexes';
import {
  type ByteSource,
  LruCache,
  type MemoryBudget,
  type ReadOptions,
  readChunks,
  type SourceStat,
  type Weighted,
} from '@htskit/io';
import type { MemoryAccount } from '@htskit/io/internal';
import type { BuiltIndexes } from '../file/built-indexes.js';
import { cacheKey, type StoredFile, type StoredFormat } from '../file/stored-file.js';
import type { HtsgetLimits } from '../limits.js';
import type { TransformWorkers } from '../transform/transform.js';
import type { StoredIndex } from './file-format.js';
import { STORED_FORMATS } from './stored-formats.js';

/** The maximum number of files that are indexed at the same time. */
const MAX_BUILDS = 2;

/** Weight of a cached outcome without an index. */
const ENTRY_BYTES = 300;

/** An index, undefined if the file has none, or the reason why it is corrupt or the data cannot be indexed. */
type Outcome = { readonly index: StoredIndex | undefined } | { readonly failure: Error };

export interface IndexLoaderOptions {
  readonly limits: Pick<HtsgetLimits, 'indexBytes' | 'indexedBytes' | 'headerBytes' | 'recordBytes'>;
  /** The maximum number of bytes of the indexes in the cache. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
  readonly workers: TransformWorkers | undefined;
  /** Counts the memory of indexes while they are read or built. Default: it is not counted. */
  readonly memory?: MemoryBudget;
  /** Default: each process builds its own. */
  readonly builtIndexes?: BuiltIndexes | undefined;
  readonly onLookup?: (isHit: boolean) => void;
}

/** Loads stored indexes, and builds those of files without one. */
export class IndexLoader {
  readonly #options: IndexLoaderOptions;
  readonly #outcomes: LruCache<Outcome>;
  readonly #waiting: (() => void)[] = [];
  #builds = 0;

  constructor(options: IndexLoaderOptions) {
    this.#options = options;
    this.#outcomes = new LruCache({ maxWeight: options.maxBytes, onLookup: options.onLookup });
  }

  /**
   * Returns the index of a file, or undefined if the file has to be searched as a whole. Throws what the storage and the
   * decoders throw.
   */
  async load(file: StoredFile, stat: SourceStat): Promise<StoredIndex | undefined> {
    const outcome = await (file.index === undefined ? this.#build(file, stat) : this.#read(file, file.index));
    if ('failure' in outcome) throw outcome.failure;
    return outcome.index;
  }

  async #read({ format }: StoredFile, source: ByteSource): Promise<Outcome> {
    const { limits, signal, workers, memory: budget } = this.#options;
    const maxBytes = limits.indexBytes;
    const stat = await source.stat();
    if (stat.size > maxBytes) {
      throw new IndexError('LIMIT_EXCEEDED', `index exceeds the limit of ${maxBytes} bytes`, { offset: 0 });
    }
    const read = async (): Promise<Weighted<Outcome>> => {
      const memory = budget?.open();
      try {
        memory?.reserve(stat.size);
        const bytes = await source.read({ start: 0, end: stat.size }, { version: stat.version, signal });
        const index = await STORED_FORMATS[format].parseIndex(bytes, { workers, maxBytes, memory });
        return { value: { index }, weight: index.byteLength };
      } catch (error) {
        return { value: toFailure(error), weight: ENTRY_BYTES };
      } finally {
        memory?.close();
      }
    };
    const key = cacheKey(source, stat);
    return key === undefined ? (await read()).value : this.#outcomes.load(key, read);
  }

  /** Builds no index that cannot be cached: each request would read the whole file. */
  async #build(file: StoredFile, stat: SourceStat): Promise<Outcome> {
    const key = cacheKey(file.data, stat);
    if (key === undefined || stat.size > this.#options.limits.indexedBytes) return { index: undefined };
    return this.#outcomes.load(`${key}\nindex`, async () => {
      const value = await this.#loadOrBuild(file, stat).then((index) => ({ index }), toFailure);
      const index = 'index' in value ? value.index : undefined;
      return { value, weight: index?.byteLength ?? ENTRY_BYTES };
    });
  }

  async #loadOrBuild(file: StoredFile, stat: SourceStat): Promise<StoredIndex | undefined> {
    const { builtIndexes } = this.#options;
    const { version = '' } = stat;
    const saved = await builtIndexes?.load(file, version).catch(() => undefined);
    if (saved?.length === 0) return undefined;
    const index = saved && (await this.#parse(file, saved).catch(() => undefined));
    if (index !== undefined) return index;
    const built = await this.#limitBuilds(() => this.#buildBytes(file, stat));
    builtIndexes?.save(file, version, built ?? new Uint8Array()).catch(() => undefined);
    return built && this.#parse(file, built);
  }

  async #buildBytes({ format, data }: StoredFile, stat: SourceStat): Promise<Uint8Array | undefined> {
    const { limits, signal, memory } = this.#options;
    const { indexBytes, headerBytes, recordBytes } = limits;
    return buildIndex(data, {
      ...stat,
      format,
      maxIndexBytes: indexBytes,
      maxHeaderBytes: headerBytes,
      maxRecordBytes: recordBytes,
      memory: memory?.open(),
      signal,
    });
  }

  async #parse({ format }: StoredFile, bytes: Uint8Array): Promise<StoredIndex> {
    const { limits, workers, memory: budget } = this.#options;
    const memory = budget?.open();
    try {
      return await STORED_FORMATS[format].parseIndex(bytes, { workers, maxBytes: limits.indexBytes, memory });
    } finally {
      memory?.close();
    }
  }

  async #limitBuilds<Value>(build: () => Promise<Value>): Promise<Value> {
    if (this.#builds < MAX_BUILDS) this.#builds++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await build();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#builds--;
      else next();
    }
  }
}

/** Corrupt data fails alike until the file changes, so the failure is cached. */
function toFailure(error: unknown): Outcome {
  if (error instanceof BgzfError || error instanceof FormatError || error instanceof IndexError) {
    return { failure: error };
  }
  throw error;
}

interface BuildIndexOptions extends ReadOptions {
  readonly format: StoredFormat;
  /** Size of the object in bytes. */
  readonly size: number;
  /** The maximum number of bytes of the index. */
  readonly maxIndexBytes: number;
  readonly maxHeaderBytes: number;
  readonly maxRecordBytes: number;
  /** Closed when the index is built. */
  readonly memory: MemoryAccount | undefined;
}

/**
 * Reads a whole file and indexes it. Returns undefined for a file that cannot be indexed: it is not sorted, has positions
 * beyond those that an index can hold, or needs an index over the limit.
 */
async function buildIndex(
  source: ByteSource,
  { format, size, maxIndexBytes, maxHeaderBytes, maxRecordBytes, memory, ...options }: BuildIndexOptions,
): Promise<Uint8Array | undefined> {
  const chunks = readChunks(source.stream({ start: 0, end: size }, options));
  const limits = { maxIndexBytes, maxHeaderBytes, maxRecordBytes, memory };
  try {
    return await STORED_FORMATS[format].buildIndex(chunks, limits);
  } catch (error) {
    if (error instanceof IndexError && (error.code === 'INVALID_DATA' || error.code === 'LIMIT_EXCEEDED')) {
      return undefined;
    }
    throw error;
  } finally {
    memory?.close();
  }
}
