import { type Authority, DEFAULT_AUTHORITY, type Permission, type ServiceInfoOptions } from '@htskit/protocol';
import { Checksums, type ChecksumsOptions } from './checksums/checksums.js';
import type { Authorizations, DrsBundle, DrsFile } from './drs-object.js';
import type { DrsEvent } from './events.js';
import type { DrsAuthorizeInput } from './permission.js';

export interface DrsLimits {
  /** The maximum number of bytes of a POST body. Beyond: 413. */
  readonly bodyBytes: number;
  /** The maximum number of objects, or of access ids, that one request names. Beyond: 413. */
  readonly bulkObjects: number;
  /** The maximum number of objects of a bundle, those of nested bundles included. */
  readonly bundleObjects: number;
  /** Seconds for which a signed URL is valid. */
  readonly urlSeconds: number;
}

export const DEFAULT_DRS_LIMITS: DrsLimits = {
  bodyBytes: 2 ** 20,
  bulkObjects: 100,
  bundleObjects: 1000,
  urlSeconds: 3600,
};

/** The request that an object is looked up for. */
export interface DrsResolveContext {
  readonly signal: AbortSignal;
  readonly headers: Headers;
}

export interface DrsOptions {
  /**
   * Finds an object. Undefined means that there is none, which clients see as 404. `id` is decoded and may contain `/`, but no empty,
   * `.` or `..` segment and no NUL.
   */
  resolve(id: string, context: DrsResolveContext): Promise<DrsFile | DrsBundle | undefined>;
  /**
   * Decides what a request may see of an object, before it is looked up. An object that may be seen in part is described, and htsget
   * answers the part; its bytes are not sent. Default: everybody may see everything. A `DrsError`, and an
   * error of htsget or refget, that it throws is sent with its status; any other error as 500.
   */
  readonly authorize?: ((input: DrsAuthorizeInput) => Promise<Permission> | Permission) | undefined;
  /** How requests for objects that not everybody may see are authorized, for clients that ask. Default: by a bearer token. */
  readonly authorizations?: Authorizations | undefined;
  /** Absolute URL at which clients reach the handler's mount point, `prefix` included. */
  readonly publicUrl: string;
  /** The host name in `drs://` URIs, without a port, which they cannot have. Default: that of `publicUrl`. */
  readonly hostname?: string | undefined;
  /**
   * The prefix of compact identifiers that a meta-resolver leads here, such as `drs.42`. Ids may then begin with it and a colon, and
   * aliases have such URIs. Default: none.
   */
  readonly compactPrefix?: string | undefined;
  /** Path that the handler is mounted at, for frameworks that do not strip it. Default: none. */
  readonly prefix?: string | undefined;
  /** Keys that sign the URLs of files, at least 16 bytes each. The first signs, all are accepted. Default: a random key. */
  readonly signingKeys?: readonly [Uint8Array, ...Uint8Array[]] | undefined;
  /** The checksums of the files, or how they are computed. Default: in this thread, and kept in memory. */
  readonly checksums?: Checksums | ChecksumsOptions | undefined;
  /** The token of the standards body in service-info. Default `ga4gh`. */
  readonly authority?: Authority | undefined;
  readonly serviceInfo?: ServiceInfoOptions | undefined;
  readonly limits?: { readonly [Name in keyof DrsLimits]?: DrsLimits[Name] | undefined } | undefined;
  /** Milliseconds since 1970-01-01 UTC, for the expiry of signed URLs. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Called once for each object of a request, when its answer was sent or broken off. Its errors go to `onError`. */
  readonly onEvent?: ((event: DrsEvent) => void) | undefined;
  /**
   * Called for every failure that is answered with a 5xx status or breaks off a file, with the id that the request names and its
   * `X-Request-Id`, each undefined if unknown. Default `console.error`.
   */
  readonly onError?: ((error: unknown, id: string | undefined, requestId: string | undefined) => void) | undefined;
}

/** The options with all defaults filled in. */
export interface DrsSettings
  extends Pick<DrsOptions, 'resolve' | 'authorize' | 'serviceInfo' | 'compactPrefix' | 'prefix'> {
  readonly authorizations: Authorizations;
  /** Without trailing slashes. */
  readonly publicUrl: string;
  readonly hostname: string;
  readonly authority: Authority;
  readonly checksums: Checksums;
  readonly limits: DrsLimits;
  readonly now: () => number;
  readonly hasListener: boolean;
  /** Never throws: a failing hook must not fail the request. */
  onEvent(event: DrsEvent): void;
  /** Never throws: a failing error hook must not fail the request. */
  onError(error: unknown, id: string | undefined, request: Request): void;
}

/** The syntax of the prefix of a compact identifier. */
const COMPACT_PREFIX = /^(?:[a-z0-9._]+\/)?[a-z0-9._]+$/;

/**
 * Fills in the defaults. Throws RangeError unless `publicUrl` is an absolute http or https URL without credentials, query and
 * fragment, and for a limit or a compact prefix that is not valid.
 */
export function withDefaults(options: DrsOptions): DrsSettings {
  const { checksums = {}, compactPrefix, prefix, serviceInfo, onEvent } = options;
  const publicUrl = parsePublicUrl(options.publicUrl);
  if (compactPrefix !== undefined && !COMPACT_PREFIX.test(compactPrefix)) {
    throw new RangeError(`compactPrefix must be like drs.42, found "${compactPrefix}"`);
  }
  const onError = (error: unknown, id: string | undefined, request?: Request): void => {
    try {
      const { onError: report = console.error } = options;
      report.call(options, error, id, request?.headers.get('x-request-id') ?? undefined);
    } catch {
      // A failing error hook must not fail the request.
    }
  };
  const { authorize } = options;
  return {
    resolve: (id, context) => options.resolve(id, context),
    authorize: authorize && ((input) => authorize.call(options, input)),
    authorizations: options.authorizations ?? { supported_types: ['BearerAuth'] },
    ...{ publicUrl, compactPrefix, prefix, serviceInfo, onError },
    hostname: options.hostname ?? new URL(publicUrl).hostname,
    authority: options.authority ?? DEFAULT_AUTHORITY,
    checksums: checksums instanceof Checksums ? checksums : new Checksums(checksums),
    limits: toLimits(options.limits),
    now: options.now ?? Date.now,
    hasListener: onEvent !== undefined,
    onEvent(event) {
      try {
        onEvent?.call(options, event);
      } catch (error) {
        onError(error, event.id);
      }
    },
  };
}

function toLimits(given: DrsOptions['limits'] = {}): DrsLimits {
  const known = Object.entries(given).filter(([, limit]) => limit !== undefined);
  for (const [name, limit] of known) {
    if (!Number.isSafeInteger(limit) || limit < 1)
      throw new RangeError(`limits.${name} must be a positive integer, found ${limit}`);
  }
  return { ...DEFAULT_DRS_LIMITS, ...Object.fromEntries(known) };
}

function parsePublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new RangeError('publicUrl must be an absolute URL that begins with http:// or https://');
  }
  if (`${url.username}${url.password}${url.search}${url.hash}` !== '') {
    throw new RangeError('publicUrl must not have credentials, a query or a fragment');
  }
  return text.replace(/\/+$/, '');
}
