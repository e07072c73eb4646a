import type { ByteSource } from '@htskit/io';
import type { Authority, Datatype, ServiceInfoOptions } from '@htskit/protocol';
import type { HtsgetEvent } from './event.js';
import type { Locate } from './locate.js';
import type { AuthorizeInput, Permission } from './permission.js';
import type { Precision, StoredFormat } from './plan.js';

/** One stored form of an object, and its index where there is one. VCF is bgzipped; VCFTEXT is made from it. */
export interface StoredFile {
  readonly format: StoredFormat;
  readonly data: ByteSource;
  /**
   * Tells the data from that of any other file, in every replica and after every start alike: block URLs, which carry a hash
   * of it, then serve no other file that the id comes to stand for. Without it they tell versions apart alone.
   */
  readonly identity?: string;
  /** A BAI, CSI, TBI or CRAI index, whichever the file has. */
  readonly index?: ByteSource;
  /**
   * Where clients can fetch the data from the store itself: tickets then hold such URLs for all that can be sent as it is
   * stored, and the little that cannot inline. Without it, this service sends everything.
   */
  readonly locate?: Locate;
}

/** An object of the service. */
export interface ObjectName {
  readonly datatype: Datatype;
  readonly id: string;
}

export interface HtsgetOptions {
  /**
   * Finds the files of an object. Undefined, or no file at all, means that there is no such id, which clients are told as NotFound; an
   * error that it throws is told as InternalServerError. `id` is decoded and may contain `/`, but no empty, `.` or
   * `..` segment and no NUL.
   */
  resolve(
    id: string,
    datatype: Datatype,
    context: { readonly signal: AbortSignal },
  ): Promise<readonly StoredFile[] | undefined>;
  /**
   * Says what a request for a ticket may see, before anything else is looked at. Block URLs carry what their ticket was
   * permitted. By default everybody may see everything. An HtsgetError that it throws is told as it is, any other
   * error as InternalServerError.
   */
  authorize?(input: AuthorizeInput): Promise<Permission> | Permission;
  /** Absolute URL at which clients reach this handler's mount point; block URLs begin with it. */
  readonly publicUrl: string;
  /**
   * Keys of the block URLs' signatures, 16 bytes or more each: the first one signs, all are accepted. By default a
   * random key, so that block URLs end with the process.
   */
  readonly signingKeys?: readonly [Uint8Array, ...Uint8Array[]];
  /** The token in media types and service-info where the request's Accept names none. Default `ga4gh`. */
  readonly authority?: Authority;
  readonly serviceInfo?: ServiceInfoOptions;
  /** Default `auto`. */
  readonly precision?: Precision;
  /** Of edges and rewritten records: 0 (none) to 9 (most). Default 6. */
  readonly compressionLevel?: number;
  readonly limits?: Partial<HtsgetLimits>;
  /** Told of every ticket that was answered, and every block that was sent or broken off. What it throws goes to `onError`. */
  onEvent?(event: HtsgetEvent): void;
  /**
   * Told of every failure that is answered with a 5xx status, and of those that break off a block, with the object that was
   * asked for.
   */
  onError?(error: unknown, object: ObjectName | undefined): void;
}

export interface HtsgetLimits {
  /** Bytes of a POST body; more is PayloadTooLarge. */
  readonly postBodyBytes: number;
  /** Regions of one POST; more is PayloadTooLarge. */
  readonly regions: number;
  /** Blocks of one ticket; more is PayloadTooLarge. */
  readonly blocks: number;
  /** Compressed bytes of one header that is sent inside the ticket; longer ones get a URL. */
  readonly inlineBytes: number;
  /** Bytes of the edges in one ticket whose data the store sends (`locate`); what is beyond gets a URL of this service. */
  readonly inlineEdgeBytes: number;
  /** Compressed bytes between two parts of a file up to which both are read as one, which costs less than one part more. */
  readonly gapBytes: number;
  /** Compressed bytes up to which precision `auto` filters record by record. */
  readonly exactBytes: number;
  /** Compressed bytes of one block URL: neighbouring segments share one up to this, and a longer one is split. */
  readonly blockBytes: number;
  /** Seconds for which a block URL is valid. */
  readonly blockUrlSeconds: number;
  /** Uncompressed bytes of a file's header; longer ones are refused. */
  readonly headerBytes: number;
  /** References of a file's header; more are refused. */
  readonly references: number;
  /** Bytes of an index, as it is stored and uncompressed; longer ones are refused. */
  readonly indexBytes: number;
  /** Bytes of a file without an index that is indexed when a region of it is first asked for; longer ones are searched. */
  readonly indexedBytes: number;
  /** Bytes of headers and indexes that are kept in memory. */
  readonly cacheBytes: number;
}

const MiB = 1024 * 1024;

export const DEFAULT_LIMITS: HtsgetLimits = {
  postBodyBytes: MiB,
  regions: 1000,
  blocks: 10_000,
  inlineBytes: 64 * 1024,
  inlineEdgeBytes: MiB,
  gapBytes: 64 * 1024,
  exactBytes: 8 * MiB,
  blockBytes: 1_000_000_000,
  blockUrlSeconds: 3600,
  headerBytes: 128 * MiB,
  references: 2_000_000,
  indexBytes: 512 * MiB,
  indexedBytes: 256 * MiB,
  cacheBytes: 256 * MiB,
};

/** Throws RangeError for a compression level that is none. */
export function checkCompressionLevel(level = 6): void {
  if (Number.isInteger(level) && level >= 0 && level <= 9) return;
  throw new RangeError(`compressionLevel is a whole number from 0 to 9, found ${level}`);
}

/** The limits, with defaults for those that are left out or undefined. */
export function withDefaults(limits: HtsgetOptions['limits'] = {}): HtsgetLimits {
  const given = Object.entries(limits).filter(([, limit]) => limit !== undefined);
  return { ...DEFAULT_LIMITS, ...Object.fromEntries(given) };
}
