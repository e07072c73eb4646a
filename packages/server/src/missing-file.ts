const MISSING: readonly (string | undefined)[] = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'];
const REFUSED: readonly (string | undefined)[] = ['EACCES', 'EPERM'];

/** For `catch`: what is not there is no error; whatever else keeps a path from being read is one. */
export function toUndefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (MISSING.includes(error.code)) return undefined;
  throw error;
}

/**
 * For `catch`: nor is what this user may not read. A system that is out of descriptors, or a disk that fails, is: what lies
 * there must not be taken for gone.
 */
export function toUndefinedIfHidden(error: NodeJS.ErrnoException): undefined {
  if (MISSING.includes(error.code) || REFUSED.includes(error.code)) return undefined;
  throw error;
}
