/** The reason for an `IndexError`. */
export type IndexErrorCode = 'TRUNCATED' | 'INVALID_MAGIC' | 'INVALID_DATA' | 'LIMIT_EXCEEDED';

/** The error of this package: an index, or a file to be indexed, is invalid or too large. */
export class IndexError extends Error {
  override readonly name = 'IndexError';
  readonly code: IndexErrorCode;
  /** The byte of the uncompressed input at which the error was found. */
  readonly offset: number;

  constructor(code: IndexErrorCode, message: string, details: { readonly offset: number; readonly cause?: unknown }) {
    super(`${message} (at byte ${details.offset})`, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.offset = details.offset;
  }
}

const MAX_QUOTED_LENGTH = 40;

/** Quotes a name for an error message, cut after 40 characters. */
export function quoteName(name: string): string {
  return JSON.stringify(name.length > MAX_QUOTED_LENGTH ? `${name.slice(0, MAX_QUOTED_LENGTH)}…` : name);
}
