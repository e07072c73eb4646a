import { md5 } from '@noble/hashes/legacy.js';
import { sha512 } from '@noble/hashes/sha2.js';
import type { Hasher } from './hasher.js';

/** MD5 in plain JavaScript, for browsers and workers (WebCrypto has none). */
export function createMd5(): Hasher {
  return md5.create();
}

/** SHA-512 in plain JavaScript: WebCrypto has it, but only for data that is held whole. */
export function createSha512(): Hasher {
  return sha512.create();
}
