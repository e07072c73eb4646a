import { createHash, createHmac, createSecretKey } from 'node:crypto';
import type { Mac } from './mac.js';

/** Creates the keyed function on OpenSSL: 2 µs for the claim of a block, against 8 µs with noble. */
export function createMac(key: Uint8Array): Mac {
  const secret = createSecretKey(key);
  return (text) => createHmac('sha256', secret).update(text).digest('base64url');
}

/** Returns the SHA-256 of a text as base64url, 43 characters. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
