import type { Authority, Datatype, HtsgetFormat, ServiceInfoOptions } from '@htskit/protocol';
import type { ByteSource } from '@htskit/storage';
import type { Precision } from './plan.js';

/** One stored form of an object, and its index where there is one. */
export interface StoredFile {
  readonly format: HtsgetFormat;
  readonly data: ByteSource;
  readonly index?: ByteSource;
}

export interface HtsgetOptions {
  /**
   * Finds the files of an object. Undefined means that there is no such id, which clients are told as NotFound; an
   * error that it throws is told as InternalServerError. `id` is decoded and may contain `/`, but no empty, `.` or
   * `..` segment and no NUL.
   */
  resolve(
    id: string,
    datatype: Datatype,
    context: { readonly signal: AbortSignal },
  ): Promise<readonly StoredFile[] | undefined>;
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
  readonly limits?: Partial<HtsgetLimits>;
  /** Told of every failure that is answered with a 5xx status, and of those that break off a block. */
  onError?(error: unknown): void;
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
  /** Compressed bytes up to which precision `auto` filters record by record. */
  readonly exactBytes: number;
  /** Compressed bytes up to which neighbouring segments share one block URL. */
  readonly blockBytes: number;
  /** Seconds for which a block URL is valid. */
  readonly blockUrlSeconds: number;
  /** Uncompressed bytes of a file's header; longer ones are refused. */
  readonly headerBytes: number;
  /** References of a file's header; more are refused. */
  readonly references: number;
  /** Bytes of an index, as it is stored and uncompressed; longer ones are refused. */
  readonly indexBytes: number;
  /** Bytes of headers and indexes that are kept in memory. */
  readonly cacheBytes: number;
}

const MiB = 1024 * 1024;

export const DEFAULT_LIMITS: HtsgetLimits = {
  postBodyBytes: MiB,
  regions: 1000,
  blocks: 10_000,
  inlineBytes: 64 * 1024,
  exactBytes: 8 * MiB,
  blockBytes: 1_000_000_000,
  blockUrlSeconds: 3600,
  headerBytes: 128 * MiB,
  references: 2_000_000,
  indexBytes: 512 * MiB,
  cacheBytes: 256 * MiB,
};
