import { isDigested, prepareDigests } from '@htskit/catalogue/internal';
import { isEncryptedPath } from '@htskit/io/internal';
import type { PreparedFile, PrepareOptions } from './prepared-file.js';

/**
 * Makes the digests of a FASTA or 2bit file in a folder, unless they exist. Returns whether they were made, and undefined for other
 * files: the sequences of a bucket are served from a store, and those of an encrypted file have no plain digests.
 */
export async function prepareFileDigests(
  { key, location, warn }: PreparedFile,
  { cache, characters, signal }: PrepareOptions,
): Promise<boolean | undefined> {
  const path = location.pathOf(key);
  if (path === undefined || !isDigested(key) || isEncryptedPath(key)) return undefined;
  return prepareDigests(path, { cache, characters, signal, warn });
}
