import { StorageError, type StorageErrorOptions } from '@htskit/io';
import { fromHttpStatus } from '../http-status.js';
import { readElement } from './xml.js';

/** Failures that S3 answers with a status that says otherwise. */
const TRANSIENT_CODES = new Set([
  'InternalError',
  'OperationAborted',
  'RequestTimeout',
  'ServiceUnavailable',
  'SlowDown',
]);

/** The failure that a refusal is, by its status and the error in its body. A success with an error in it is transient. */
export function fromS3Refusal(status: number, text: string, options: StorageErrorOptions): StorageError {
  // Such as `NoSuchKey` (Amazon S3 API Reference, "Error responses").
  const code = /^[A-Za-z]{1,64}$/.exec(readElement(text, 'Code') ?? '')?.[0];
  if (code === 'NoSuchBucket') return noSuchBucket(options);
  const told = code === undefined ? '' : `: ${code}`;
  if (status < 300 || TRANSIENT_CODES.has(code ?? '')) {
    return new StorageError('UNAVAILABLE', `the store cannot do it now${told}`, { ...options, isTransient: true });
  }
  const error = fromHttpStatus(status, options);
  if (error.code !== 'ACCESS_DENIED' && error.code !== 'UNAVAILABLE') return error;
  return new StorageError(error.code, error.message + told, { ...options, isTransient: error.isTransient });
}

/** Not NOT_FOUND: that an object is not there is no fault. */
export function noSuchBucket(options: StorageErrorOptions): StorageError {
  return new StorageError('UNAVAILABLE', 'there is no such bucket', options);
}

export function unexpectedAnswer(key: string): StorageError {
  return new StorageError('UNAVAILABLE', 'the store does not answer as S3 does', { key });
}
