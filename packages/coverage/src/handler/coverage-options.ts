import type { CramReferenceSource } from '@htskit/formats';
import type { AccessEvent, HtsgetOptions, StoredFile } from '@htskit/htsget';
import type { ByteSource } from '@htskit/io';

/** The limits of the answers. */
export interface CoverageLimits {
  /** The maximum number of bytes of a file that are read for an exact answer. Beyond, answers are estimates. */
  readonly exactBytes: number;
  /** The maximum number of bins of an answer. */
  readonly bins: number;
  /** The maximum number of uncompressed bytes of a slice of a CRAM file, with its reference. */
  readonly sliceBytes: number;
  /** The maximum number of bytes of cached headers and indexes. */
  readonly cacheBytes: number;
  /** The maximum number of bytes of cached answers. */
  readonly answerBytes: number;
}

export const DEFAULT_COVERAGE_LIMITS: CoverageLimits = {
  exactBytes: 8 * 2 ** 20,
  bins: 10_000,
  sliceBytes: 32 * 2 ** 20,
  cacheBytes: 128 * 2 ** 20,
  answerBytes: 16 * 2 ** 20,
};

/** The depth of whole files, computed beforehand. */
export interface CoverageSummaries {
  /** Returns the bigWig of a version of a file; undefined if there is none, or none yet. */
  find(file: StoredFile, version: string | undefined): Promise<ByteSource | undefined>;
  /** Called when the bigWig of a file would be of use and there is none: it may be made. */
  make?(file: StoredFile, version: string | undefined): void;
}

export interface CoverageOptions extends Pick<HtsgetOptions, 'resolve' | 'authorize' | 'plainDelivery' | 'prefix'> {
  /** Returns the reference bases of CRAM files. The depth needs them for few files. Default: no reference is available. */
  readonly reference?: CramReferenceSource;
  /** Default: there are no summaries. */
  readonly summaries?: CoverageSummaries;
  readonly limits?: Partial<CoverageLimits>;
  /** Called for every request for the coverage of an object. Its errors go to `onError`. */
  onEvent?: (event: AccessEvent) => void;
  /**
   * Called for every failure that is answered with a 5xx status or breaks off a file, with the object that the request names and its
   * `X-Request-Id`. A fault of a file that is found again for each request is reported once. Default `console.error`.
   */
  onError?: HtsgetOptions['onError'];
}
