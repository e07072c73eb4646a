export type DigestErrorCode = 'INVALID_DIGEST' | 'INVALID_IDENTIFIER' | 'INVALID_DATA' | 'ALREADY_FINISHED';

/** Every failure of this package; `code` tells which. */
export class DigestError extends Error {
  readonly code: DigestErrorCode;

  constructor(code: DigestErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'DigestError';
    this.code = code;
  }
}
