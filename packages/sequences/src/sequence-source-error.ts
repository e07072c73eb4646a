/**
 * UNSUPPORTED_COMPRESSION: gzip that is not BGZF. INDEX_MISMATCH: a `.fai` or `.gzi` of other data. UNADDRESSABLE: lines
 * hold bytes that are no letters, so that no offset follows from a base. LIMIT_EXCEEDED: more than is allowed.
 * DATA_MISMATCH: the data is no longer what its digests were computed from. DIGEST_MISMATCH: a sequence is not the one
 * that it is said to be. INVALID_ALIASES: a table of aliases is malformed.
 * INVALID_STORE: a RefgetStore is.
 */
export type SequenceSourceErrorCode =
  | 'UNSUPPORTED_COMPRESSION'
  | 'INDEX_MISMATCH'
  | 'UNADDRESSABLE'
  | 'LIMIT_EXCEEDED'
  | 'DATA_MISMATCH'
  | 'DIGEST_MISMATCH'
  | 'INVALID_ALIASES'
  | 'INVALID_STORE';

export interface SequenceSourceErrorOptions {
  /** Bytes from the start of the uncompressed FASTA, and else from that of the file that is wrong. */
  readonly offset: number;
  readonly cause?: unknown;
}

/** A file of sequences, or one that goes with it, that cannot be served in place. */
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
