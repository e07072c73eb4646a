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
  const keyed = hmac.create(digestBytes, key);
  return (text) => toBase64Url(keyed.clone().update(encoder.encode(text)).digest());
}

/** Returns the SHA-256 of a text as base64url, 43 characters. */
export function sha256(text: string): string {
  return toBase64Url(digestBytes(encoder.encode(text)));
}
