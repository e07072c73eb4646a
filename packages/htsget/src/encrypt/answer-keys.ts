import { SecretKey } from '@htskit/crypt4gh';
import { DataKey, NONCE_BYTES } from '@htskit/crypt4gh/internal';
import { toBase64Url } from '@htskit/io';
import { createByteMac, sha256 } from '#mac';
import type { BlockClaim, BlockEncryption, Derive } from '../block-url/block-claim.js';

/** The keys with which all answers of one object for one recipient are encrypted. */
export interface AnswerKeys {
  readonly dataKey: DataKey;
  /** Differs for different keys, and does not reveal them. */
  readonly fingerprint: string;
  /**
   * Returns the nonce of a segment. It is a keyed hash of the plaintext: equal answers are equal bytes, in every replica and after
   * a restart, and no nonce is used for two different segments, even if a file changed or another version of this software
   * compresses it differently.
   */
  nonceOf(plaintext: Uint8Array): Uint8Array;
  /** Returns the secret key with which a header of these contents is written. */
  writerKey(contents: string): SecretKey;
}

/** The members of a claim that keys depend on. */
type KeyedClaim = Pick<BlockClaim, 'datatype' | 'id' | 'version' | 'source'> & {
  readonly encryption: Pick<BlockEncryption, 'recipient'>;
};

/** Derives the keys from those that sign block URLs, so that they are never part of a URL. */
export function deriveAnswerKeys(
  derive: Derive,
  { datatype, id, version, source, encryption }: KeyedClaim,
): AnswerKeys {
  const context = JSON.stringify([encryption.recipient, datatype, id, version, source]);
  const dataKey = new DataKey(derive(`data\n${context}`));
  const hash = createByteMac(derive(`nonce\n${context}`));
  return {
    dataKey,
    fingerprint: sha256(toBase64Url(dataKey.expose())),
    nonceOf: (plaintext) => hash(plaintext).subarray(0, NONCE_BYTES),
    writerKey: (contents) => new SecretKey(derive(`writer\n${context}\n${contents}`)),
  };
}
