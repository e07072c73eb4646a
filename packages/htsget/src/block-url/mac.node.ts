import { createHash, createHmac, createSecretKey } from 'node:crypto';
import type { Mac } from './mac.js';

/** Creates the keyed function on OpenSSL: 2 µs for the claim of a block, against 8 µs with noble. */
export function createMac(key: Uint8Array): Mac {
  const secret = createSecretKey(key);
  return (text) => createHmac('sha256', secret).update(text).digest('base64url');
}

/** Creates the function of bytes whose result is the HMAC-SHA-256, 32 bytes. */
export function createByteMac(key: Uint8Array): (bytes: Uint8Array) => Uint8Array {
  const secret = createSecretKey(key);
  return (bytes) => createHmac('sha256', secret).update(bytes).digest();
}

/** Returns the SHA-256 of a text as base64url, 43 characters. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
