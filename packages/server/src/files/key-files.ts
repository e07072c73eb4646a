import { readFile } from 'node:fs/promises';
import type { Decrypt } from '@htskit/catalogue';
import { decryptingSource, type Passphrase, parsePublicKey, parseSecretKey, type SecretKey } from '@htskit/crypt4gh';
import { ofFile } from '../errors.js';
import { askPassphrase } from '../terminal/ask-passphrase.js';
import { UsageError } from '../usage-error.js';

/** The sources of passphrases and of the default secret key. */
export interface KeyFileOptions {
  /** The path of a file whose first line is the passphrase. */
  readonly passphraseFile?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Reads the secret keys of `--identity`, or the one that C4GH_SECRET_KEY names. Throws UsageError if there is none, and Error with
 * the path for a file that is not a secret key or whose passphrase is wrong.
 */
export async function readIdentities(
  paths: readonly string[],
  options: KeyFileOptions,
): Promise<readonly [SecretKey, ...SecretKey[]]> {
  const { C4GH_SECRET_KEY: defaultPath = '' } = options.environment;
  const [first, ...others] = paths.length === 0 && defaultPath !== '' ? [defaultPath] : paths;
  if (first === undefined) throw new UsageError('no secret key; use --identity or C4GH_SECRET_KEY');
  const keys: [SecretKey, ...SecretKey[]] = [await readIdentity(first, options)];
  for (const path of others) keys.push(await readIdentity(path, options));
  return keys;
}

async function readIdentity(path: string, options: KeyFileOptions): Promise<SecretKey> {
  return readSecretKey(path, async () => (await givenPassphrase(options)) ?? askPassphrase(`passphrase of ${path}: `));
}

/** Reads a secret key. Throws Error with the path for a file that is not a secret key, and for one whose passphrase is missing or wrong. */
export async function readSecretKey(path: string, passphrase: Passphrase | undefined): Promise<SecretKey> {
  try {
    return await parseSecretKey(await readFile(path), { passphrase });
  } catch (error) {
    throw ofFile(path, error);
  }
}

/** Returns the function that decrypts files with some keys, which are tried in turn. */
export function decryptWith(keys: readonly SecretKey[]): Decrypt {
  return (stored) => decryptingSource(stored, { keys });
}

/** Reads public keys. Throws Error with the path for a file that is not a public key. */
export async function readRecipients(paths: readonly string[]): Promise<readonly Uint8Array[]> {
  return Promise.all(
    paths.map(async (path) => {
      try {
        return parsePublicKey(await readFile(path));
      } catch (error) {
        throw ofFile(path, error);
      }
    }),
  );
}

/** Returns the passphrase of the options, or undefined if the user has to enter it. Throws Error for an empty file. */
export async function givenPassphrase({ passphraseFile, environment }: KeyFileOptions): Promise<string | undefined> {
  const { C4GH_PASSPHRASE: given = '' } = environment;
  if (passphraseFile === undefined) return given === '' ? undefined : given;
  const [line = ''] = (await readFile(passphraseFile, 'utf8')).split(/\r?\n/);
  if (line === '') throw new Error(`${passphraseFile}: the first line is empty; expected a passphrase`);
  return line;
}
