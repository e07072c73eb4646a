import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  type KeyObject,
  scrypt,
} from 'node:crypto';
import { concatBytes, fromHex } from '@htskit/io';
import { type AeadInput, MAC_BYTES, type Primitives, portablePrimitives, SCRYPT_COST } from './primitives.js';

const CIPHER = 'chacha20-poly1305';
const CIPHER_OPTIONS = { authTagLength: MAC_BYTES } as const;

/** The bytes before the 32 bytes of a key in DER (RFC 8410 §4 and §7). */
const PUBLIC_KEY_PREFIX = fromHex('302a300506032b656e032100');
const SECRET_KEY_PREFIX = fromHex('302e020100300506032b656e04220420');

/** The primitives of OpenSSL: X25519 takes a twentieth, and ChaCha20-Poly1305 a fifth of the time of JavaScript. */
export const nodePrimitives: Primitives = {
  publicKeyOf: (secretKey) => exportPublicKey(importSecretKey(secretKey)),
  agree(secretKey, publicKey) {
    const privateKey = importSecretKey(secretKey);
    const key = concatBytes([PUBLIC_KEY_PREFIX, publicKey]);
    try {
      const shared = diffieHellman({
        privateKey,
        publicKey: createPublicKey({ key: Buffer.from(key), format: 'der', type: 'spki' }),
      });
      return toPlain(shared);
    } catch {
      // OpenSSL refuses an all-zero result, which RFC 7748 §6.1 leaves to the caller.
      return undefined;
    }
  },
  seal({ key, nonce, data }) {
    const cipher = createCipheriv(CIPHER, key, nonce, CIPHER_OPTIONS);
    const sealed = cipher.update(data);
    cipher.final();
    return concatBytes([sealed, cipher.getAuthTag()]);
  },
  open,
  scrypt: (passphrase, salt) =>
    new Promise((resolve, reject) => {
      scrypt(passphrase, salt, 32, SCRYPT_COST, (error, key) =>
        error === null ? resolve(toPlain(key)) : reject(error),
      );
    }),
};

/** Those of OpenSSL if they are available: not in FIPS mode, and not in every runtime that has `node:crypto`. */
export const primitives: Primitives = isSupported() ? nodePrimitives : portablePrimitives;

function open({ key, nonce, data }: AeadInput): Uint8Array | undefined {
  if (data.length < MAC_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, key, nonce, CIPHER_OPTIONS);
  decipher.setAuthTag(data.subarray(data.length - MAC_BYTES));
  const opened = decipher.update(data.subarray(0, data.length - MAC_BYTES));
  try {
    decipher.final();
  } catch {
    // What does not authenticate is not left in memory that may be handed out again.
    opened.fill(0);
    return undefined;
  }
  return toPlain(opened);
}

/** Returns a view that is not a Buffer, whose `slice` would not copy. */
function toPlain({ buffer, byteOffset, byteLength }: Buffer): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function importSecretKey(secretKey: Uint8Array): KeyObject {
  const key = Buffer.concat([SECRET_KEY_PREFIX, secretKey]);
  try {
    return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  } finally {
    key.fill(0);
  }
}

function exportPublicKey(secretKey: KeyObject): Uint8Array {
  const der = createPublicKey(secretKey).export({ format: 'der', type: 'spki' });
  return new Uint8Array(der.subarray(PUBLIC_KEY_PREFIX.length));
}

/** Checks that OpenSSL returns what JavaScript does, for one input of each kind. */
function isSupported(): boolean {
  const key = new Uint8Array(32).fill(1);
  const input = { key, nonce: new Uint8Array(12), data: key };
  try {
    const sealed = nodePrimitives.seal(input);
    const opened = nodePrimitives.open({ ...input, data: sealed });
    const shared = nodePrimitives.agree(key, nodePrimitives.publicKeyOf(key));
    return sealed.length === key.length + MAC_BYTES && opened?.[0] === 1 && shared?.length === key.length;
  } catch {
    return false;
  }
}
