import { BgzfError } from '@htskit/bgzf';
import { FormatError } from '@htskit/formats';
import { type BinningIndex, type CraiIndex, IndexError, parseBinningIndex, parseCrai } from '@htskit/indexes';
import type { ByteSource, SourceStat } from '@htskit/io';
import { buildIndex } from './build-index.js';
import { cacheKey, LoadingCache } from './cache.js';
import type { HtsgetLimits, StoredFile } from './options.js';

export type FileIndex = BinningIndex | CraiIndex;

export function asCrai(index: FileIndex | undefined): CraiIndex | undefined {
  return index !== undefined && 'containers' in index ? index : undefined;
}

export function asBinning(index: FileIndex | undefined): BinningIndex | undefined {
  return index !== undefined && 'chunks' in index ? index : undefined;
}

/** Files that are indexed at the same time. */
const MAX_BUILDS = 2;

/** What an entry without an index is counted with. */
const ENTRY_BYTES = 300;

/** An index, none, or why the data cannot be indexed, which is so for as long as they last. */
type Outcome = { readonly index: FileIndex | undefined } | { readonly failure: Error };

/** The indexes of files: those that are stored, and those that are built where there are none. */
export class FileIndexes {
  readonly #limits: Pick<HtsgetLimits, 'indexBytes' | 'indexedBytes'>;
  readonly #outcomes: LoadingCache<Outcome>;
  readonly #waiting: (() => void)[] = [];
  #builds = 0;

  constructor(
    maxBytes: number,
    limits: Pick<HtsgetLimits, 'indexBytes' | 'indexedBytes'>,
    onLookup?: (isHit: boolean) => void,
  ) {
    this.#limits = limits;
    this.#outcomes = new LoadingCache(maxBytes, onLookup);
  }

  /** Undefined for a file that is to be searched. Throws what the storage and the decoders throw. */
  async get(file: StoredFile, stat: SourceStat): Promise<FileIndex | undefined> {
    const outcome = await (file.index === undefined ? this.#built(file, stat) : this.#stored(file, file.index));
    if ('failure' in outcome) throw outcome.failure;
    return outcome.index;
  }

  async #stored({ format }: StoredFile, source: ByteSource): Promise<Outcome> {
    const { indexBytes } = this.#limits;
    const stat = await source.stat();
    if (stat.size > indexBytes) {
      throw new IndexError('LIMIT_EXCEEDED', `the index is longer than ${indexBytes} bytes`, { offset: 0 });
    }
    return this.#outcomes.get(cacheKey(source, stat), async () => {
      const { version } = stat;
      const bytes = await source.read({ start: 0, end: stat.size }, version === undefined ? {} : { version });
      const parse = format === 'CRAM' ? parseCrai : parseBinningIndex;
      const index = parse(bytes, { maxBytes: indexBytes });
      return { value: { index }, byteLength: index.byteLength };
    });
  }

  /** What cannot be kept is not built: each request would read the whole file. */
  async #built({ format, data }: StoredFile, stat: SourceStat): Promise<Outcome> {
    const { indexBytes, indexedBytes } = this.#limits;
    const key = cacheKey(data, stat);
    if (key === undefined || stat.size > indexedBytes) return { index: undefined };
    return this.#outcomes.get(`${key}\nindex`, async () => {
      const value = await this.#inTurn(() => buildIndex(data, { ...stat, format, maxIndexBytes: indexBytes })).then(
        (index) => ({ index }),
        toFailure,
      );
      const index = 'index' in value ? value.index : undefined;
      return { value, byteLength: index?.byteLength ?? ENTRY_BYTES };
    });
  }

  async #inTurn<Value>(build: () => Promise<Value>): Promise<Value> {
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

function toFailure(error: unknown): Outcome {
  if (error instanceof BgzfError || error instanceof FormatError || error instanceof IndexError) {
    return { failure: error };
  }
  throw error;
}
