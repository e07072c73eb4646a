import { createSha512 } from '#hash';
import { DigestError } from './errors.js';

/** Bytes of the SHA-512 that both truncated forms keep (refget 2.0.0, "Checksum algorithm" 2). */
export const TRUNCATED_LENGTH = 24;

/** The digits of each byte. */
const HEXADECIMAL = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

const SQ_DIGEST = /^SQ\.[A-Za-z0-9_-]{32}$/;
const TRUNC512_DIGEST = /^[0-9a-f]{48}$/i;

/** The sha512t24u digest of `bytes` as they are: 32 characters of URL-safe base64, without the `SQ.` of a sequence. */
export function sha512t24u(bytes: Uint8Array): string {
  const hasher = createSha512();
  hasher.update(bytes);
  return truncateSha512(hasher.digest());
}

/** The sha512t24u digest of bytes that come in pieces, in constant memory. */
export class Sha512t24uDigester {
  readonly #hasher = createSha512();
  #isFinished = false;

  /** Adds bytes as they are. Throws ALREADY_FINISHED after `digest`. */
  update(bytes: Uint8Array): this {
    this.#refuseFinished();
    this.#hasher.update(bytes);
    return this;
  }

  /** The digest of everything added, as `sha512t24u` writes it. Throws ALREADY_FINISHED when called again. */
  digest(): string {
    this.#refuseFinished();
    this.#isFinished = true;
    return truncateSha512(this.#hasher.digest());
  }

  #refuseFinished(): void {
    if (this.#isFinished) throw new DigestError('ALREADY_FINISHED', 'the digest was already taken');
  }
}

/** The first 24 bytes of a SHA-512 as URL-safe base64, which needs no padding. */
export function truncateSha512(sha512: Uint8Array): string {
  return toBase64Url(sha512.subarray(0, TRUNCATED_LENGTH));
}

/** Whether `text` is `SQ.` and 32 characters of URL-safe base64, both case-sensitive. */
export function isSqDigest(text: string): boolean {
  return SQ_DIGEST.test(text);
}

/** Whether `text` is 48 hexadecimal digits. */
export function isTrunc512(text: string): boolean {
  return TRUNC512_DIGEST.test(text);
}

/** The TRUNC512 (48 lower-case hexadecimal digits) that holds the same bytes as an `SQ.` digest. Throws INVALID_DIGEST. */
export function toTrunc512(sqDigest: string): string {
  if (!isSqDigest(sqDigest)) {
    throw new DigestError('INVALID_DIGEST', 'expected "SQ." and 32 characters of URL-safe base64');
  }
  const base64 = sqDigest.slice(3).replaceAll('-', '+').replaceAll('_', '/');
  return toHex(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
}

/** The `SQ.` digest that holds the same bytes as a TRUNC512 of any letter case. Throws INVALID_DIGEST. */
export function fromTrunc512(trunc512: string): string {
  if (!isTrunc512(trunc512)) throw new DigestError('INVALID_DIGEST', 'expected 48 hexadecimal digits');
  const bytes = Uint8Array.from({ length: TRUNCATED_LENGTH }, (_, index) =>
    Number.parseInt(trunc512.slice(2 * index, 2 * index + 2), 16),
  );
  return `SQ.${toBase64Url(bytes)}`;
}

/** Lower-case hexadecimal digits of `bytes`. */
export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += HEXADECIMAL[byte] ?? '';
  return text;
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}
