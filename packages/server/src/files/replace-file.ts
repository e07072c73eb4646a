import { randomBytes } from 'node:crypto';
import { access, constants, open, readlink, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/**
 * Writes a file so that others see the old one, or none, until it is whole: beside it, under a name of its own, which it then
 * takes the place from. A link stays, and what it leads to is written. What was begun is removed where this fails. Throws
 * Error that names the file where it cannot be written, and what `content` throws.
 */
export async function replaceFile(path: string, content: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> {
  try {
    await writeBeside(await followLinks(path), content);
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

/** Whether a call of the system failed, other than one by which a `ByteSource` reads: it throws errors of its own. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
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

/** As `replaceFile`, but for a link, which is replaced itself, and for the errors of the system, which are as they are. */
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
