import { toBase64 } from '@htskit/io';
import { Crypt4ghError } from '../crypt4gh-error.js';
import { decodeKeyText, formatPem } from './key-text.js';
import { KEY_BYTES } from './secret-bytes.js';

const LABEL = 'CRYPT4GH PUBLIC KEY';

/**
 * Returns the 32 bytes of a public key from those bytes, their Base64, a PEM file, or the Base64 of a PEM file. Throws
 * `Crypt4ghError` INVALID_KEY for anything else, such as a secret key, and UNSUPPORTED for keys of OpenSSH.
 *
 * @example
 * const bob = parsePublicKey(await readFile('bob.pub'));
 */
export function parsePublicKey(input: string | Uint8Array): Uint8Array {
  const { bytes, label } = decodeKeyText(input);
  if (label !== undefined && label !== LABEL) {
    throw new Crypt4ghError('INVALID_KEY', `expected a PEM file of a "${LABEL}", found a "${label}"`);
  }
  if (bytes.length !== KEY_BYTES) {
    throw new Crypt4ghError('INVALID_KEY', `a public key has ${KEY_BYTES} bytes, not ${bytes.length}`);
  }
  return Uint8Array.from(bytes);
}

/** Returns the PEM file of a public key. Throws `Crypt4ghError` INVALID_KEY unless it has 32 bytes. */
export function formatPublicKey(publicKey: Uint8Array): string {
  return formatPem(LABEL, toBase64(parsePublicKey(publicKey)));
}
