import type { CramReferenceSource } from '@htskit/formats';
import type { StoredFile } from '@htskit/htsget';
import { LruCache, type SourceStat } from '@htskit/io';
import type { AlignmentFile, VariantFile } from '@htskit/records';
import { type OpenedRecords, openStoredFile } from '@htskit/records/internal';
import type { CoverageLimits } from './coverage-options.js';

export interface OpenFilesOptions {
  readonly limits: CoverageLimits;
  readonly reference: CramReferenceSource | undefined;
}

/** A version of a stored file that is open. */
export type OpenedFile = OpenedRecords<AlignmentFile | VariantFile>;

/** Keeps the files of the last requests open, with their headers and indexes. */
export class OpenFiles {
  readonly #options: OpenFilesOptions;
  readonly #files: LruCache<OpenedFile>;

  constructor(options: OpenFilesOptions) {
    this.#options = options;
    this.#files = new LruCache({ maxWeight: options.limits.openFiles });
  }

  /** Opens a version of a file. Concurrent calls open it once. Throws what `openRecords` throws. */
  open({ data, index }: StoredFile, { version }: SourceStat): Promise<OpenedFile> {
    const { limits, reference } = this.#options;
    const open = async (): Promise<OpenedFile> =>
      openStoredFile(data, {
        ...(index !== undefined && { index }),
        ...(reference !== undefined && { reference }),
        limits: { sliceBytes: limits.sliceBytes },
        workers: 0,
        onWarning: () => undefined,
      });
    if (version === undefined) return open();
    return this.#files.load(`${data.key}\n${index?.key}\n${version}`, async () => ({ value: await open(), weight: 1 }));
  }
}
