/**
 * INVALID_DIGEST: the text is not a digest. INVALID_IDENTIFIER: the identifier has no canonical form. INVALID_DATA: a
 * file that is digested is corrupt. ALREADY_FINISHED: the digester has returned its digest.
 */
export type DigestErrorCode = 'INVALID_DIGEST' | 'INVALID_IDENTIFIER' | 'INVALID_DATA' | 'ALREADY_FINISHED';

/** A failure of this package. */
export class DigestError extends Error {
  override readonly name = 'DigestError';
  readonly code: DigestErrorCode;

  constructor(code: DigestErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
