export type DigestErrorCode = 'INVALID_DIGEST' | 'INVALID_IDENTIFIER' | 'ALREADY_FINISHED';

/** Every failure of this package; `code` tells which. */
export class DigestError extends Error {
  readonly code: DigestErrorCode;

  constructor(code: DigestErrorCode, message: string) {
    super(message);
    this.name = 'DigestError';
    this.code = code;
  }
}
