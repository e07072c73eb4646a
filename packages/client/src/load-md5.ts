import type { Hasher } from '@htskit/digest';

/** Loads the hash functions, which few downloads need: bundlers put them into a chunk of their own. */
export async function loadMd5(): Promise<() => Hasher> {
  return (await import('@htskit/digest')).createMd5;
}
