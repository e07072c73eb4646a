/** Why an index was refused. */
export type IndexErrorCode = 'TRUNCATED' | 'INVALID_MAGIC' | 'INVALID_DATA' | 'LIMIT_EXCEEDED';

/** The error of this package: bytes that are not the index, or the FASTA, they should be. */
export class IndexError extends Error {
  override readonly name = 'IndexError';
  readonly code: IndexErrorCode;
  /** Where in the input the fault was found, in bytes. */
  readonly offset: number;

  constructor(code: IndexErrorCode, message: string, details: { readonly offset: number; readonly cause?: unknown }) {
    super(`${message} (at byte ${details.offset})`, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.offset = details.offset;
  }
}
