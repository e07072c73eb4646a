import type { CramReferenceSource } from '@htskit/formats';
import type { MemoryBudget } from '@htskit/io';
import type { Authority, Datatype, Permission, ServiceInfoOptions } from '@htskit/protocol';
import type { AuthorizeInput } from './access/permission.js';
import type { BuiltIndexes } from './file/built-indexes.js';
import type { ConvertingProgram } from './file/program-lines.js';
import type { StoredFile } from './file/stored-file.js';
import type { HtsgetEvent, ObjectName, OnError } from './hooks.js';
import { DEFAULT_LIMITS, type HtsgetLimits } from './limits.js';
import type { Precision } from './plan/plan.js';
import type { TransformWorkers } from './transform/transform.js';

/** The request that an object is looked up for: for a ticket, or for one of its blocks. */
export interface ResolveContext {
  readonly signal: AbortSignal;
  /** The headers of the request. Files that depend on them name them as `StoredFile.forwarded`. */
  readonly headers?: Headers | undefined;
}

export interface HtsgetOptions {
  /**
   * Finds the stored files of an object. Undefined or an empty list means that there is no such object, which clients see
   * as NotFound. An error that it throws is an InternalServerError. `id` is decoded and may contain `/`, but no empty, `.`
   * or `..` segment and no NUL.
   */
  resolve(id: string, datatype: Datatype, context: ResolveContext): Promise<readonly StoredFile[] | undefined>;
  /**
   * Decides what a request for a ticket may see, before anything is looked up. Block URLs contain the permission of their
   * ticket. Default: everybody may see everything. An `HtsgetError` that it throws is sent as it is, any other error as
   * InternalServerError.
   */
  authorize?: (input: AuthorizeInput) => Promise<Permission> | Permission;
  /** Absolute URL at which clients reach the handler's mount point, `prefix` included. Block URLs begin with it. */
  readonly publicUrl: string;
  /** Path that the handler is mounted at, for frameworks that do not strip it: `/htsget`, for example. Default: none. */
  readonly prefix?: string;
  /**
   * Keys that sign block URLs, at least 16 bytes each. The first signs, all are accepted. Default: a random key, so that
   * block URLs do not outlive the process.
   */
  readonly signingKeys?: readonly [Uint8Array, ...Uint8Array[]];
  /** The token in media types and service-info for requests whose `Accept` names none. Default `ga4gh`. */
  readonly authority?: Authority;
  /** Lets caches that many clients share, such as those of a CDN, keep blocks. Default: only the client may keep them. */
  readonly publicBlocks?: PublicBlocks;
  readonly serviceInfo?: ServiceInfoOptions;
  /** Default `auto`. */
  readonly precision?: Precision;
  /**
   * Whether a file that lacks its end marker is served with a warning or refused, if nothing proves that its end is missing. A
   * file that is proven to be truncated is refused in any case, except for regions before the missing part. Default `warn`.
   */
  readonly truncated?: TruncatedPolicy;
  /**
   * Whether an object is also answered in formats that its files are converted to: BAM from CRAM, VCF from BCF, and BCF from
   * VCF. Default true.
   */
  readonly conversions?: boolean;
  /**
   * Whether objects that are stored encrypted are also answered plain. Default false: such an answer is refused with
   * PermissionDenied.
   */
  readonly plainDelivery?: boolean;
  /**
   * Whether requests may use the parameters that htskit adds to the protocol: `samples`, `samplesUpdate`, `requireFlags`,
   * `excludeFlags` and `minMappingQuality`. Otherwise they are ignored as all unknown parameters are. Default true.
   */
  readonly extensions?: boolean;
  /**
   * Whether a ticket has a member `restricted` if `authorize` has narrowed its answer, with the regions or samples that it has
   * (hts-specs 838). It shows which part of an object is hidden. Default false.
   */
  readonly announcesRestrictions?: boolean;
  /**
   * The program that a further `@PG` line of BAM made from CRAM names, alike in all replicas. Default: none; the header is that
   * of the file.
   */
  readonly program?: ConvertingProgram;
  /**
   * Returns bases of a reference, by the MD5 and the name that a CRAM file gives it, as letters of any case; undefined if the
   * reference is not available. Called for the first base when a ticket is made. Default: CRAM files become BAM only if they need
   * no reference.
   */
  reference?: CramReferenceSource;
  /** Compression level of edges and rewritten records, from 0 (none) to 9 (most). Default 6. */
  readonly compressionLevel?: number;
  /** Threads that filter, rewrite and compress records. Default: the thread of the handler does. */
  readonly workers?: TransformWorkers;
  /**
   * Returns the client that a request comes from: its address, for example. Clients take turns at the workers, so that one with
   * many requests does not delay the others. Default: all requests come from one client.
   */
  clientOf?: ((request: Request) => string | undefined) | undefined;
  /**
   * Bounds the memory that long headers, records, slices and indexes take together while they are read, on all threads. A request
   * that finds it used up gets 503 with `Retry-After`. Default: it is not bounded.
   */
  readonly memory?: MemoryBudget;
  /** Keeps the indexes that are built of files without one. Default: each process builds its own. */
  readonly builtIndexes?: BuiltIndexes | undefined;
  /** Limits that differ from `DEFAULT_LIMITS`. */
  readonly limits?: { readonly [Name in keyof HtsgetLimits]?: HtsgetLimits[Name] } | undefined;
  /** Milliseconds since 1970-01-01 UTC, for the expiry of block URLs. Default `Date.now`. */
  readonly now?: () => number;
  /** Called for every ticket, every block that was sent or broken off, and every cache lookup. Its errors go to `onError`. */
  onEvent?: (event: HtsgetEvent) => void;
  /**
   * Called for every failure that is answered with a 5xx status or breaks off a block, with the object that the request
   * names and its `X-Request-Id`. A fault of a file that is found again for each request is reported once. Default
   * `console.error`.
   */
  onError?: OnError;
  /** Called once per version of a file that lacks its end marker and is served all the same. Default `console.error`. */
  onWarning?: (warning: Error, object: ObjectName) => void;
}

/** Which blocks everybody may see, and how long their URLs stay the same. */
export interface PublicBlocks {
  /**
   * Seconds for which all tickets for the same part of an object have the same URLs, at least 1. A URL is valid for up to as many
   * seconds more than `limits.blockUrlSeconds` says.
   */
  readonly seconds: number;
  /**
   * Returns whether everybody may see an object. A cache goes on to send its blocks until their URLs expire, also once this says
   * otherwise. Files that a store sends for the headers of a request are never public. Default: all objects if there is no `authorize`,
   * and none if there is.
   */
  isPublic?(object: ObjectName): boolean;
}

/** Serve a doubtful file with a warning, or refuse it. */
export type TruncatedPolicy = 'warn' | 'refuse';

/** Returns the limits with defaults for those that are missing or undefined. */
export function withDefaults(limits: HtsgetOptions['limits'] = {}): HtsgetLimits {
  const given = Object.entries(limits).filter(([, limit]) => limit !== undefined);
  return { ...DEFAULT_LIMITS, ...Object.fromEntries(given) };
}

/** Returns the setting with its default. Throws RangeError unless its seconds are an integer of at least 1. */
export function checkPublicBlocks({
  publicBlocks,
  authorize,
}: Pick<HtsgetOptions, 'publicBlocks' | 'authorize'>): Required<PublicBlocks> | undefined {
  if (publicBlocks === undefined) return undefined;
  const { seconds } = publicBlocks;
  if (!(Number.isSafeInteger(seconds) && seconds >= 1)) {
    throw new RangeError(`publicBlocks.seconds must be a positive integer, found ${seconds}`);
  }
  const isPublic = publicBlocks.isPublic?.bind(publicBlocks) ?? (() => authorize === undefined);
  return { seconds, isPublic };
}

/** Throws RangeError unless the level is an integer from 0 to 9. */
export function checkCompressionLevel(level = 6): void {
  if (Number.isInteger(level) && level >= 0 && level <= 9) return;
  throw new RangeError(`compressionLevel must be an integer from 0 to 9, found ${level}`);
}

/**
 * Returns the URL without trailing slashes. Throws RangeError unless it is an absolute http or https URL without credentials,
 * query and fragment.
 */
export function parsePublicUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new RangeError('publicUrl must be an absolute URL that begins with http:// or https://');
  }
  if (`${url.username}${url.password}${url.search}${url.hash}` !== '') {
    throw new RangeError('publicUrl must not have credentials, a query or a fragment');
  }
  return text.replace(/\/+$/, '');
}
