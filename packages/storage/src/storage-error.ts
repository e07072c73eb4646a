/**
 * NOT_FOUND: no such object. ACCESS_DENIED: the store refuses. CHANGED: the object is not the version asked for.
 * SHORT_READ: the object ended before its size. INVALID_RANGE, INVALID_KEY, INVALID_CONTENT: the caller's mistake.
 * ABORTED: by the caller's signal. UNAVAILABLE: every other failure of the store.
 */
export type StorageErrorCode =
  | 'NOT_FOUND'
  | 'ACCESS_DENIED'
  | 'CHANGED'
  | 'SHORT_READ'
  | 'UNAVAILABLE'
  | 'INVALID_RANGE'
  | 'INVALID_KEY'
  | 'INVALID_CONTENT'
  | 'ABORTED';

export interface StorageErrorOptions {
  /** Of the source. */
  readonly key: string;
  /** Default false. */
  readonly transient?: boolean;
  /** How long the store asks to be left alone. */
  readonly retryAfterMilliseconds?: number | undefined;
  readonly cause?: unknown;
}

/** A failed read or write. The message names no path or URL; `key` and `cause` may. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly code: StorageErrorCode;
  /** Of the source that failed. */
  readonly key: string;
  /** Whether the same read may succeed a little later. */
  readonly transient: boolean;
  /** How long the store asks to be left alone; undefined where it does not. */
  readonly retryAfterMilliseconds: number | undefined;

  constructor(code: StorageErrorCode, message: string, options: StorageErrorOptions) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.key = options.key;
    this.transient = options.transient ?? false;
    this.retryAfterMilliseconds = options.retryAfterMilliseconds;
  }
}

/** Throws ABORTED where the signal is aborted. */
export function checkNotAborted(signal: AbortSignal | undefined, key: string): void {
  if (signal?.aborted === true) throw toAbortedError(signal, key);
}

export function toAbortedError(signal: AbortSignal, key: string): StorageError {
  return new StorageError('ABORTED', 'the read was aborted', { key, cause: signal.reason });
}
