import { StorageError } from './storage-error.js';
import { toStorageError } from './system-error.js';

/** The statuses after which the same request may succeed a little later (RFC 9110 §15, RFC 6585 §4). */
const TRANSIENT_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504]);

/** The HTTP status that a RemoteFile failed with, which it tells in its message alone. */
export function filehandleStatus(error: unknown): number | undefined {
  const status = error instanceof Error ? /^HTTP (\d{3}) /.exec(error.message)?.[1] : undefined;
  return status === undefined ? undefined : Number(status);
}

/** The StorageError of what a filehandle threw; errors that are one already stay as they are. */
export function fromFilehandleError(error: unknown, key: string): StorageError {
  const status = filehandleStatus(error);
  if (status !== undefined) return fromStatus(status, { key, cause: error });
  if (isNetworkFailure(error)) {
    return new StorageError('UNAVAILABLE', 'the object cannot be reached', { key, transient: true, cause: error });
  }
  return toStorageError(error, key);
}

function fromStatus(status: number, options: { readonly key: string; readonly cause: unknown }): StorageError {
  if (status === 404 || status === 410) return new StorageError('NOT_FOUND', 'there is no such object', options);
  if (status === 401 || status === 403) {
    return new StorageError('ACCESS_DENIED', 'the object may not be read', options);
  }
  const transient = TRANSIENT_STATUSES.has(status);
  return new StorageError('UNAVAILABLE', `the object cannot be read (HTTP ${status})`, { ...options, transient });
}

/** `fetch` fails with a TypeError where there is no connection, or it breaks; a RemoteFile makes it a cause. */
function isNetworkFailure(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof TypeError;
}
