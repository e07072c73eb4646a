import { StorageError } from '@htskit/io';
import { fromHttpStatus, type RefusalOptions } from '../http/storage-failure.js';
import { readElement } from './xml.js';

/** Transient failures that S3 reports with other statuses (Amazon S3 API Reference, "Error responses"). */
const TRANSIENT_CODES = new Set([
  'InternalError',
  'OperationAborted',
  'RequestTimeout',
  'ServiceUnavailable',
  'SlowDown',
]);

/**
 * Returns the error of a refused request, by its status and the error code in its body. A success whose body reports an
 * error is transient.
 */
export function fromS3Refusal(status: number, body: string, options: RefusalOptions): StorageError {
  // Such as `NoSuchKey`. Anything else could be text that must not be repeated.
  const code = /^[A-Za-z]{1,64}$/.exec(readElement(body, 'Code') ?? '')?.[0];
  if (code === 'NoSuchBucket') return noSuchBucket(options);
  const suffix = code === undefined ? '' : `: ${code}`;
  if (status < 300 || TRANSIENT_CODES.has(code ?? '')) {
    return new StorageError('UNAVAILABLE', `the store is temporarily unavailable${suffix}`, {
      ...options,
      isTransient: true,
    });
  }
  const error = fromHttpStatus(status, options);
  if (error.code !== 'ACCESS_DENIED' && error.code !== 'UNAVAILABLE') return error;
  return new StorageError(error.code, error.message + suffix, { ...options, isTransient: error.isTransient });
}

/** Returns UNAVAILABLE, not NOT_FOUND: a missing bucket is a fault, a missing object is not. */
export function noSuchBucket(options: RefusalOptions): StorageError {
  return new StorageError('UNAVAILABLE', 'there is no such bucket', options);
}

/** Returns the error of a successful response that S3 would not send. */
export function unexpectedResponse(key: string): StorageError {
  return new StorageError('UNAVAILABLE', 'the store does not respond as S3 does', { key });
}
