import { pbkdf2Async } from '@noble/hashes/pbkdf2.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { primitives } from '#primitives';
import { Crypt4ghError } from '../crypt4gh-error.js';
import { bcryptPbkdf } from './bcrypt-pbkdf.js';
import { KEY_BYTES, SecretBytes } from './secret-bytes.js';

/** How a key file derives the key that encrypts it. `rounds` does not matter to scrypt. */
export interface Derivation {
  readonly name: string;
  readonly salt: Uint8Array;
  readonly rounds: number;
}

/** Rounds that take some ten seconds. Programs write 100 and 100,000. */
const MAX_ROUNDS: ReadonlyMap<string, number> = new Map([
  ['bcrypt', 1_000],
  ['pbkdf2_hmac_sha256', 10_000_000],
]);

/**
 * Derives the key that encrypts a key file from its passphrase. Throws `Crypt4ghError` UNSUPPORTED for an unknown function, and
 * LIMIT_EXCEEDED for an absurd number of rounds.
 */
export async function deriveFromPassphrase(derivation: Derivation, passphrase: string): Promise<SecretBytes> {
  const bytes = new TextEncoder().encode(passphrase);
  try {
    const derived = await derive(derivation, bytes);
    const key = new SecretBytes(derived);
    derived.fill(0);
    return key;
  } finally {
    bytes.fill(0);
  }
}

/** Throws what `deriveFromPassphrase` throws, before a user has to type a passphrase. */
export function checkDerivation({ name, rounds }: Derivation): void {
  if (name === 'scrypt') return;
  const maxRounds = MAX_ROUNDS.get(name);
  if (maxRounds === undefined) {
    throw new Crypt4ghError('UNSUPPORTED', `the secret key uses an unknown key derivation function ("${name}")`);
  }
  if (rounds < 1 || rounds > maxRounds) {
    const message = `the secret key is derived in ${rounds} rounds, and 1 to ${maxRounds} are accepted`;
    throw new Crypt4ghError('LIMIT_EXCEEDED', message);
  }
}

async function derive({ name, salt, rounds }: Derivation, passphrase: Uint8Array): Promise<Uint8Array> {
  checkDerivation({ name, salt, rounds });
  if (name === 'scrypt') return primitives.scrypt(passphrase, salt);
  if (name === 'bcrypt') return bcryptPbkdf({ passphrase, salt, rounds });
  return pbkdf2Async(sha256, passphrase, salt, { c: rounds, dkLen: KEY_BYTES });
}
