import { toAsciiJson } from '@htskit/http/internal';
import { fromBase64Url } from '@htskit/io';
import { type Datatype, HtsgetError, type HtsgetFormat } from '@htskit/protocol';
import { createMac, sha256 } from '#mac';
import type { ConvertingProgram } from '../file/program-lines.js';
import type { RecordSelection } from '../file/record-format.js';
import type { StoredFormat } from '../file/stored-file.js';
import type { ObjectName } from '../hooks.js';
import type { ClaimedSegment } from '../plan/plan.js';
import type { Mac } from './mac.js';
import { fromPacked, type PackedSegment, toPacked } from './packed-segment.js';

/** The permission that a block URL contains: these segments of this version of this file, until it expires. */
export interface BlockClaim {
  readonly datatype: Datatype;
  readonly id: string;
  /** The format of the answer. */
  readonly format: HtsgetFormat;
  /** The version that the ticket was made from. A file of another version is not served. */
  readonly version?: string;
  /** The `sourceTag` of the file. A file with another one is not served. */
  readonly source?: string;
  /** Seconds since 1970-01-01 UTC. */
  readonly expires: number;
  readonly segments: readonly ClaimedSegment[];
  /** The subject that received the ticket. It is readable in the URL, as everything in a claim. */
  readonly subject?: string;
  /** The ids of the visas that the permission of the ticket rested on. */
  readonly visas?: readonly string[];
  /** Set if `authorize` limited the ticket to some regions. */
  readonly isRestricted?: true;
  /** Set if everybody may see the object, so that caches that many clients share may keep the block. */
  readonly isPublic?: true;
  /** The stored format that the records are converted from. Default: they have the format of the answer. */
  readonly from?: StoredFormat;
  /** The fields and tags that the records keep. Default: all of them. */
  readonly selection?: RecordSelection;
  /** How the bytes are encrypted. Default: they are not. */
  readonly encryption?: BlockEncryption;
}

/** How a block becomes a part of a Crypt4GH file, which has whole segments except for its last one. */
export interface BlockEncryption {
  /** Base64url of the public key that the answer is encrypted for. */
  readonly recipient: string;
  /**
   * Set if the segments of the stored Crypt4GH file are passed through that hold the block's range of plaintext, which begins and
   * ends with such segments.
   */
  readonly isStored?: true;
  /** The kind of bytes that fill the last segment. Default: nothing, because it is the last one of the answer. */
  readonly padding?: Padding;
  /** The number of bytes before padding, if the edit list of the answer depends on it. */
  readonly plainBytes?: number;
}

/** BGZF is filled up with empty blocks, anything else with zeros that the edit list of the answer leaves out. */
export type Padding = 'blocks' | 'zeros';

/** The maximum number of bytes of a selection as JSON: with more, a block URL could become too long. */
const MAX_SELECTION_BYTES = 1000;

/** Signs claims with HMAC-SHA-256 and verifies them. Every replica with the same key can answer every block URL. */
export class BlockClaimSigner {
  readonly #signing: Mac;
  readonly #accepted: readonly Mac[];

  /**
   * The first key signs, and all of them are accepted, so that keys can be rotated. Throws RangeError for a key of fewer than
   * 16 bytes.
   */
  constructor(keys: readonly [Uint8Array, ...Uint8Array[]]) {
    if (keys.some((key) => key.length < 16)) throw new RangeError('a signing key must have at least 16 bytes');
    this.#signing = createMac(keys[0]);
    this.#accepted = keys.map(createMac);
  }

  /**
   * Returns a function of 32 secret bytes for each text. They depend on the key that signs, or that signed a token, so that every
   * replica with that key derives the same. Throws `HtsgetError` PermissionDenied for a token that none of the keys signed.
   */
  deriver(token?: string): Derive {
    const mac = token === undefined ? this.#signing : this.#macOf(token);
    // No payload of a token contains a line break.
    return (text) => fromBase64Url(mac(`secret\n${text}`));
  }

  /** Returns the signed claim as one segment of a URL path. */
  sign(claim: BlockClaim): string {
    const payload = formatPayload(toPackedClaim(claim));
    return `${payload}.${this.#signing(payload)}`;
  }

  /**
   * Returns the claim of a token. Throws `HtsgetError` PermissionDenied unless one of the keys signed it and it has not expired.
   * `now` is in milliseconds since 1970-01-01 UTC.
   */
  verify(token: string, now: number): BlockClaim {
    this.#macOf(token);
    // The signature proves that the payload has the shape that `sign` gave it.
    const packed = parsePayload(splitToken(token).payload) as PackedClaim;
    const claim = { ...packed, segments: packed.segments.map(fromPacked) };
    // A claim without an expiry, which an embedder could sign by mistake, must not be valid for ever.
    if (!(claim.expires * 1000 > now)) {
      throw new HtsgetError('PermissionDenied', 'this block URL has expired; request a new ticket');
    }
    return claim;
  }

  #macOf(token: string): Mac {
    const { payload, signature } = splitToken(token);
    const found = this.#accepted.find((mac) => equalsInConstantTime(mac(payload), signature));
    if (found !== undefined) return found;
    throw new HtsgetError('PermissionDenied', 'this block URL was not issued by this service');
  }
}

/** Returns 32 secret bytes for a text. */
export type Derive = (text: string) => Uint8Array;

function splitToken(token: string): { readonly payload: string; readonly signature: string } {
  const dot = token.lastIndexOf('.');
  return { payload: token.slice(0, Math.max(0, dot)), signature: token.slice(dot + 1) };
}

/** Base64url without padding (RFC 4648 §5). `btoa` of ASCII takes 0.7 µs, against 5 µs by way of bytes. */
function formatPayload(claim: PackedClaim): string {
  return btoa(toAsciiJson(claim)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function parsePayload(payload: string): unknown {
  return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
}

/** The number of characters of the hash of an identity in a block URL: enough to distinguish files. */
const SOURCE_TAG_LENGTH = 12;

/** Returns a short hash of a file's identity, which may be a path or URL that clients must not learn. */
export function sourceTag(identity: string | undefined): string | undefined {
  return identity && sha256(identity).slice(0, SOURCE_TAG_LENGTH);
}

/**
 * Returns the object that the token of a block URL names, for logs: nothing is verified. Returns undefined for text that is not
 * a token.
 */
export function peekBlockToken(token: string): ObjectName | undefined {
  const claim = peekPayload(token);
  return claim && { datatype: claim.datatype, id: claim.id };
}

function peekPayload(token: string): PackedClaim | undefined {
  try {
    const claim = parsePayload(token.slice(0, token.lastIndexOf('.'))) as PackedClaim;
    const isNamed = (claim.datatype === 'reads' || claim.datatype === 'variants') && typeof claim.id === 'string';
    return isNamed ? claim : undefined;
  } catch {
    return undefined;
  }
}

/** Throws `HtsgetError` PayloadTooLarge for a selection that makes block URLs too long. */
export function checkSelection(selection: RecordSelection): RecordSelection {
  if (toAsciiJson(selection).length <= MAX_SELECTION_BYTES) return selection;
  throw new HtsgetError('PayloadTooLarge', `fields, tags and notags exceed the limit of ${MAX_SELECTION_BYTES} bytes`);
}

/**
 * Returns the claim of a block URL's token, for people who look at a ticket: nothing is verified. Returns undefined for text that
 * is not a token.
 */
export function peekBlockClaim(token: string): BlockClaim | undefined {
  const packed = peekPayload(token);
  try {
    return packed && { ...packed, segments: packed.segments.map(fromPacked) };
  } catch {
    return undefined;
  }
}

/** Increases with each release in which a claim yields other bytes: edges and rewritten records are compressed anew. */
const ENCODING = 1;

/** Versions of HTTP sources that other bytes may share: a weak entity tag, or a time in seconds. */
const WEAK_VERSION = /^W\/|GMT \d+$/;

/** Base64 characters of an entity tag: 18 bytes of the hash. */
const ENTITY_TAG_LENGTH = 24;

/** The facts that the bytes of a block depend on, apart from its claim. */
export interface BlockEncoding {
  readonly compressionLevel?: number;
  /** The program that the header of BAM made from CRAM names. */
  readonly program?: ConvertingProgram;
}

/**
 * Returns the strong entity tag of the bytes that a claim yields. It does not depend on the expiry, and on who received the
 * ticket by what permission.
 * Returns undefined if the file has no version, or one that other bytes may share.
 */
export function entityTagOf(
  { expires: _1, subject: _2, visas: _3, isRestricted: _4, isPublic: _5, ...claim }: BlockClaim,
  { compressionLevel = 6, program }: BlockEncoding = {},
): string | undefined {
  if (claim.version === undefined || WEAK_VERSION.test(claim.version)) return undefined;
  const named = claim.from === 'CRAM' ? program : undefined;
  const hash = sha256(JSON.stringify({ ...claim, compressionLevel, encoding: ENCODING, program: named }));
  return `"${hash.slice(0, ENTITY_TAG_LENGTH)}"`;
}

type PackedClaim = Omit<BlockClaim, 'segments'> & { readonly segments: readonly PackedSegment[] };

/** Names the properties one by one: to spread them takes several times as long. */
function toPackedClaim(claim: BlockClaim): { readonly [Key in keyof Required<PackedClaim>]: PackedClaim[Key] } {
  const { datatype, id, format, subject, visas, isRestricted, isPublic, from, version, source, expires } = claim;
  const { selection, encryption } = claim;
  const segments = claim.segments.map(toPacked);
  return {
    datatype,
    id,
    format,
    subject,
    visas,
    isRestricted,
    isPublic,
    from,
    version,
    source,
    expires,
    selection,
    encryption,
    segments,
  };
}

/** Takes equally long for any two texts of one length, wherever they differ. */
function equalsInConstantTime(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}
