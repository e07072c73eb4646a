import type { AccessEvent, AuthorizeInput, HtsgetOptions, Permission, StoredFile } from '@htskit/htsget';

/** Limits of the requests for coverage. */
export interface CoverageLimits {
  /** The maximum number of bins of an answer. */
  readonly bins: number;
  /** Compressed bytes up to which an answer is exact. Longer regions are estimated from the index. */
  readonly scanBytes: number;
  /** The maximum number of compressed bytes that are read for a request that may see only some regions. Beyond: PayloadTooLarge. */
  readonly restrictedBytes: number;
  /** The maximum number of bytes of cached headers and indexes. */
  readonly cacheBytes: number;
  /** The maximum number of bytes of cached answers. */
  readonly answerBytes: number;
}

const MiB = 1024 * 1024;

export const DEFAULT_COVERAGE_LIMITS: CoverageLimits = {
  bins: 10_000,
  scanBytes: 2 * MiB,
  restrictedBytes: 64 * MiB,
  cacheBytes: 128 * MiB,
  answerBytes: 16 * MiB,
};

/** The hooks are those of `createHtsgetHandler` of `@htskit/htsget`, so that one server passes the same to both. */
export interface CoverageOptions extends Pick<HtsgetOptions, 'prefix' | 'reference'> {
  /** Finds the stored files of an object. The first BAM or CRAM file is read. */
  resolve(
    id: string,
    datatype: 'reads',
    context: { readonly signal: AbortSignal },
  ): Promise<readonly StoredFile[] | undefined>;
  /**
   * Decides what a request may see, before anything is looked up. A request that may see some regions gets the exact depth of their
   * bases alone. Default: everybody may see everything.
   */
  authorize?: ((input: AuthorizeInput) => Promise<Permission> | Permission) | undefined;
  /** Limits that differ from `DEFAULT_COVERAGE_LIMITS`. */
  readonly limits?: { readonly [Name in keyof CoverageLimits]?: CoverageLimits[Name] | undefined } | undefined;
  /** Called for every request for the coverage of an object. Its errors go to `onError`. */
  onEvent?: ((event: AccessEvent) => void) | undefined;
  /** Called for every failure that is answered with a 5xx status. Default `console.error`. */
  onError?: HtsgetOptions['onError'] | undefined;
}

/** Returns the limits with defaults. Throws RangeError unless each is a whole number, and `bins` at least 1. */
export function withLimitDefaults(limits: CoverageOptions['limits'] = {}): CoverageLimits {
  const given = Object.entries(limits).filter(([, limit]) => limit !== undefined);
  const all: CoverageLimits = { ...DEFAULT_COVERAGE_LIMITS, ...Object.fromEntries(given) };
  for (const [name, limit] of Object.entries(all)) {
    if (Number.isSafeInteger(limit) && limit >= (name === 'bins' ? 1 : 0)) continue;
    throw new RangeError(`limits.${name} must be a whole number${name === 'bins' ? ' from 1' : ''}, found ${limit}`);
  }
  return all;
}
