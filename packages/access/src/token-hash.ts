import { toBase64 } from '@htskit/io';

/** Returns a hash of a token as a key of caches, so that the token stays in memory no longer than its request. */
export async function hashOf(token: string): Promise<string> {
  return toBase64(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))));
}
