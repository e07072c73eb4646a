import { concatBytes } from '@htskit/io';
import { primitives } from '#primitives';
import { Crypt4ghError } from '../crypt4gh-error.js';
import { KEY_BYTES, SecretBytes } from '../keys/secret-bytes.js';
import { MAC_BYTES } from '../primitives/portable-primitives.js';

/** Bytes of plaintext in each segment but the last, which may have less (Crypt4GH §3.4.2). */
export const SEGMENT_BYTES = 65_536;
/** The length of a nonce in bytes. */
export const NONCE_BYTES = 12;
/** Bytes that a segment has more than its plaintext: a nonce and a MAC. */
const SEGMENT_OVERHEAD = NONCE_BYTES + MAC_BYTES;
/** Bytes of an encrypted segment of full length. */
export const STORED_SEGMENT_BYTES: number = SEGMENT_BYTES + SEGMENT_OVERHEAD;

/** A key that encrypts segments, whose bytes are never printed. */
export class DataKey extends SecretBytes {}

/** Generates a data key with the random numbers of the platform. */
export function generateDataKey(): DataKey {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  const key = new DataKey(bytes);
  bytes.fill(0);
  return key;
}

/**
 * Returns the size of the plaintext of `byteLength` bytes of segments. Throws `Crypt4ghError` TRUNCATED if the last segment is too short
 * to be one.
 */
export function plainSize(byteLength: number): number {
  const rest = byteLength % STORED_SEGMENT_BYTES;
  if (rest > 0 && rest < SEGMENT_OVERHEAD) {
    throw new Crypt4ghError(
      'TRUNCATED',
      `the last segment has ${rest} bytes, and at least ${SEGMENT_OVERHEAD} are needed`,
    );
  }
  return byteLength - SEGMENT_OVERHEAD * Math.ceil(byteLength / STORED_SEGMENT_BYTES);
}

/** Returns the size of the segments of `byteLength` bytes of plaintext. */
export function storedSize(byteLength: number): number {
  return byteLength + SEGMENT_OVERHEAD * Math.ceil(byteLength / SEGMENT_BYTES);
}

/**
 * Encrypts one segment: the nonce, the ciphertext and the MAC. A nonce must never be used twice with one data key. Throws
 * `Crypt4ghError` INVALID_ARGUMENT if the plaintext has more than 65,536 bytes, or the nonce not 12.
 */
export function encryptSegment(plaintext: Uint8Array, dataKey: DataKey, nonce: Uint8Array): Uint8Array {
  if (plaintext.length > SEGMENT_BYTES) {
    throw new Crypt4ghError(
      'INVALID_ARGUMENT',
      `a segment has at most ${SEGMENT_BYTES} bytes, not ${plaintext.length}`,
    );
  }
  checkNonce(nonce);
  return concatBytes([nonce, primitives.seal({ key: dataKey.expose(), nonce, data: plaintext })]);
}

/** Returns a random nonce. */
export function randomNonce(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
}

/** Throws `Crypt4ghError` INVALID_ARGUMENT unless the nonce has 12 bytes. */
export function checkNonce(nonce: Uint8Array): void {
  if (nonce.length === NONCE_BYTES) return;
  throw new Crypt4ghError('INVALID_ARGUMENT', `a nonce has ${NONCE_BYTES} bytes, not ${nonce.length}`);
}

/**
 * Decrypts one segment with a data key, or returns undefined if it was altered or encrypted with another key. The MAC is verified
 * before any byte is returned.
 */
export function decryptSegment(segment: Uint8Array, dataKey: DataKey): Uint8Array | undefined {
  const nonce = segment.subarray(0, NONCE_BYTES);
  if (nonce.length < NONCE_BYTES) return undefined;
  return primitives.open({ key: dataKey.expose(), nonce, data: segment.subarray(NONCE_BYTES) });
}

/** Decrypts the segments of a file that has several data keys. It tries the key of the segment before first. */
export class SegmentDecryptor {
  readonly #dataKeys: DataKey[];

  constructor(dataKeys: readonly DataKey[]) {
    this.#dataKeys = [...dataKeys];
  }

  /**
   * Decrypts the segment that begins at `offset` of the file. Throws `Crypt4ghError` TRUNCATED if it is too short to be a segment,
   * and AUTHENTICATION_FAILED if no key fits.
   */
  decrypt(segment: Uint8Array, offset: number): Uint8Array {
    if (segment.length < SEGMENT_OVERHEAD) {
      const message = `the segment has ${segment.length} bytes, and at least ${SEGMENT_OVERHEAD} are needed`;
      throw new Crypt4ghError('TRUNCATED', message, { offset });
    }
    for (const [index, dataKey] of this.#dataKeys.entries()) {
      const plaintext = decryptSegment(segment, dataKey);
      if (plaintext === undefined) continue;
      if (index > 0) this.#dataKeys.unshift(...this.#dataKeys.splice(index, 1));
      return plaintext;
    }
    const message = 'the segment does not authenticate: it was altered, cut, or encrypted with another data key';
    throw new Crypt4ghError('AUTHENTICATION_FAILED', message, { offset });
  }
}
