const MISSING_CODES: readonly (string | undefined)[] = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'];
const REFUSED_CODES: readonly (string | undefined)[] = ['EACCES', 'EPERM'];

/** For `catch`: returns undefined for a path that does not exist and rethrows every other error. */
export function toUndefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (MISSING_CODES.includes(error.code)) return undefined;
  throw error;
}

/**
 * For `catch`: returns undefined for a path that does not exist or that this user may not read. Every other error is
 * rethrown: if the process is out of file descriptors or the disk fails, the files must not count as deleted.
 */
export function toUndefinedIfHidden(error: NodeJS.ErrnoException): undefined {
  if (MISSING_CODES.includes(error.code) || REFUSED_CODES.includes(error.code)) return undefined;
  throw error;
}

/** Returns whether a system call failed. Reads through a `ByteSource` fail with `StorageError` instead. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

/** Describes a missing or unreadable file in words; returns undefined for every other error. */
export function describeFileError({ code, path }: NodeJS.ErrnoException): string | undefined {
  if (path === undefined) return undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') return `${path}: no such file or folder`;
  return code === 'EACCES' ? `${path}: permission denied` : undefined;
}

/** Returns the message of an error followed by those of its causes, each once and without stacks. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const message = describeFileError(error) ?? error.message;
  if (error.cause === undefined) return message;
  const cause = describeError(error.cause);
  return message.includes(cause) ? message : `${message}: ${cause}`;
}
