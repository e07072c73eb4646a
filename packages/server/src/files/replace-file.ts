import { access, constants, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isSystemError, writeAtomically } from '@htskit/catalogue/internal';

/**
 * Writes a file so that others see the old one, or none, until it is whole: beside it, under a name of its own, which it then
 * takes the place from. A link stays, and what it leads to is written. What was begun is removed where this fails. Throws
 * Error that names the file where it cannot be written, and what `content` throws.
 */
export async function replaceFile(path: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> {
  try {
    await writeAtomically(await followLinks(path), content);
  } catch (error) {
    throw isSystemError(error) ? cannotWrite(path, error) : error;
  }
}

/** Throws Error where the folder of a file is not there, or not to be written to. */
export async function checkFolder(path: string): Promise<void> {
  try {
    // With the slash, it must be a folder.
    await access(`${dirname(await followLinks(path))}/`, constants.W_OK);
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

/** The path behind symbolic links, of a file that need not be there. Throws where its folder is not, and for links in a circle. */
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

/** An error that names the file that was to be written, whatever file the cause is about. */
export function cannotWrite(path: string, cause: unknown): Error {
  const message = cause instanceof Error ? cause.message : String(cause);
  // Node says the call and its path behind the reason.
  return new Error(`${path} cannot be written: ${message.replace(/, .*$/s, '')}`, { cause });
}
