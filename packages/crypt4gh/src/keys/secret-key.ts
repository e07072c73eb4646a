import { blake2b } from '@noble/hashes/blake2.js';
import { primitives } from '#primitives';
import { Crypt4ghError } from '../crypt4gh-error.js';
import { KEY_BYTES, SecretBytes } from './secret-bytes.js';

/** A key pair. The public key is its 32 bytes. */
export interface KeyPair {
  readonly publicKey: Uint8Array;
  readonly secretKey: SecretKey;
}

/**
 * A secret key of X25519, whose bytes are never printed. Call `clear` when it is no longer needed.
 *
 * @example
 * const secretKey = await parseSecretKey(await readFile('alice.sec'), { passphrase: 'correct horse' });
 * const header = await openHeader(source, { keys: [secretKey] });
 * secretKey.clear();
 */
export class SecretKey extends SecretBytes {
  /** The public key of this key, as 32 bytes. */
  readonly publicKey: Uint8Array;

  constructor(bytes: Uint8Array) {
    super(bytes);
    this.publicKey = primitives.publicKeyOf(this.expose());
  }
}

/** Generates a key pair with the random numbers of the platform. */
export function generateKeyPair(): KeyPair {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  const secretKey = new SecretKey(bytes);
  bytes.fill(0);
  return { publicKey: secretKey.publicKey, secretKey };
}

/** Returns the public key of a secret key, as 32 bytes. */
export function publicKeyOf(secretKey: SecretKey): Uint8Array {
  return secretKey.publicKey;
}

/** The two sides of a header packet. One of them is known by its secret key. */
export interface Agreement {
  readonly secretKey: SecretKey;
  readonly reader: Uint8Array;
  readonly writer: Uint8Array;
}

/**
 * Returns the key that encrypts header packets between a reader and a writer (Crypt4GH §3.3.1): the first 32 bytes of the BLAKE2b
 * digest of the Diffie-Hellman key, the reader's public key and the writer's. Throws `Crypt4ghError` INVALID_KEY if the other
 * side's public key is a point of low order, with which the result would not be secret.
 */
export function deriveSharedKey({ secretKey, reader, writer }: Agreement): SecretBytes {
  const isReader = secretKey.publicKey.every((byte, at) => byte === reader[at]);
  const shared = primitives.agree(secretKey.expose(), isReader ? writer : reader);
  if (shared === undefined || shared.every((byte) => byte === 0)) {
    throw new Crypt4ghError('INVALID_KEY', 'the public key is a point of low order, which no secret key belongs to');
  }
  const digest = blake2b.create({ dkLen: 64 }).update(shared).update(reader).update(writer).digest();
  const key = new SecretBytes(digest.subarray(0, KEY_BYTES));
  shared.fill(0);
  digest.fill(0);
  return key;
}
