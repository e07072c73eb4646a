/**
 * NOT_FOUND: the object does not exist. ACCESS_DENIED: the store refuses access. CHANGED: the object has another version
 * than requested. SHORT_READ: the object ended before its size. INVALID_RANGE, INVALID_KEY, INVALID_CONTENT: invalid
 * arguments. ABORTED: the caller's signal was aborted. UNAVAILABLE: any other failure of the store.
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
  /** The key of the object. */
  readonly key: string;
  /** Whether the same operation may succeed a little later. Default false. */
  readonly isTransient?: boolean;
  /** The delay that the store requested before the next attempt. */
  readonly retryAfterMilliseconds?: number;
  /** The HTTP status of the store's answer. */
  readonly status?: number;
  readonly cause?: unknown;
}

/** A failed read or write. The message contains no path or URL; `key` and `cause` may. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly code: StorageErrorCode;
  /** The key of the object. */
  readonly key: string;
  /** Whether the same operation may succeed a little later. */
  readonly isTransient: boolean;
  /** The delay that the store requested before the next attempt, if it did. */
  readonly retryAfterMilliseconds: number | undefined;
  /** The HTTP status of the store's answer, if it is known. */
  readonly status: number | undefined;

  constructor(code: StorageErrorCode, message: string, options: StorageErrorOptions) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.key = options.key;
    this.isTransient = options.isTransient ?? false;
    this.retryAfterMilliseconds = options.retryAfterMilliseconds;
    this.status = options.status;
  }
}

/** Throws `StorageError` ABORTED if the signal is aborted. */
export function checkNotAborted(signal: AbortSignal | undefined, key: string): void {
  if (signal?.aborted === true) throw toAbortedError(signal, key);
}

/** Returns what `work` resolves to, or undefined if it rejects with `StorageError` NOT_FOUND. */
export async function unlessMissing<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StorageError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

/** Creates the `StorageError` ABORTED of an aborted signal, whose reason becomes the cause. */
export function toAbortedError(signal: AbortSignal, key: string): StorageError {
  return new StorageError('ABORTED', 'the read was aborted', { key, cause: signal.reason });
}
