import { type BigWigReader, openBigWig } from '@htskit/formats/internal';
import type { StoredFile } from '@htskit/htsget';
import { type ByteSource, LruCache, StorageError } from '@htskit/io';
import type { CoverageSummaries } from './coverage-options.js';
import type { CoverageRegion } from './exact-bins.js';
import { type SummaryBins, type SummaryOptions, summaryBins } from './summary-bins.js';

/** The bigWig of a version of a file. */
export interface FoundSummary {
  readonly source: ByteSource;
  readonly version: string | undefined;
  /** Distinguishes this version of the bigWig from all others. */
  readonly key: string;
}

export interface OpenSummariesOptions {
  readonly summaries: CoverageSummaries | undefined;
  /** Called for each bigWig that cannot be read: once, unless its storage fails. */
  readonly onError: (error: unknown) => void;
}

const MAX_OPEN = 100;

/** Finds and reads the bigWig files of objects. One that cannot be read is reported, and then ignored until it changes. */
export class OpenSummaries {
  readonly #options: OpenSummariesOptions;
  readonly #readers = new LruCache<BigWigReader>({ maxWeight: MAX_OPEN });
  readonly #broken = new LruCache<true>({ maxWeight: MAX_OPEN });

  constructor(options: OpenSummariesOptions) {
    this.#options = options;
  }

  /** Returns the bigWig of a version of a file, or undefined. */
  async find(file: StoredFile, version: string | undefined): Promise<FoundSummary | undefined> {
    const source = await this.#options.summaries?.find(file, version);
    if (source === undefined) return undefined;
    const stat = await source.stat();
    const key = JSON.stringify([source.key, stat.version ?? null, stat.size]);
    return this.#broken.get(key) === true ? undefined : { source, version: stat.version, key };
  }

  /** Has the bigWig of a version of a file made, if they are made. */
  make(file: StoredFile, version: string | undefined): void {
    this.#options.summaries?.make?.(file, version);
  }

  /** Returns the depth of bins, or undefined if the bigWig does not have it. */
  async bins(
    { source, version, key }: FoundSummary,
    region: CoverageRegion,
    options: SummaryOptions,
  ): Promise<SummaryBins | undefined> {
    try {
      const open = async (): Promise<BigWigReader> => openBigWig(source, { version });
      const reader =
        version === undefined
          ? await open()
          : await this.#readers.load(key, async () => ({ value: await open(), weight: 1 }));
      return await summaryBins(reader, region, options);
    } catch (error) {
      // The file itself is read instead. A store that fails may do better next time.
      if (!(error instanceof StorageError)) this.#broken.set(key, true);
      this.#options.onError(error);
      return undefined;
    }
  }
}
