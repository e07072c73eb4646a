import { StorageError } from '@htskit/io';
import { fromHttpStatus } from './http-status.js';
import { toStorageError } from './system-error.js';

/** The HTTP status that a RemoteFile failed with, which it tells in its message alone. */
export function filehandleStatus(error: unknown): number | undefined {
  const status = error instanceof Error ? /^HTTP (\d{3}) /.exec(error.message)?.[1] : undefined;
  return status === undefined ? undefined : Number(status);
}

/** The StorageError of what a filehandle threw; errors that are one already stay as they are. */
export function fromFilehandleError(error: unknown, key: string): StorageError {
  const status = filehandleStatus(error);
  if (status !== undefined) return fromHttpStatus(status, { key, cause: error });
  if (isNetworkFailure(error)) {
    return new StorageError('UNAVAILABLE', 'the object cannot be reached', { key, isTransient: true, cause: error });
  }
  return toStorageError(error, key);
}

/** `fetch` fails with a TypeError where there is no connection, or it breaks; a RemoteFile makes it a cause. */
function isNetworkFailure(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof TypeError;
}
