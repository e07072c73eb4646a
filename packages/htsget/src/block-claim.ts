import { toAsciiJson } from '@htskit/http';
import { type Datatype, HtsgetError, type HtsgetFormat } from '@htskit/protocol';
import { createMac, sha256 } from '#mac';
import { fromBase64Url, toBase64Url } from './base64url.js';
import type { Mac } from './mac.js';
import { type PackedIntervals, packIntervals, unpackIntervals } from './packed-intervals.js';
import type { CutSegment, RecordSelection, StoredSegment } from './plan.js';

/** What a block URL permits: these segments of this version of this file, until it expires. */
export interface BlockClaim {
  readonly datatype: Datatype;
  readonly id: string;
  /** The format of the answer. */
  readonly format: HtsgetFormat;
  /** The version that the ticket was made from; a file of another version is not served. */
  readonly version?: string | undefined;
  /** `sourceTag` of the file; one with another is not served. */
  readonly source?: string | undefined;
  /** Seconds since 1970-01-01 UTC. */
  readonly expires: number;
  readonly segments: readonly StoredSegment[];
  /** What the records keep, where that is not everything. */
  readonly selection?: RecordSelection | undefined;
}

/** Characters of the hash of an identity: enough to tell files apart, and few enough for URLs. */
const SOURCE_TAG_LENGTH = 12;

/** Bytes of a selection as JSON: with more, a block URL could become too long. */
const MAX_SELECTION_BYTES = 1000;

/** Signs claims with HMAC-SHA-256 and reads them back. Any replica with the same key can answer any block URL. */
export class BlockClaimSigner {
  readonly #signing: Mac;
  readonly #accepted: readonly Mac[];

  /** The first key signs; all of them are accepted, so that keys can be rotated. A key has at least 16 bytes. */
  constructor(keys: readonly [Uint8Array, ...Uint8Array[]]) {
    if (keys.some((key) => key.length < 16)) throw new RangeError('a signing key needs at least 16 bytes');
    this.#signing = createMac(keys[0]);
    this.#accepted = keys.map(createMac);
  }

  /** The claim as one segment of a URL path. */
  sign(claim: BlockClaim): string {
    const payload = toBase64Url(toAsciiJson({ ...claim, segments: claim.segments.map(toPacked) }));
    return `${payload}.${this.#signing(payload)}`;
  }

  /** The claim of a token. Throws `HtsgetError` PermissionDenied unless it was signed here and has not expired. */
  verify(token: string, now: number = Date.now()): BlockClaim {
    const dot = token.lastIndexOf('.');
    const payload = token.slice(0, Math.max(0, dot));
    const signature = token.slice(dot + 1);
    if (!this.#accepted.some((mac) => equalsInConstantTime(mac(payload), signature))) {
      throw new HtsgetError('PermissionDenied', 'this block URL was not issued by this service');
    }
    // Signed here, so it has the shape that was signed.
    const packed = JSON.parse(fromBase64Url(payload)) as PackedClaim;
    const claim = { ...packed, segments: packed.segments.map(fromPacked) };
    if (claim.expires * 1000 <= now) {
      throw new HtsgetError('PermissionDenied', 'this block URL has expired; request a new ticket');
    }
    return claim;
  }
}

/** A short hash of a file's identity, which may be a path or a URL that clients must not learn; undefined without one. */
export function sourceTag(identity: string | undefined): string | undefined {
  return identity && sha256(identity).slice(0, SOURCE_TAG_LENGTH);
}

/**
 * What a block's token names, for logs: without its key, nobody knows whether it is genuine. Undefined for what is no token.
 */
export function peekBlockToken(token: string): { readonly datatype: Datatype; readonly id: string } | undefined {
  try {
    const { datatype, id } = JSON.parse(fromBase64Url(token.slice(0, token.lastIndexOf('.')))) as Record<
      string,
      unknown
    >;
    return (datatype === 'reads' || datatype === 'variants') && typeof id === 'string' ? { datatype, id } : undefined;
  } catch {
    return undefined;
  }
}

/** Throws `HtsgetError` PayloadTooLarge for a selection that makes block URLs too long. */
export function checkSelection(selection: RecordSelection): RecordSelection {
  if (toAsciiJson(selection).length <= MAX_SELECTION_BYTES) return selection;
  throw new HtsgetError('PayloadTooLarge', `fields, tags and notags have more than ${MAX_SELECTION_BYTES} bytes`);
}

type PackedSegment =
  | Exclude<StoredSegment, CutSegment>
  | (Omit<CutSegment, 'intervals'> & { readonly intervals?: PackedIntervals });

type PackedClaim = Omit<BlockClaim, 'segments'> & { readonly segments: readonly PackedSegment[] };

function toPacked(segment: StoredSegment): PackedSegment {
  if (segment.kind === 'range' || segment.intervals === undefined) return segment as PackedSegment;
  return { ...segment, intervals: packIntervals(segment.intervals) };
}

function fromPacked(segment: PackedSegment): StoredSegment {
  if (segment.kind === 'range' || segment.intervals === undefined) return segment as StoredSegment;
  return { ...segment, intervals: unpackIntervals(segment.intervals) };
}

/** Takes as long for any two texts of a length, wherever they differ. */
function equalsInConstantTime(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}
