import { StorageError } from '@htskit/io';

const NOT_FOUND = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE']);
const READ_DENIED = new Set(['EACCES', 'EPERM']);
const WRITE_DENIED = new Set(['EACCES', 'EPERM', 'EROFS']);
const TRANSIENT = new Set(['EAGAIN', 'EBUSY', 'EINTR', 'EMFILE', 'ENFILE', 'ENOMEM', 'ESTALE', 'ETIMEDOUT']);

/** Returns the StorageError of a failed read. A StorageError is returned as it is. */
export function toStorageError(error: unknown, key: string): StorageError {
  if (error instanceof StorageError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  if (NOT_FOUND.has(code)) return new StorageError('NOT_FOUND', 'there is no such file', { key, cause: error });
  if (READ_DENIED.has(code)) {
    return new StorageError('ACCESS_DENIED', 'no permission to read the file', { key, cause: error });
  }
  const isTransient = TRANSIENT.has(code);
  return new StorageError('UNAVAILABLE', `cannot read the file (${code})`, { key, isTransient, cause: error });
}

/** Returns the StorageError of a failed write if a system call failed, and the error itself otherwise. */
export function toWriteError(error: unknown, key: string): unknown {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return error;
  const code = String(error.code);
  if (WRITE_DENIED.has(code)) {
    return new StorageError('ACCESS_DENIED', 'no permission to write the object', { key, cause: error });
  }
  return new StorageError('UNAVAILABLE', `cannot write the object (${code})`, { key, cause: error });
}
