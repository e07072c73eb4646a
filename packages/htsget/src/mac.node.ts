import { createHmac, createSecretKey } from 'node:crypto';
import type { Mac } from './mac.js';

/** By OpenSSL: a seventh of the time, which was the tenth of that of a ticket. */
export function createMac(key: Uint8Array): Mac {
  const secret = createSecretKey(key);
  return (text) => createHmac('sha256', secret).update(text).digest('base64url');
}
