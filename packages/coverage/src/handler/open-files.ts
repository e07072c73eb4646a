import type { CramReferenceSource } from '@htskit/formats';
import type { StoredFile } from '@htskit/htsget';
import { cacheKey } from '@htskit/htsget/internal';
import { LruCache, type SourceStat, type Weighted } from '@htskit/io';
import type { AlignmentFile, VariantFile } from '@htskit/records';
import { type OpenedRecords, openStoredFile } from '@htskit/records/internal';
import type { CoverageLimits } from './coverage-options.js';

export interface OpenFilesOptions {
  readonly limits: CoverageLimits;
  readonly reference: CramReferenceSource | undefined;
}

/** A version of a stored file that is open. */
export interface OpenedFile extends OpenedRecords<AlignmentFile | VariantFile> {
  /** Distinguishes this version of the file and its index from all others; undefined if they have none. */
  readonly key: string | undefined;
}

/** Bytes of memory for each byte of a header: its text, and what is parsed of it. */
const HEADER_RATIO = 4;
/** Bytes of memory for each stored byte of an index, which may be compressed. */
const INDEX_RATIO = 3;

/** Keeps the headers and indexes of the files of the last requests. */
export class OpenFiles {
  readonly #options: OpenFilesOptions;
  readonly #files: LruCache<OpenedFile>;

  constructor(options: OpenFilesOptions) {
    this.#options = options;
    this.#files = new LruCache({ maxWeight: options.limits.cacheBytes });
  }

  /** Opens a version of a file, with the current one of its index. Concurrent calls open it once. Throws what `openRecords` throws. */
  async open({ data, index }: StoredFile, stat: SourceStat): Promise<OpenedFile> {
    const { limits, reference } = this.#options;
    const indexStat = await index?.stat();
    const dataKey = cacheKey(data, stat);
    const indexKey = index === undefined || indexStat === undefined ? 'none' : cacheKey(index, indexStat);
    const key = dataKey === undefined || indexKey === undefined ? undefined : `${dataKey}\n${indexKey}`;
    const open = async (): Promise<Weighted<OpenedFile>> => {
      const opened = await openStoredFile(data, {
        ...(index !== undefined && { index }),
        ...(reference !== undefined && { reference }),
        limits: { sliceBytes: limits.sliceBytes },
        workers: 0,
        onWarning: () => undefined,
      });
      const weight = HEADER_RATIO * opened.file.headerText.length + INDEX_RATIO * (indexStat?.size ?? 0);
      return { value: { ...opened, key }, weight };
    };
    return key === undefined ? (await open()).value : this.#files.load(key, open);
  }
}
