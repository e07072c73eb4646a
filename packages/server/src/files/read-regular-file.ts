import { constants, open } from 'node:fs/promises';
import { basename } from 'node:path';

/**
 * All of a file; undefined where there is none, and where a pipe, a device or a folder is in its place. Throws Error for one
 * of more than `maxBytes`, and what the system throws.
 */
export async function readRegularFile(path: string, maxBytes: number): Promise<Uint8Array | undefined> {
  // A pipe that nobody writes to would block.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(toUndefinedIfMissing);
  try {
    const stats = await file?.stat();
    if (file === undefined || stats?.isFile() !== true) return undefined;
    if (stats.size > maxBytes) throw new Error(`${basename(path)} is longer than ${maxBytes} bytes`);
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

function toUndefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  // Windows opens no folders; what is neither file nor pipe may refuse to be opened.
  if (['ENOENT', 'EISDIR', 'ENXIO'].includes(error.code ?? '')) return undefined;
  throw error;
}
