import { randomBytes } from 'node:crypto';
import { open, readlink, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/**
 * Writes a file so that others see the old one, or none, until it is whole: beside it, under a name of its own, which it then
 * takes the place from. A link stays, and what it leads to is written. What was begun is removed where this fails.
 */
export async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeBeside(await followLinks(path), bytes);
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

async function writeBeside(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = join(dirname(path), `.htskit-${randomBytes(6).toString('hex')}.tmp`);
  const file = await open(temporary, 'wx');
  try {
    try {
      await file.writeFile(bytes);
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
