import { access, constants, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isSystemError, writeAtomically } from '@htskit/catalogue/internal';

/**
 * Writes a file atomically: to a temporary file beside it, which then replaces it. Readers see the old content until the new
 * one is complete. A symbolic link is kept and its target replaced. On failure the temporary file is removed. Throws Error with
 * the path if the file cannot be written, and the errors of `content`.
 */
export async function replaceFile(path: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> {
  try {
    await writeAtomically(await followLinks(path), content);
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

/** Returns the first of the other paths that is the same file as `path`, also through links, or undefined. */
export async function findSameFile(path: string, others: readonly string[]): Promise<string | undefined> {
  const target = await stat(path, { bigint: true }).catch(() => undefined);
  if (target === undefined) return undefined;
  for (const other of others) {
    const { dev, ino } = (await stat(other, { bigint: true }).catch(() => undefined)) ?? {};
    if (target.dev === dev && target.ino === ino) return other;
  }
  return undefined;
}
