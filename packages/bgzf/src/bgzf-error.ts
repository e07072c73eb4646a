/** What was wrong with the bytes or the request. */
export type BgzfErrorCode =
  | 'TRUNCATED'
  | 'INVALID_HEADER'
  | 'INVALID_DATA'
  | 'CRC_MISMATCH'
  | 'SIZE_MISMATCH'
  | 'LIMIT_EXCEEDED'
  | 'INVALID_OFFSET';

/** The error that every function of this package throws about its input bytes or virtual offsets. */
export class BgzfError extends Error {
  override readonly name = 'BgzfError';
  readonly code: BgzfErrorCode;
  /** Bytes from the start of the file: where the block, or the index entry, at fault begins. */
  readonly offset: number;

  constructor(code: BgzfErrorCode, message: string, details: { readonly offset: number; readonly cause?: unknown }) {
    super(`${message} (at byte ${details.offset})`, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.offset = details.offset;
  }
}
