/**
 * UNSUPPORTED_COMPRESSION: gzip that is not BGZF. INDEX_MISMATCH: a `.fai` or `.gzi` of other data. UNADDRESSABLE: lines
 * hold bytes that are no letters, so that no offset follows from a base. LIMIT_EXCEEDED: more sequences than allowed.
 * DATA_MISMATCH: the data is no longer what its digests were computed from.
 */
export type FastaSourceErrorCode =
  | 'UNSUPPORTED_COMPRESSION'
  | 'INDEX_MISMATCH'
  | 'UNADDRESSABLE'
  | 'LIMIT_EXCEEDED'
  | 'DATA_MISMATCH';

export interface FastaSourceErrorOptions {
  /** Bytes from the start of the uncompressed FASTA, or of the stored file for UNSUPPORTED_COMPRESSION and `.gzi`. */
  readonly offset: number;
  readonly cause?: unknown;
}

/** A FASTA file that cannot be served in place. */
export class FastaSourceError extends Error {
  override readonly name = 'FastaSourceError';
  readonly code: FastaSourceErrorCode;
  readonly offset: number;

  constructor(code: FastaSourceErrorCode, message: string, options: FastaSourceErrorOptions) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.offset = options.offset;
  }
}
