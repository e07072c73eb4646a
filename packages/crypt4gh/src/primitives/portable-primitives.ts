import { chacha20poly1305 } from '@noble/ciphers/chacha.js';
import { x25519 } from '@noble/curves/ed25519.js';
import { scryptAsync } from '@noble/hashes/scrypt.js';

/** A key of 32 bytes, a nonce of 12 bytes, and the data that they encrypt or decrypt. */
export interface AeadInput {
  readonly key: Uint8Array;
  readonly nonce: Uint8Array;
  readonly data: Uint8Array;
}

/** The cryptography that a platform may do faster than JavaScript. */
export interface Primitives {
  /** Returns the X25519 public key of a secret key (RFC 7748 §6.1). */
  publicKeyOf(secretKey: Uint8Array): Uint8Array;
  /** Returns the Diffie-Hellman key of a secret and a public key (RFC 7748 §6.1), or undefined if it is all zero. */
  agree(secretKey: Uint8Array, publicKey: Uint8Array): Uint8Array | undefined;
  /** Encrypts with ChaCha20-Poly1305 without additional data (RFC 8439 §2.8), and appends the MAC. */
  seal(input: AeadInput): Uint8Array;
  /** Decrypts what `seal` returned, or returns undefined if its MAC is wrong. */
  open(input: AeadInput): Uint8Array | undefined;
  /** Derives a key of 32 bytes with scrypt (RFC 7914), N = 16,384, r = 8, p = 1. */
  scrypt(passphrase: Uint8Array, salt: Uint8Array): Promise<Uint8Array>;
}

/** The numbers that the key files of Crypt4GH use without naming them. */
export const SCRYPT_COST = { N: 16_384, r: 8, p: 1 } as const;

/** The length of a Poly1305 MAC in bytes. */
export const MAC_BYTES = 16;

/** Audited implementations in JavaScript, whose time does not depend on secrets. */
export const portablePrimitives: Primitives = {
  publicKeyOf: (secretKey) => x25519.getPublicKey(secretKey),
  agree(secretKey, publicKey) {
    try {
      return x25519.getSharedSecret(secretKey, publicKey);
    } catch {
      // The lengths are right, so that the only failure left is the all-zero result of a point of low order.
      return undefined;
    }
  },
  seal: ({ key, nonce, data }) => chacha20poly1305(key, nonce).encrypt(data),
  open({ key, nonce, data }) {
    if (data.length < MAC_BYTES) return undefined;
    try {
      return chacha20poly1305(key, nonce).decrypt(data);
    } catch {
      // The lengths are right, so that the only failure left is a wrong MAC.
      return undefined;
    }
  },
  scrypt: (passphrase, salt) => scryptAsync(passphrase, salt, { ...SCRYPT_COST, dkLen: 32 }),
};
