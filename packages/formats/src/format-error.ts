/**
 * TRUNCATED: the bytes end too early. INVALID_MAGIC: another format. INVALID_DATA: what the format forbids.
 * LIMIT_EXCEEDED: longer than what is read here. UNSUPPORTED: a version or a compression that is not read here.
 */
export type FormatErrorCode = 'TRUNCATED' | 'INVALID_MAGIC' | 'INVALID_DATA' | 'LIMIT_EXCEEDED' | 'UNSUPPORTED';

/** Bytes that are not what their format allows. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
  readonly code: FormatErrorCode;
  /** Bytes from the start of the data, uncompressed, to what is wrong. */
  readonly offset: number;

  constructor(code: FormatErrorCode, message: string, details: { readonly offset: number; readonly cause?: unknown }) {
    super(`${message} (at byte ${details.offset})`, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.offset = details.offset;
  }
}
