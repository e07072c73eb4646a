import { type Authority, DEFAULT_AUTHORITY, type RefgetServiceInfoOptions } from '@htskit/protocol';
import type { SequenceCatalogue } from '@htskit/sequences';
import type { CollectionCatalogue } from './collection/collection-catalogue.js';
import type { ComparisonRules } from './collection/compare-collections.js';

export interface RefgetOptions {
  readonly catalogue: SequenceCatalogue;
  /** Sequence collections; without it their paths lead nowhere. */
  readonly collections?: CollectionCatalogue;
  /** Where the specification and the reference implementation of collections differ. Default `specification`. */
  readonly comparisonRules?: ComparisonRules;
  /** Most bytes of a collection that a client sends for a comparison; more is 413. Default 4 MiB. */
  readonly collectionBodyBytes?: number;
  /** The token in media types, metadata and service-info where the request's Accept names none. Default `ga4gh`. */
  readonly authority?: Authority;
  /** Whether `start > end` wraps around the origin of circular sequences; 501 otherwise. Default true. */
  readonly circularSupported?: boolean;
  /** Most bases that start and end, or a Range, may ask for; 0, the default, means any number. */
  readonly subsequenceLimit?: number;
  /** Status of a Range that begins behind the sequence: 400, the default, by refget 2.0.0, or 416 by RFC 9110. */
  readonly rangeOutOfBounds?: 400 | 416;
  /** Status where an identifier names several sequences: 300, the default, with a list of them, or 409. */
  readonly ambiguousIdentifier?: 300 | 409;
  /** Status that sends clients to where a sequence can be located: 302, 303, the default, or 307. */
  readonly redirectStatus?: 302 | 303 | 307;
  /** How the operator describes the service. */
  readonly serviceInfo?: Omit<RefgetServiceInfoOptions, 'authority' | 'circularSupported' | 'subsequenceLimit'>;
  /**
   * Called before a sequence or its metadata is looked up; refuses by throwing a RefgetError, mostly `Unauthorized`.
   * Where it is set, answers are not for shared caches.
   */
  authorize?(request: Request): void | Promise<void>;
  /** Told of every failure that is answered with a 5xx status, and of those that break off a sequence. */
  onError?(error: unknown): void;
}

/** The options with all defaults filled in. */
export interface RefgetSettings extends RefgetOptions {
  readonly comparisonRules: ComparisonRules;
  readonly collectionBodyBytes: number;
  readonly authority: Authority;
  readonly circularSupported: boolean;
  readonly subsequenceLimit: number;
  readonly rangeOutOfBounds: 400 | 416;
  readonly ambiguousIdentifier: 300 | 409;
  readonly redirectStatus: 302 | 303 | 307;
  onError(error: unknown): void;
}

/** Fills in the defaults. Throws RangeError for a limit that is not a whole number. */
export function withDefaults(options: RefgetOptions): RefgetSettings {
  const settings = {
    authority: DEFAULT_AUTHORITY,
    circularSupported: true,
    subsequenceLimit: 0,
    rangeOutOfBounds: 400,
    ambiguousIdentifier: 300,
    redirectStatus: 303,
    onError: () => undefined,
    comparisonRules: 'specification',
    collectionBodyBytes: 2 ** 22,
    ...options,
  } as const;
  for (const name of ['subsequenceLimit', 'collectionBodyBytes'] as const) {
    const limit = settings[name];
    if (!Number.isSafeInteger(limit) || limit < 0)
      throw new RangeError(`${name} must be a whole number, found ${limit}`);
  }
  return settings;
}
