import { MemoryError } from '@htskit/io';

/**
 * The kinds of faults:
 *
 * - `TRUNCATED`: the data ends too early.
 * - `INVALID_MAGIC`: the data is in another format.
 * - `INVALID_DATA`: the data violates the specification of its format.
 * - `LIMIT_EXCEEDED`: a length or count is over a limit of this package.
 * - `UNSUPPORTED`: a version or compression method that this package does not read.
 * - `MISSING_REFERENCE`: CRAM records need reference bases that are not available.
 * - `REFERENCE_MISMATCH`: the reference bases are not those that the CRAM file was written with.
 */
export type FormatErrorCode =
  | 'TRUNCATED'
  | 'INVALID_MAGIC'
  | 'INVALID_DATA'
  | 'LIMIT_EXCEEDED'
  | 'UNSUPPORTED'
  | 'MISSING_REFERENCE'
  | 'REFERENCE_MISMATCH';

/**
 * Thrown for data that its format does not allow, or that this package does not read.
 *
 * @example
 * ```ts
 * import { type BamHeader, FormatError, parseBamHeader } from '@htskit/formats';
 *
 * export function headerOf(begun: Uint8Array): BamHeader | undefined {
 *   try {
 *     return parseBamHeader(begun);
 *   } catch (error) {
 *     if (error instanceof FormatError && error.code === 'TRUNCATED') return undefined; // read more of the file
 *     throw error;
 *   }
 * }
 * ```
 */
export class FormatError extends Error {
  override readonly name = 'FormatError';
  readonly code: FormatErrorCode;
  /** Bytes of uncompressed data from the start of the input to the fault. */
  readonly offset: number;

  constructor(code: FormatErrorCode, message: string, details: { readonly offset: number; readonly cause?: unknown }) {
    super(`${message} (at byte ${details.offset})`, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.offset = details.offset;
  }
}

/** Returns the error `INVALID_DATA` for a fault at byte `offset`. */
export function invalidData(message: string, offset: number): FormatError {
  return new FormatError('INVALID_DATA', message, { offset });
}

/** Returns a copy of an error whose offset is `offset` bytes larger and whose message starts with `prefix`. */
export function relocateError(error: FormatError, offset: number, prefix = ''): FormatError {
  const message = error.message.replace(/ \(at byte \d+\)$/, '');
  return new FormatError(error.code, prefix + message, { offset: offset + error.offset, cause: error });
}

/**
 * Returns the error `LIMIT_EXCEEDED` for data at byte `offset` that needs more memory than the whole budget, and any other error as it
 * is.
 */
export function locateMemoryError(error: unknown, offset: number): unknown {
  const isTooLong = error instanceof MemoryError && error.code === 'LIMIT_EXCEEDED';
  return isTooLong ? new FormatError('LIMIT_EXCEEDED', error.message, { offset, cause: error }) : error;
}
