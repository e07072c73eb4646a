import { type Authority, DEFAULT_AUTHORITY, RefgetError, type RefgetServiceInfoOptions } from '@htskit/protocol';
import type { SequenceCatalogue } from '@htskit/sequences';
import type { CollectionCatalogue } from './collection/collection-catalogue.js';
import type { ComparisonRules } from './collection/compare-collections.js';

/** An object that a request names. */
export interface RefgetObject {
  /** The first segment of the path. */
  readonly resource: 'sequence' | 'collection' | 'comparison' | 'attribute' | 'list';
  /**
   * The other segments, percent-decoded and otherwise as the client sent them, with slashes between them: the identifier of
   * the sequence, the digests of the stored collections, `DIGEST/fasta` and `DIGEST/regions` for the bases of a collection,
   * `collection/names/DIGEST` for an attribute, or `collection` or `attributes/names` for a list. Metadata have the id of their
   * sequence. Each sequence that is read for them must be permitted as well.
   */
  readonly id: string;
}

export interface RefgetAuthorizeInput extends RefgetObject {
  /** The request with its headers. The hook must not read its body. */
  readonly request: Request;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** All of the object may be seen, a valid token is missing (401), or the token does not permit it (403). */
export type RefgetPermission = 'all' | 'unauthenticated' | 'forbidden';

interface RefgetLimits {
  /** The maximum number of bases that `start` and `end`, or a Range, may select. 0, the default, means any number. */
  readonly subsequence?: number;
  /** The maximum number of bytes of a collection or of regions that a client sends. Beyond: 413. Default 4 MiB. */
  readonly collectionBodyBytes?: number;
}

export interface RefgetOptions {
  readonly catalogue: SequenceCatalogue;
  /** Sequence collections. Without them their paths are 404. */
  readonly collections?: CollectionCatalogue;
  /** How to compare where the specification and the reference implementation differ. Default `specification`. */
  readonly comparisonRules?: ComparisonRules;
  /** Path that the handler is mounted at, for frameworks that do not strip it: `/refget`, for example. Default: none. */
  readonly prefix?: string;
  /** The token in media types, metadata and service-info for requests whose `Accept` names none. Default `ga4gh`. */
  readonly authority?: Authority;
  /** Whether `start > end` wraps around the origin of circular sequences; otherwise 501. Default true. */
  readonly circularSupported?: boolean;
  /** Status of a Range that begins after the end: 400, the default, by refget 2.0.0, or 416 by RFC 9110. */
  readonly rangeOutOfBounds?: 400 | 416;
  /** Status for an identifier of several sequences: 300, the default, with a list of them, or 409. */
  readonly ambiguousIdentifier?: 300 | 409;
  /** Status that redirects clients to the location of a sequence: 302, 303, the default, or 307. */
  readonly redirectStatus?: 302 | 303 | 307;
  /** The operator's description of the service. */
  readonly serviceInfo?:
    | Omit<RefgetServiceInfoOptions, 'authority' | 'circularSupported' | 'subsequenceLimit'>
    | undefined;
  readonly limits?: RefgetLimits;
  /**
   * Decides whether a request may see an object, before anything is looked up. Responses are then not for shared caches.
   * Default: everybody may see everything. A `RefgetError` that it throws is sent as it is, any other error as Internal Server
   * Error.
   */
  readonly authorize?: (input: RefgetAuthorizeInput) => Promise<RefgetPermission> | RefgetPermission;
  /**
   * Called for every failure that is answered with a 5xx status or breaks off a sequence, with the object that the request
   * names and its `X-Request-Id`, each undefined if unknown. The id is the client's own unless a server or proxy before the
   * handler replaces it. Default `console.error`.
   */
  readonly onError?:
    | ((error: unknown, object: RefgetObject | undefined, requestId: string | undefined) => void)
    | undefined;
}

type DefaultedOption =
  | 'catalogue'
  | 'comparisonRules'
  | 'prefix'
  | 'authority'
  | 'circularSupported'
  | 'rangeOutOfBounds'
  | 'ambiguousIdentifier'
  | 'redirectStatus';

/** The options with all defaults filled in. */
export interface RefgetSettings
  extends Required<Pick<RefgetOptions, DefaultedOption>>,
    Pick<RefgetOptions, 'collections' | 'serviceInfo'> {
  readonly limits: Required<RefgetLimits>;
  /** Whether everybody may see everything. */
  readonly isPublic: boolean;
  /** Throws RefgetError Unauthorized or Forbidden, and whatever the hook throws. */
  authorize(request: Request, object: RefgetObject): Promise<void>;
  /** Never throws: a failing error hook must not fail the request. */
  onError(error: unknown, object: RefgetObject | undefined, request: Request): void;
}

/** Fills in the defaults. Throws RangeError for a limit that is not a whole number and for a prefix without a leading slash. */
export function withDefaults(options: RefgetOptions): RefgetSettings {
  const { prefix = '', limits: { subsequence = 0, collectionBodyBytes = 2 ** 22 } = {} } = options;
  checkLimit('subsequence', subsequence);
  checkLimit('collectionBodyBytes', collectionBodyBytes);
  if (prefix !== '' && !prefix.startsWith('/'))
    throw new RangeError(`the prefix must begin with "/", found "${prefix}"`);
  return {
    catalogue: options.catalogue,
    collections: options.collections,
    comparisonRules: options.comparisonRules ?? 'specification',
    prefix,
    authority: options.authority ?? DEFAULT_AUTHORITY,
    circularSupported: options.circularSupported ?? true,
    rangeOutOfBounds: options.rangeOutOfBounds ?? 400,
    ambiguousIdentifier: options.ambiguousIdentifier ?? 300,
    redirectStatus: options.redirectStatus ?? 303,
    serviceInfo: options.serviceInfo,
    limits: { subsequence, collectionBodyBytes },
    isPublic: options.authorize === undefined,
    authorize: (request, object) => authorize(options, request, object),
    onError(error, object, request) {
      try {
        const { onError = console.error } = options;
        onError.call(options, error, object, request.headers.get('x-request-id') ?? undefined);
      } catch {
        // A failing error hook must not fail the request.
      }
    },
  };
}

function checkLimit(name: keyof RefgetLimits, limit: number): void {
  if (Number.isSafeInteger(limit) && limit >= 0) return;
  throw new RangeError(`limits.${name} must be a whole number, found ${limit}`);
}

async function authorize(options: RefgetOptions, request: Request, { resource, id }: RefgetObject): Promise<void> {
  const permission = await options.authorize?.({
    request,
    resource,
    id,
    // Constructing the signal of a request takes as long as reading a short slice.
    get signal() {
      return request.signal;
    },
  });
  if (options.authorize !== undefined) checkPermission(permission);
}

/** Throws TypeError for any other value, because a hook that forgets to return must not permit everything. */
function checkPermission(permission: RefgetPermission | undefined): void {
  if (permission === 'all') return;
  if (permission === 'unauthenticated') throw new RefgetError('Unauthorized', 'a valid bearer token is required');
  if (permission === 'forbidden') throw new RefgetError('Forbidden', 'access to this object is denied');
  throw new TypeError('authorize() must return a Permission');
}
