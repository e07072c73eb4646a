import { toBase64Url } from '@htskit/io';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 as digestBytes } from '@noble/hashes/sha2.js';

/** Returns the HMAC-SHA-256 of an ASCII text as base64url, 43 characters. */
export type Mac = (text: string) => string;

const encoder = new TextEncoder();

/**
 * Creates the keyed function. Uses noble rather than WebCrypto because it is synchronous: signing a ticket does not cost a
 * turn of the event loop per block.
 */
export function createMac(key: Uint8Array): Mac {
  const digest = createByteMac(key);
  return (text) => toBase64Url(digest(encoder.encode(text)));
}

/** Creates the function of bytes whose result is the HMAC-SHA-256, 32 bytes. */
export function createByteMac(key: Uint8Array): (bytes: Uint8Array) => Uint8Array {
  const keyed = hmac.create(digestBytes, key);
  return (bytes) => keyed.clone().update(bytes).digest();
}

/** Returns the SHA-256 of a text as base64url, 43 characters. */
export function sha256(text: string): string {
  return toBase64Url(digestBytes(encoder.encode(text)));
}
