/**
 * NOT_A_STORE: there is no marker, or it is of something else. UNSUPPORTED_VERSION: of the store or of an object in it.
 * CORRUPT: an object is not as it was written. TRUNCATED: an object ends early. INVALID_ALIAS: an alias cannot be stored, or
 * names no sequence. LIMIT_EXCEEDED: a sequence of 2^32 bases or more. DATA_MISMATCH: a FASTA changed while it was read.
 */
export type SequenceStoreErrorCode =
  | 'NOT_A_STORE'
  | 'UNSUPPORTED_VERSION'
  | 'CORRUPT'
  | 'TRUNCATED'
  | 'INVALID_ALIAS'
  | 'LIMIT_EXCEEDED'
  | 'DATA_MISMATCH';

export interface SequenceStoreErrorOptions {
  /** Of the object, within the store. Undefined where it is not about one. */
  readonly key?: string | undefined;
  readonly cause?: unknown;
}

/** A store that cannot be read, or something that cannot be put into one. */
export class SequenceStoreError extends Error {
  override readonly name = 'SequenceStoreError';
  readonly code: SequenceStoreErrorCode;
  readonly key: string | undefined;

  constructor(code: SequenceStoreErrorCode, message: string, options: SequenceStoreErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.key = options.key;
  }
}
