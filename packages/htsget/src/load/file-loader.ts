import { locateMemoryError } from '@htskit/formats/internal';
import { type ByteSource, LruCache, type MemoryBudget, type SourceStat, type Weighted } from '@htskit/io';
import type { BuiltIndexes } from '../file/built-indexes.js';
import type { FileCheck } from '../file/file-check.js';
import type { ConvertingProgram } from '../file/program-lines.js';
import { cacheKey, isCorruption, type StoredFile } from '../file/stored-file.js';
import type { CacheEvent } from '../hooks.js';
import type { HtsgetLimits } from '../limits.js';
import { type HtsgetOptions, withDefaults } from '../options.js';
import type { Conversion } from '../plan/plan.js';
import type { TransformWorkers } from '../transform/transform.js';
import { convertFile } from './convert-file.js';
import { asBinning, type ConvertOptions, type IndexedFile, type OpenFile, type StoredIndex } from './file-format.js';
import { IndexLoader } from './index-loader.js';
import { STORED_FORMATS } from './stored-formats.js';

/** Weight of a cached block boundary: its key and its entry. */
const BOUNDARY_BYTES = 300;

export interface FileLoaderOptions {
  readonly limits?: HtsgetOptions['limits'];
  /** Aborts every load. The signal of a single request does not belong here: requests for one file share its loads. */
  readonly signal?: AbortSignal;
  /** Threads that parse long indexes. Default: the caller's thread does. */
  readonly workers?: TransformWorkers;
  /** Counts the memory of headers and indexes while they are read. Default: it is not counted. */
  readonly memory?: MemoryBudget;
  /** The program that the header of BAM made from CRAM names. Default: none. */
  readonly program?: ConvertingProgram;
  /** Keeps the indexes of files without one. Default: each process builds its own. */
  readonly builtIndexes?: BuiltIndexes | undefined;
  /** Called for every lookup in a cache. */
  readonly onLookup?: (lookup: Omit<CacheEvent, 'type'>) => void;
}

/**
 * Loads headers and indexes of stored files, and caches them by the key and version of their sources. Concurrent callers
 * share one load. Sources without a version are read each time.
 */
export class FileLoader {
  readonly limits: HtsgetLimits;
  readonly #signal: AbortSignal | undefined;
  readonly #memory: MemoryBudget | undefined;
  /** The program that the header of BAM made from CRAM names. */
  readonly program: ConvertingProgram | undefined;
  readonly #headers: LruCache<OpenFile>;
  readonly #indexes: IndexLoader;
  /** The offset of the first block after some byte of a file. */
  readonly #boundaries: LruCache<number | undefined>;
  readonly #parts: LruCache<StoredIndex | undefined>;
  /** By the file and its stored index, which are one object for each version. */
  readonly #checks = new WeakMap<object, WeakMap<object, Promise<FileCheck>>>();

  constructor({ limits, signal, workers, memory, program, builtIndexes, onLookup }: FileLoaderOptions = {}) {
    this.program = program;
    this.limits = withDefaults(limits);
    this.#signal = signal;
    this.#memory = memory;
    const { cacheBytes } = this.limits;
    const lookups = (cache: CacheEvent['cache']): ((isHit: boolean) => void) | undefined =>
      onLookup && ((isHit) => onLookup({ cache, isHit }));
    // The blocks that the service keeps have the last sixteenth.
    this.#headers = new LruCache({ maxWeight: (cacheBytes * 7) / 16, onLookup: lookups('header') });
    const maxBytes = (cacheBytes * 6) / 16;
    this.#indexes = new IndexLoader({
      limits: this.limits,
      maxBytes,
      signal,
      workers,
      memory,
      builtIndexes,
      onLookup: lookups('index'),
    });
    this.#parts = new LruCache({ maxWeight: cacheBytes / 16, onLookup: lookups('index') });
    this.#boundaries = new LruCache({ maxWeight: cacheBytes / 16, onLookup: lookups('boundary') });
  }

  /** Returns the parsed header of a file and where its records are. Throws what the storage and the decoders throw. */
  async header({ format, data }: StoredFile, stat: SourceStat): Promise<OpenFile> {
    const { headerBytes: maxHeaderBytes, references: maxReferences } = this.limits;
    const read = async (): Promise<Weighted<OpenFile>> => {
      const memory = this.#memory?.open();
      const options = { ...stat, maxHeaderBytes, maxReferences, memory, signal: this.#signal };
      try {
        return await STORED_FORMATS[format].readHeader(data, options);
      } catch (error) {
        throw locateMemoryError(error, 0);
      } finally {
        memory?.close();
      }
    };
    const key = cacheKey(data, stat);
    return key === undefined ? (await read()).value : this.#headers.load(key, read);
  }

  /**
   * Returns the index of a file, built from the data if the file has none and is at most `limits.indexedBytes` long, or
   * undefined. Throws what the storage and the decoders throw.
   */
  index(file: StoredFile, stat: SourceStat): Promise<StoredIndex | undefined> {
    return this.#indexes.load(file, stat);
  }

  /**
   * Compares a file with its end and its stored index, and returns the faults. Without a version of both, they are compared each
   * time. Throws what the storage throws.
   */
  check({ format, data }: StoredFile, { version }: SourceStat, { file, index }: IndexedFile): Promise<FileCheck> {
    const checks = this.#checks.get(file) ?? new WeakMap<object, Promise<FileCheck>>();
    this.#checks.set(file, checks);
    const known = checks.get(index ?? file);
    if (known !== undefined) return known;
    const options = { version, signal: this.#signal, countedBytes: this.limits.indexedBytes };
    const started = STORED_FORMATS[format].check(data, { file, index }, options);
    checks.set(index ?? file, started);
    started.catch(() => checks.delete(index ?? file));
    return started;
  }

  /** Returns how a file is converted to a format. Throws what the storage and the decoders throw. */
  async conversion(
    stored: StoredFile,
    stat: SourceStat,
    { file, format, samples }: { readonly file: OpenFile } & Pick<ConvertOptions, 'format' | 'samples'>,
  ): Promise<Conversion> {
    const indexedNames = stored.format === 'VCF' ? await this.#indexed(stored, stat) : [];
    const { sliceBytes } = this.limits;
    const options = { format, samples, sliceBytes, program: this.program, indexedNames };
    return convertFile(file, STORED_FORMATS[stored.format], options);
  }

  /**
   * Returns an index of the parts in which a file without an index is converted, or undefined if it is converted whole. Throws
   * what the storage and the decoders throw.
   */
  async parts({ format, data }: StoredFile, stat: SourceStat, file: OpenFile): Promise<StoredIndex | undefined> {
    const fileFormat = STORED_FORMATS[format];
    const options = { file, version: stat.version, signal: this.#signal };
    const key = cacheKey(data, stat);
    if (key === undefined) return fileFormat.indexParts?.(data, options);
    return this.#parts.load(key, async () => {
      const index = await fileFormat.indexParts?.(data, options);
      return { value: index, weight: index?.byteLength ?? 0 };
    });
  }

  /** Returns the names of an index. A corrupt index has none, so that whole files need no index. */
  async #indexed(stored: StoredFile, stat: SourceStat): Promise<readonly string[]> {
    try {
      return asBinning(await this.index(stored, stat))?.tabix?.names ?? [];
    } catch (error) {
      if (isCorruption(error)) return [];
      throw error;
    }
  }

  /** Returns the cached boundary after byte `from` of a file, or the result of `find`. */
  async boundary(
    { data, stat, from }: { readonly data: ByteSource; readonly stat: SourceStat; readonly from: number },
    find: () => Promise<number | undefined>,
  ): Promise<number | undefined> {
    const key = cacheKey(data, stat);
    if (key === undefined) return find();
    return this.#boundaries.load(`${key}\n${from}`, async () => ({ value: await find(), weight: BOUNDARY_BYTES }));
  }
}
