import { locateMemoryError } from '@htskit/formats/internal';
import type { CraiIndex } from '@htskit/indexes';
import { type ByteSource, LruCache, type MemoryBudget, type SourceStat, type Weighted } from '@htskit/io';
import type { HtsgetFormat } from '@htskit/protocol';
import type { TransformWorkers } from '../deliver/transform/transform.js';
import type { CacheEvent } from '../hooks.js';
import { type HtsgetLimits, type HtsgetOptions, withDefaults } from '../options.js';
import { checkBgzf } from './bgzf-check.js';
import { type BgzfFile, readBgzfFile } from './bgzf-file.js';
import { type Conversion, convertFile } from './conversion.js';
import { checkCram } from './cram-check.js';
import { indexContainers } from './cram-containers.js';
import { type CramFile, readCramFile } from './cram-file.js';
import type { FileCheck } from './file-check.js';
import { asBinning, asCrai, IndexLoader, type StoredIndex } from './file-index.js';
import type { ConvertingProgram } from './program-lines.js';
import { cacheKey, isCorruption, type StoredFile } from './stored-file.js';

/** Weight of a cached block boundary: its key and its entry. */
const BOUNDARY_BYTES = 300;

export interface FileLoaderOptions {
  readonly limits?: HtsgetOptions['limits'];
  /**
   * Aborts every load. The signal of a single request does not belong here: requests for one file share its loads.
   */
  readonly signal?: AbortSignal | undefined;
  /** Threads that parse long indexes. Default: the caller's thread does. */
  readonly workers?: TransformWorkers | undefined;
  /** Counts the memory of headers and indexes while they are read. Default: it is not counted. */
  readonly memory?: MemoryBudget | undefined;
  /** The program that the header of BAM made from CRAM names. Default: none. */
  readonly program?: ConvertingProgram | undefined;
  /** Called for every lookup in a cache. */
  readonly onLookup?: ((lookup: Omit<CacheEvent, 'type'>) => void) | undefined;
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
  readonly #headers: LruCache<BgzfFile | CramFile>;
  readonly #indexes: IndexLoader;
  /** The offset of the first block after some byte of a file. */
  readonly #boundaries: LruCache<number | undefined>;
  readonly #containers: LruCache<CraiIndex>;
  /** By the file and its stored index, which are one object for each version. */
  readonly #checks = new WeakMap<object, WeakMap<object, Promise<FileCheck>>>();

  constructor({ limits, signal, workers, memory, program, onLookup }: FileLoaderOptions = {}) {
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
      onLookup: lookups('index'),
    });
    this.#containers = new LruCache({ maxWeight: cacheBytes / 16, onLookup: lookups('index') });
    this.#boundaries = new LruCache({ maxWeight: cacheBytes / 16, onLookup: lookups('boundary') });
  }

  /** Returns the parsed header of a file and where its records are. Throws what the storage and the decoders throw. */
  async header({ format, data }: StoredFile, stat: SourceStat): Promise<BgzfFile | CramFile> {
    const { headerBytes: maxHeaderBytes, references: maxReferences } = this.limits;
    const read = async (): Promise<Weighted<BgzfFile | CramFile>> => {
      const memory = this.#memory?.open();
      const options = { ...stat, maxHeaderBytes, maxReferences, memory, signal: this.#signal };
      try {
        const file =
          format === 'CRAM' ? await readCramFile(data, options) : await readBgzfFile(data, { ...options, format });
        return { value: file, weight: headerWeight(file) };
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
  check(
    { data }: StoredFile,
    { version }: SourceStat,
    { file, index }: { readonly file: BgzfFile | CramFile; readonly index: StoredIndex | undefined },
  ): Promise<FileCheck> {
    const checks = this.#checks.get(file) ?? new WeakMap<object, Promise<FileCheck>>();
    this.#checks.set(file, checks);
    const known = checks.get(index ?? file);
    if (known !== undefined) return known;
    const options = { version, signal: this.#signal, countedBytes: this.limits.indexedBytes };
    const started =
      file.format === 'CRAM'
        ? checkCram(data, { file, index: asCrai(index) }, options)
        : checkBgzf(data, { file, index: asBinning(index) }, options);
    checks.set(index ?? file, started);
    started.catch(() => checks.delete(index ?? file));
    return started;
  }

  /** Returns how a file is converted to a format. Throws what the storage and the decoders throw. */
  async conversion(
    stored: StoredFile,
    stat: SourceStat,
    { file, format }: { readonly file: BgzfFile | CramFile; readonly format: HtsgetFormat },
  ): Promise<Conversion> {
    return convertFile(file, {
      format,
      sliceBytes: this.limits.sliceBytes,
      program: this.program,
      indexedNames: file.format === 'VCF' ? await this.#indexed(stored, stat) : [],
    });
  }

  /**
   * Returns an index of the containers of a CRAM file without one, from the headers of the containers. Throws what the storage and the
   * decoders throw.
   */
  async containers({ data }: StoredFile, stat: SourceStat, file: CramFile): Promise<CraiIndex> {
    const options = { file, version: stat.version, signal: this.#signal };
    const key = cacheKey(data, stat);
    if (key === undefined) return indexContainers(data, options);
    return this.#containers.load(key, async () => {
      const index = await indexContainers(data, options);
      return { value: index, weight: index.byteLength };
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

/** Bytes of an entry of a `Map`, with its key. */
const MAP_ENTRY_BYTES = 100;

/** The memory of a header. Most text is ASCII, whose characters take one byte each. */
function headerWeight(file: BgzfFile | CramFile): number {
  const { text, referenceIds, strings } = file.header;
  const [stored, names] =
    file.format === 'CRAM'
      ? [file.headerBytes, referenceIds.size * MAP_ENTRY_BYTES]
      : [file.headerBlocks, file.header.referenceIds.byteLength];
  return stored.length + text.length + names + (strings?.size ?? 0) * MAP_ENTRY_BYTES;
}
