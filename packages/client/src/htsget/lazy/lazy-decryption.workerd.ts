import { Crypt4ghError, decryptStream } from '@htskit/crypt4gh';
import type { Decryption } from './lazy-decryption.js';

// A Worker is one module, so that nothing can be loaded later.

export function loadDecryption(): Promise<Decryption> {
  return Promise.resolve({ Crypt4ghError, decryptStream });
}
