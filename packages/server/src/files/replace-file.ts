import { randomBytes } from 'node:crypto';
import { access, constants, open, readlink, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/**
 * Writes a file atomically: to a temporary file beside it, which then replaces it. Readers see the old content until the new
 * one is complete. A symbolic link is kept and its target replaced. On failure the temporary file is removed. Throws Error with
 * the path if the file cannot be written, and the errors of `content`.
 */
export async function replaceFile(path: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> {
  try {
    await writeBeside(await followLinks(path), content);
  } catch (error) {
    throw isSystemError(error) ? cannotWrite(path, error) : error;
  }
}

/** Throws Error if the folder of a file does not exist or is not writable. */
export async function checkFolder(path: string): Promise<void> {
  try {
    // The trailing slash makes the check fail for a file.
    await access(`${dirname(await followLinks(path))}/`, constants.W_OK);
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

/** Returns whether an error is of a system call. Reads of a `ByteSource` throw StorageError instead. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

/** Resolves the symbolic links of a path whose file may not exist. Throws if its folder does not exist, and for a cycle. */
export async function followLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    const folder = await realpath(dirname(path));
    const link = await readlink(path).catch(() => undefined);
    return link === undefined ? join(folder, basename(path)) : followLinks(resolve(folder, link));
  }
}

/** Returns an error with the path that could not be written, whichever file the cause names. */
export function cannotWrite(path: string, cause: unknown): Error {
  const message = cause instanceof Error ? cause.message : String(cause);
  // Node appends the system call and its path to the reason.
  return new Error(`cannot write ${path}: ${message.replace(/, .*$/s, '')}`, { cause });
}

/** Does what `replaceFile` does, except that it replaces a link itself and throws the errors of the system unchanged. */
export async function writeBeside(path: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> {
  const temporary = join(dirname(path), `.htskit-${randomBytes(6).toString('hex')}.tmp`);
  const file = await open(temporary, 'wx');
  try {
    try {
      await writeFile(file, content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
