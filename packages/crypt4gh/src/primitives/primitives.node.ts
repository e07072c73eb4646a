import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  scrypt,
} from 'node:crypto';
import { concatBytes, toBase64Url } from '@htskit/io';
import { type AeadInput, MAC_BYTES, type Primitives, portablePrimitives, SCRYPT_COST } from './portable-primitives.js';

const CIPHER = 'chacha20-poly1305';
const CIPHER_OPTIONS = { authTagLength: MAC_BYTES } as const;

/** The first byte of the public key of the secret key whose bytes are all 1. */
const KNOWN_BYTE = 0xa4;
/** The u-coordinate of the base point: the product of a secret key with it is the public key (RFC 7748 §6.1). */
const BASE_POINT = Uint8Array.of(9, ...new Uint8Array(31));

/** The primitives of OpenSSL: X25519 and ChaCha20-Poly1305 take a tenth of the time of JavaScript. */
export const nodePrimitives: Primitives = {
  publicKeyOf: (secretKey) => multiply(secretKey, BASE_POINT),
  agree(secretKey, publicKey) {
    try {
      return multiply(secretKey, publicKey);
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

/** Computes X25519. Keys are imported as JWK (RFC 8037 §2), since OpenSSL 3 takes ten times as long to decode DER. */
function multiply(scalar: Uint8Array, point: Uint8Array): Uint8Array {
  const curve = { kty: 'OKP', crv: 'X25519' } as const;
  const publicKey = createPublicKey({ key: { ...curve, x: toBase64Url(point) }, format: 'jwk' });
  // A secret key needs a public key beside it, which is not used.
  const privateKey = createPrivateKey({
    key: { ...curve, d: toBase64Url(scalar), x: toBase64Url(BASE_POINT) },
    format: 'jwk',
  });
  return toPlain(diffieHellman({ privateKey, publicKey }));
}

/** Checks that OpenSSL has the algorithms, and X25519 a known result. */
function isSupported(): boolean {
  const key = new Uint8Array(32).fill(1);
  const input = { key, nonce: new Uint8Array(12), data: key };
  try {
    const sealed = nodePrimitives.seal(input);
    const opened = nodePrimitives.open({ ...input, data: sealed });
    const publicKey = nodePrimitives.publicKeyOf(key);
    return sealed.length === key.length + MAC_BYTES && opened?.[0] === 1 && publicKey[0] === KNOWN_BYTE;
  } catch {
    return false;
  }
}
