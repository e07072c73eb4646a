import { concatBytes, toBase64 } from '@htskit/io';
import { primitives } from '#primitives';
import { Crypt4ghError } from '../crypt4gh-error.js';
import { checkDerivation, type Derivation, deriveFromPassphrase } from './key-derivation.js';
import { decodeKeyText, formatPem } from './key-text.js';
import { SecretKey } from './secret-key.js';

const LABEL = 'CRYPT4GH PRIVATE KEY';
const MAGIC = 'c4gh-v1';
const CIPHER = 'chacha20_poly1305';
const SALT_BYTES = 16;
const NONCE_BYTES = 12;

/** A passphrase, or a function that asks for it, which is called if the key is encrypted. */
export type Passphrase = string | (() => string | Promise<string>);

export interface ParseSecretKeyOptions {
  readonly passphrase?: Passphrase | undefined;
}

export interface FormatSecretKeyOptions {
  /** Encrypts the key, with scrypt. Default: the file holds the key as it is. */
  readonly passphrase?: string | undefined;
  /** Text that is stored, unencrypted, with the key. */
  readonly comment?: string | undefined;
}

/**
 * Reads a secret key: its 32 raw bytes, their Base64, a PEM file (`c4gh-v1`, plain or encrypted with scrypt, bcrypt or PBKDF2), or the
 * Base64 of one. Throws `Crypt4ghError` INVALID_KEY, WRONG_PASSPHRASE if the passphrase is missing or wrong, UNSUPPORTED, and
 * LIMIT_EXCEEDED.
 *
 * @example
 * const secretKey = await parseSecretKey(await readFile('alice.sec'), { passphrase: 'correct horse' });
 */
export async function parseSecretKey(
  input: string | Uint8Array,
  { passphrase }: ParseSecretKeyOptions = {},
): Promise<SecretKey> {
  const { bytes, label } = decodeKeyText(input);
  if (label !== undefined && !/^CRYPT4GH (?:ENCRYPTED )?PRIVATE KEY$/.test(label)) {
    throw new Crypt4ghError('INVALID_KEY', `expected a PEM file of a "${LABEL}", found a "${label}"`);
  }
  try {
    if (label === undefined) return new SecretKey(bytes);
    const key = await decrypt(readFields(bytes), passphrase);
    const secretKey = new SecretKey(key);
    key.fill(0);
    return secretKey;
  } finally {
    if (bytes !== input) bytes.fill(0);
  }
}

/** Returns the PEM file of a secret key. Keep it where only its owner can read it. */
export async function formatSecretKey(
  secretKey: SecretKey,
  { passphrase, comment }: FormatSecretKeyOptions = {},
): Promise<string> {
  const fields = passphrase === undefined ? ['none', 'none', secretKey.expose()] : await encrypt(secretKey, passphrase);
  const bytes = concatBytes([
    new TextEncoder().encode(MAGIC),
    ...[...fields, ...(comment === undefined ? [] : [comment])].map(encodeField),
  ]);
  const text = formatPem(LABEL, toBase64(bytes));
  bytes.fill(0);
  return text;
}

interface KeyFields {
  /** Undefined: the key is not encrypted. */
  readonly derivation: Derivation | undefined;
  /** The key, or its nonce and ciphertext. */
  readonly material: Uint8Array;
}

/** Parses the fields of a `c4gh-v1` file, each a 16-bit length, big-endian, and its bytes. */
function readFields(bytes: Uint8Array): KeyFields {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = MAGIC.length;
  const next = (): Uint8Array => {
    const end = at + 2 <= bytes.length ? at + 2 + view.getUint16(at) : Number.POSITIVE_INFINITY;
    if (end > bytes.length) throw new Crypt4ghError('INVALID_KEY', 'the secret key is cut');
    const field = bytes.subarray(at + 2, end);
    at = end;
    return field;
  };
  const text = (): string => new TextDecoder().decode(next());
  if (new TextDecoder().decode(bytes.subarray(0, at)) !== MAGIC) {
    throw new Crypt4ghError('INVALID_KEY', `the secret key does not begin with "${MAGIC}"`);
  }
  const name = text();
  const derivation = name === 'none' ? undefined : { name, ...readDerivation(next()) };
  const cipher = text();
  if (cipher !== (derivation === undefined ? 'none' : CIPHER)) {
    throw new Crypt4ghError('UNSUPPORTED', `the secret key is encrypted with an unknown cipher ("${cipher}")`);
  }
  return { derivation, material: next() };
}

function readDerivation(options: Uint8Array): Omit<Derivation, 'name'> {
  if (options.length < 4) throw new Crypt4ghError('INVALID_KEY', 'the secret key has no salt');
  const rounds = new DataView(options.buffer, options.byteOffset, options.byteLength).getUint32(0);
  return { rounds, salt: options.subarray(4) };
}

async function decrypt({ derivation, material }: KeyFields, passphrase: Passphrase | undefined): Promise<Uint8Array> {
  if (derivation === undefined) return material;
  checkDerivation(derivation);
  const given = typeof passphrase === 'function' ? await passphrase() : passphrase;
  if (given === undefined)
    throw new Crypt4ghError('WRONG_PASSPHRASE', 'the secret key is encrypted: give its passphrase');
  const key = await deriveFromPassphrase(derivation, given);
  const input = { key: key.expose(), nonce: material.subarray(0, NONCE_BYTES), data: material.subarray(NONCE_BYTES) };
  const opened = input.nonce.length < NONCE_BYTES ? undefined : primitives.open(input);
  key.clear();
  if (opened === undefined) throw new Crypt4ghError('WRONG_PASSPHRASE', 'the passphrase of the secret key is wrong');
  return opened;
}

async function encrypt(secretKey: SecretKey, passphrase: string): Promise<readonly (string | Uint8Array)[]> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const key = await deriveFromPassphrase({ name: 'scrypt', salt, rounds: 0 }, passphrase);
  const sealed = primitives.seal({ key: key.expose(), nonce, data: secretKey.expose() });
  key.clear();
  // scrypt has no rounds, which the format writes as 0.
  return ['scrypt', concatBytes([new Uint8Array(4), salt]), CIPHER, concatBytes([nonce, sealed])];
}

function encodeField(field: string | Uint8Array): Uint8Array {
  const bytes = typeof field === 'string' ? new TextEncoder().encode(field) : field;
  if (bytes.length > 0xffff) throw new Crypt4ghError('INVALID_ARGUMENT', 'the comment has more than 65,535 bytes');
  return concatBytes([Uint8Array.of(bytes.length >> 8, bytes.length & 255), bytes]);
}
