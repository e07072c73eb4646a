import type { Crypt4ghError, decryptStream } from '@htskit/crypt4gh';

/** The part of `@htskit/crypt4gh` that decrypts a download. */
export interface Decryption {
  readonly Crypt4ghError: typeof Crypt4ghError;
  readonly decryptStream: typeof decryptStream;
}

/** Loads what decrypts a download, which is larger than the rest of the client. */
export function loadDecryption(): Promise<Decryption> {
  return import('@htskit/crypt4gh');
}
