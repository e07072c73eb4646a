/**
 * - `NOT_A_STORE`: the marker is missing or belongs to something else.
 * - `UNSUPPORTED_VERSION`: the store, or an object in it, has another version of the layout.
 * - `CORRUPT`: an object differs from what was written.
 * - `TRUNCATED`: an object ends early.
 * - `INVALID_ALIAS`: an alias cannot be stored because no identifier can name it.
 * - `INVALID_NAME`: a name or alias cannot be exported, because it is empty, begins with `#`, or holds a tab or line feed.
 * - `LIMIT_EXCEEDED`: a sequence has 2^48 bases or more.
 * - `UNKNOWN_COLLECTION`: the store has no collection with a digest.
 * - `DATA_MISMATCH`: a FASTA changed while it was imported.
 */
export type SequenceStoreErrorCode =
  | 'NOT_A_STORE'
  | 'UNSUPPORTED_VERSION'
  | 'CORRUPT'
  | 'TRUNCATED'
  | 'INVALID_ALIAS'
  | 'INVALID_NAME'
  | 'LIMIT_EXCEEDED'
  | 'UNKNOWN_COLLECTION'
  | 'DATA_MISMATCH';

export interface SequenceStoreErrorOptions {
  /** Key of the object within the store; undefined if the error does not concern one object. */
  readonly key?: string;
  readonly cause?: unknown;
}

/** Thrown for a store that cannot be read and for sequences or aliases that cannot be stored. */
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
