import { StorageError } from '@htskit/io';

const NOT_FOUND = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE']);
const ACCESS_DENIED = new Set(['EACCES', 'EPERM']);
const TRANSIENT = new Set(['EAGAIN', 'EBUSY', 'EINTR', 'EMFILE', 'ENFILE', 'ENOMEM', 'ESTALE', 'ETIMEDOUT']);

/** The StorageError of what a system call threw; errors that are one already stay as they are. */
export function toStorageError(error: unknown, key: string): StorageError {
  if (error instanceof StorageError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  if (NOT_FOUND.has(code)) return new StorageError('NOT_FOUND', 'there is no such file', { key, cause: error });
  if (ACCESS_DENIED.has(code))
    return new StorageError('ACCESS_DENIED', 'the file may not be read', { key, cause: error });
  const isTransient = TRANSIENT.has(code);
  return new StorageError('UNAVAILABLE', `the file cannot be read (${code})`, { key, isTransient, cause: error });
}
