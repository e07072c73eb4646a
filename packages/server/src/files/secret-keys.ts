import { readFile } from 'node:fs/promises';
import type { Decrypt } from '@htskit/catalogue';
import { decryptingSource, type Passphrase, parseSecretKey, type SecretKey } from '@htskit/crypt4gh';
import { describeFailure } from '../errors.js';

/** Reads a file with a secret key of Crypt4GH. Throws Error with the path if it cannot be read. */
export async function readKeyFile(
  path: string,
  options: { readonly passphrase?: Passphrase | undefined },
): Promise<SecretKey> {
  try {
    return await parseSecretKey(await readFile(path), options);
  } catch (error) {
    throw new Error(`cannot read the secret key in ${path}: ${describeFailure(error)}`, { cause: error });
  }
}

/** Returns the function that decrypts files with some keys, which are tried in turn. */
export function decryptWith(keys: readonly SecretKey[]): Decrypt {
  return (stored) => decryptingSource(stored, { keys });
}
