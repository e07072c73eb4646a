/**
 * TRUNCATED: the bytes end before the block, index or range does. INVALID_HEADER: no block begins here. INVALID_DATA:
 * the DEFLATE data or the index is corrupt. CRC_MISMATCH, SIZE_MISMATCH: the uncompressed data differs from what the
 * footer states. LIMIT_EXCEEDED: a block claims more than 64 KiB, or the data is longer than `maxBytes`.
 * INVALID_OFFSET: an offset lies in no block, or a range ends before it starts.
 */
export type BgzfErrorCode =
  | 'TRUNCATED'
  | 'INVALID_HEADER'
  | 'INVALID_DATA'
  | 'CRC_MISMATCH'
  | 'SIZE_MISMATCH'
  | 'LIMIT_EXCEEDED'
  | 'INVALID_OFFSET';

/** Invalid BGZF data, or an offset that does not fit the data. */
export class BgzfError extends Error {
  override readonly name = 'BgzfError';
  readonly code: BgzfErrorCode;
  /** Bytes from the start of the file to the faulty block, or to the faulty entry of an index file. */
  readonly offset: number;

  constructor(code: BgzfErrorCode, message: string, details: { readonly offset: number; readonly cause?: unknown }) {
    super(`${message} (at byte ${details.offset})`, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.offset = details.offset;
  }
}
