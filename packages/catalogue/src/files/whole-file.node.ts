import { randomBytes } from 'node:crypto';
import { constants, open, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Reads a whole file. Returns undefined if it does not exist, and if a pipe, a device or a folder is in its place. Throws
 * Error if the file is larger than `maxBytes`, and system errors.
 */
export async function readRegularFile(path: string, maxBytes: number): Promise<Uint8Array | undefined> {
  // Opening a pipe without a writer would block.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(toUndefinedIfNotRegular);
  try {
    const stats = await file?.stat();
    if (file === undefined || stats?.isFile() !== true) return undefined;
    if (stats.size > maxBytes) throw new Error(`${basename(path)} is larger than ${maxBytes} bytes`);
    const bytes = new Uint8Array(stats.size);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await file.read(bytes, length, bytes.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return bytes.subarray(0, length);
  } finally {
    await file?.close();
  }
}

function toUndefinedIfNotRegular(error: NodeJS.ErrnoException): undefined {
  // Windows cannot open folders, and sockets and some devices refuse to be opened.
  if (['ENOENT', 'EISDIR', 'ENXIO'].includes(error.code ?? '')) return undefined;
  throw error;
}

/**
 * Writes a file atomically: into a temporary file in the same folder, which then replaces `path`. A symbolic link at `path`
 * is replaced, not followed. The temporary file is removed if writing fails. Throws system errors and what `content` throws.
 */
export async function writeAtomically(
  path: string,
  content: Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> {
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
