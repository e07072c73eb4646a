import { StorageError, type StorageErrorOptions } from '@htskit/io';

/** Refusals after which the same request may succeed a little later (RFC 9110 §15.5, RFC 8470 §5.2, RFC 6585 §4). */
const TRANSIENT_STATUSES = new Set([408, 425, 429]);
/** Failures of the server that stay: what it cannot do at all (RFC 9110 §15.6). */
const LASTING_STATUSES = new Set([501, 505]);

/** The StorageError of an answer that is not the object. */
export function fromHttpStatus(status: number, options: Omit<StorageErrorOptions, 'isTransient'>): StorageError {
  if (status === 404 || status === 410) return new StorageError('NOT_FOUND', 'there is no such object', options);
  if (status === 401 || status === 403) {
    return new StorageError('ACCESS_DENIED', 'the store refuses access to the object', options);
  }
  if (status === 412) return new StorageError('CHANGED', 'the object is not the version asked for', options);
  const isTransient = TRANSIENT_STATUSES.has(status) || (status >= 500 && !LASTING_STATUSES.has(status));
  return new StorageError('UNAVAILABLE', `the store answered HTTP ${status}`, { ...options, isTransient });
}
