/**
 * - `UNSUPPORTED_COMPRESSION`: the file is gzip but not BGZF.
 * - `INDEX_MISMATCH`: a `.fai` or `.gzi` belongs to other data.
 * - `UNADDRESSABLE`: sequence lines hold bytes other than letters, so base coordinates do not map to offsets.
 * - `INVALID_RECORD`: a record has no name or holds other characters than letters, and `characters` is `strict`.
 * - `LIMIT_EXCEEDED`: the file exceeds one of the limits.
 * - `DATA_MISMATCH`: the data changed after its digests were computed.
 * - `DIGEST_MISMATCH`: a sequence does not have the digest that it is listed with.
 * - `INVALID_ALIASES`: a table of aliases is malformed.
 * - `INVALID_STORE`: a RefgetStore is malformed.
 * - `INVALID_TABLE`: saved digests are damaged.
 */
export type SequenceSourceErrorCode =
  | 'UNSUPPORTED_COMPRESSION'
  | 'INDEX_MISMATCH'
  | 'UNADDRESSABLE'
  | 'INVALID_RECORD'
  | 'LIMIT_EXCEEDED'
  | 'DATA_MISMATCH'
  | 'DIGEST_MISMATCH'
  | 'INVALID_ALIASES'
  | 'INVALID_STORE'
  | 'INVALID_TABLE';

export interface SequenceSourceErrorOptions {
  /** Bytes from the start of the uncompressed FASTA or, for any other file, from the start of that file. */
  readonly offset: number;
  readonly cause?: unknown;
}

/** Thrown for a file of sequences, or a file that accompanies it, that cannot be served in place. */
export class SequenceSourceError extends Error {
  override readonly name = 'SequenceSourceError';
  readonly code: SequenceSourceErrorCode;
  readonly offset: number;

  constructor(code: SequenceSourceErrorCode, message: string, options: SequenceSourceErrorOptions) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.offset = options.offset;
  }
}
