import { lstat, rm, writeFile } from 'node:fs/promises';
import { formatPublicKey, formatSecretKey, generateKeyPair } from '@htskit/crypt4gh';
import { givenPassphrase } from '../../files/key-files.js';
import { cannotWrite, checkFolder } from '../../files/write-output.js';
import { askPassphrase } from '../../terminal/ask-passphrase.js';
import { UsageError } from '../../usage-error.js';

export interface KeygenFlags {
  readonly comment?: string;
  readonly passphraseFile?: string;
  /** False: the secret key is not encrypted. */
  readonly passphrase: boolean;
  readonly force: boolean;
}

/** The owner may read and write, and other users nothing. */
const OWNER_ONLY = 0o600;

/**
 * Writes a key pair and returns the paths of its files. Throws UsageError for options that contradict each other, and Error if a file
 * exists and `force` is not set, or cannot be written.
 */
export async function writeKeys(name: string, flags: KeygenFlags): Promise<readonly [string, string]> {
  const { comment, force } = flags;
  const [secretPath, publicPath] = [`${name}.sec`, `${name}.pub`] as const;
  await checkFolder(secretPath);
  if (!force) for (const path of [secretPath, publicPath]) await checkAbsent(path);
  const passphrase = await choosePassphrase(flags);
  const { secretKey, publicKey } = generateKeyPair();
  try {
    const mode = OWNER_ONLY;
    await writeKey(secretPath, await formatSecretKey(secretKey, { passphrase, comment }), { mode, force });
    await writeKey(publicPath, formatPublicKey(publicKey), { force });
  } finally {
    secretKey.clear();
  }
  return [secretPath, publicPath];
}

async function choosePassphrase(flags: KeygenFlags): Promise<string | undefined> {
  if (!flags.passphrase) {
    if (flags.passphraseFile !== undefined) {
      throw new UsageError('--no-passphrase cannot be combined with --passphrase-file');
    }
    return undefined;
  }
  const given = await givenPassphrase({ passphraseFile: flags.passphraseFile, environment: process.env });
  if (given !== undefined) return given;
  const passphrase = await askPassphrase('new passphrase: ');
  if ((await askPassphrase('the same again: ')) === passphrase) return passphrase;
  throw new Error('the two passphrases differ');
}

async function checkAbsent(path: string): Promise<void> {
  const exists = await lstat(path).then(
    () => true,
    () => false,
  );
  if (exists) throw new Error(`${path} exists; use --force to overwrite it`);
}

/** Creates the file anew, so that no other permissions apply than those that are given here. */
async function writeKey(
  path: string,
  text: string,
  { mode, force }: { readonly mode?: number; readonly force: boolean },
): Promise<void> {
  try {
    if (force) await rm(path, { force: true });
    await writeFile(path, text, { flag: 'wx', ...(mode !== undefined && { mode }) });
  } catch (error) {
    throw cannotWrite(path, error);
  }
}
