import { fromBase64Url, fromHex, toBase64Url, toHex } from '@htskit/io';
import { createSha512 } from '#hash';
import { DigestError } from './digest-error.js';

/** Bytes of the SHA-512 that both truncated forms keep (refget 2.0.0, "Checksum algorithm" 2). */
export const TRUNCATED_LENGTH = 24;

const SQ_DIGEST = /^SQ\.[A-Za-z0-9_-]{32}$/;
const TRUNC512_DIGEST = /^[0-9a-f]{48}$/i;

/**
 * Returns the sha512t24u digest of `bytes`, which are not normalised: 32 characters of Base64url, without the `SQ.` of
 * a sequence.
 *
 * @example
 * const digest = sha512t24u(new TextEncoder().encode('ACGT')); // aKF498dAxcJAqme6QYQ7EZ07-fiw8Kw2
 */
export function sha512t24u(bytes: Uint8Array): string {
  const hasher = createSha512();
  hasher.update(bytes);
  return truncateSha512(hasher.digest());
}

/** Computes the sha512t24u digest of bytes that arrive in pieces, in constant memory. */
export class Sha512t24uDigester {
  readonly #hasher = createSha512();
  #isFinished = false;

  /** Adds bytes, which are not normalised. Throws ALREADY_FINISHED after `digest`. */
  update(bytes: Uint8Array): this {
    this.#checkNotFinished();
    this.#hasher.update(bytes);
    return this;
  }

  /** Returns the digest of all added bytes, like `sha512t24u`. Throws ALREADY_FINISHED when called again. */
  digest(): string {
    this.#checkNotFinished();
    this.#isFinished = true;
    return truncateSha512(this.#hasher.digest());
  }

  #checkNotFinished(): void {
    if (this.#isFinished) throw new DigestError('ALREADY_FINISHED', 'the digester has already returned its digest');
  }
}

/** Returns the first 24 bytes of a SHA-512 as Base64url, which needs no padding. */
function truncateSha512(sha512: Uint8Array): string {
  return toBase64Url(sha512.subarray(0, TRUNCATED_LENGTH));
}

/** Returns whether `text` is `SQ.` followed by 32 characters of Base64url, both case-sensitive. */
export function isSqDigest(text: string): boolean {
  return SQ_DIGEST.test(text);
}

/** Returns whether `text` consists of 48 hexadecimal digits. */
export function isTrunc512(text: string): boolean {
  return TRUNC512_DIGEST.test(text);
}

/** Converts an `SQ.` digest to the TRUNC512 of the same bytes, in lower case. Throws INVALID_DIGEST. */
export function toTrunc512(sqDigest: string): string {
  if (!isSqDigest(sqDigest)) {
    throw new DigestError('INVALID_DIGEST', 'expected "SQ." and 32 characters of Base64url');
  }
  return toHex(fromBase64Url(sqDigest.slice('SQ.'.length)));
}

/** Converts a TRUNC512 in any letter case to the `SQ.` digest of the same bytes. Throws INVALID_DIGEST. */
export function fromTrunc512(trunc512: string): string {
  if (!isTrunc512(trunc512)) throw new DigestError('INVALID_DIGEST', 'expected 48 hexadecimal digits');
  return `SQ.${toBase64Url(fromHex(trunc512))}`;
}
