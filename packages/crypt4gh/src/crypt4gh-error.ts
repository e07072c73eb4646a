/**
 * INVALID_KEY: a key is malformed, unusable or cleared. WRONG_PASSPHRASE: the passphrase of a secret key is missing or wrong.
 * NO_KEY_FITS: no data key of the header can be decrypted with the given keys. TRUNCATED: the bytes end before the header, a segment
 * or the edit list does. AUTHENTICATION_FAILED: a segment was altered, or was encrypted with another data key. INVALID_HEADER: the
 * bytes are not a Crypt4GH header. UNSUPPORTED: the file or the key uses a version or a method that this package does not know.
 * LIMIT_EXCEEDED: the header is larger than the limits, or a passphrase takes too long to verify. INVALID_ARGUMENT: what is to be
 * encrypted or written is not valid.
 */
export type Crypt4ghErrorCode =
  | 'INVALID_KEY'
  | 'WRONG_PASSPHRASE'
  | 'NO_KEY_FITS'
  | 'TRUNCATED'
  | 'AUTHENTICATION_FAILED'
  | 'INVALID_HEADER'
  | 'UNSUPPORTED'
  | 'LIMIT_EXCEEDED'
  | 'INVALID_ARGUMENT';

export interface Crypt4ghErrorDetails {
  /** Bytes from the start of the encrypted file. */
  readonly offset?: number;
  readonly cause?: unknown;
}

/** A file or a key that cannot be read, or an invalid argument. No message contains a secret. */
export class Crypt4ghError extends Error {
  override readonly name = 'Crypt4ghError';
  readonly code: Crypt4ghErrorCode;
  /** Bytes from the start of the encrypted file to the fault, if it has a position. */
  readonly offset: number | undefined;

  constructor(code: Crypt4ghErrorCode, message: string, { offset, cause }: Crypt4ghErrorDetails = {}) {
    const text = offset === undefined ? message : `${message} (at byte ${offset})`;
    super(text, cause === undefined ? undefined : { cause });
    this.code = code;
    this.offset = offset;
  }
}
