import { sha256 } from '@noble/hashes/sha2.js';
import type { BlockClaim } from './block-claim.js';

/** Changes with each release in which a claim gives other bytes than before: what compresses edges and rewritten records. */
const ENCODING = 1;

/** Versions as @htskit/storage takes them from HTTP. */
const WEAK_VERSION = /^W\/|GMT \d+$/;

/** Bytes of the hash that are told: as many as nobody finds two claims for. */
const TAG_BYTES = 18;

/**
 * The strong entity tag of what a claim gives at a compression level, whenever it expires; undefined without a version of the
 * file, and with one that other bytes may have, too: a weak entity tag, or a time in seconds.
 */
export function entityTagOf({ expires: _expires, ...claim }: BlockClaim, compressionLevel = 6): string | undefined {
  if (claim.version === undefined || WEAK_VERSION.test(claim.version)) return undefined;
  const text = JSON.stringify({ ...claim, compressionLevel, encoding: ENCODING });
  const hash = sha256(new TextEncoder().encode(text)).subarray(0, TAG_BYTES);
  return `"${btoa(String.fromCharCode(...hash))}"`;
}
