import type { CreateHttpError, HttpFailure, Transport } from '@htskit/http';
import { isTransientStatus } from '@htskit/http/internal';
import { StorageError, type StorageErrorOptions } from '@htskit/io';
import { toAbortedError } from '@htskit/io/internal';

/** Options of a `StorageError` whose transience follows from a status or an error code. */
export type RefusalOptions = Omit<StorageErrorOptions, 'isTransient'>;

/** Returns the error of a response with an error status, by its status and body. */
export type ReadRefusal = (status: number, body: string, options: RefusalOptions) => StorageError;

export interface StorageContext {
  /** The key of the object. */
  readonly key: string;
  readonly signal: AbortSignal | undefined;
  /** Default: by the status alone. */
  readonly readRefusal?: ReadRefusal;
}

/**
 * Runs an operation with a transport whose failures are `StorageError`s of one object. An aborted signal becomes ABORTED.
 */
export async function withStorageErrors<T>(
  transport: Transport,
  context: StorageContext,
  run: (transport: Transport) => Promise<T>,
): Promise<T> {
  try {
    return await run(toStorageTransport(transport, context));
  } catch (error) {
    throw toContextError(error, context);
  }
}

/** Returns a transport whose failures are `StorageError`s of one object, except for the reason of the signal. */
export function toStorageTransport(transport: Transport, { key, signal, readRefusal }: StorageContext): Transport {
  return { ...transport, signal, createError: createStorageError(key, readRefusal) };
}

/** Returns ABORTED if the signal is aborted, and the error itself otherwise. */
export function toContextError(error: unknown, { key, signal }: StorageContext): unknown {
  return signal?.aborted === true ? toAbortedError(signal, key) : error;
}

function createStorageError(key: string, readRefusal: ReadRefusal = readStatus): CreateHttpError {
  return (failure) => {
    const { code, status = 0, body = '', message, retryAfterMilliseconds, isTransient = false } = failure;
    if (code === 'SERVER_ERROR') return readRefusal(status, body, { key, retryAfterMilliseconds });
    if (code === 'INVALID_REQUEST' && failure.cause instanceof StorageError) return failure.cause;
    const options = { key, isTransient, ...('cause' in failure && { cause: failure.cause }) };
    return new StorageError(toStorageCode(code), message, options);
  };
}

function toStorageCode(code: HttpFailure['code']): 'SHORT_READ' | 'CHANGED' | 'UNAVAILABLE' {
  if (code === 'TRUNCATED') return 'SHORT_READ';
  return code === 'CHANGED' ? 'CHANGED' : 'UNAVAILABLE';
}

function readStatus(status: number, _body: string, options: RefusalOptions): StorageError {
  return fromHttpStatus(status, options);
}

/** Returns the error of a response whose status says that it is not the object. */
export function fromHttpStatus(status: number, options: RefusalOptions): StorageError {
  if (status === 404 || status === 410) return new StorageError('NOT_FOUND', 'there is no such object', options);
  if (status === 401 || status === 403) {
    return new StorageError('ACCESS_DENIED', 'the store refuses access to the object', { ...options, status });
  }
  if (status === 412) return toChangedError(options);
  const isTransient = isTransientStatus(status);
  return new StorageError('UNAVAILABLE', `the store answered HTTP ${status}`, { ...options, isTransient });
}

/** Returns the CHANGED of an object that has another version than requested. */
export function toChangedError(options: RefusalOptions): StorageError {
  return new StorageError('CHANGED', 'the object has another version than requested', options);
}
