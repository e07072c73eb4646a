import { constants, open } from 'node:fs/promises';
import { basename } from 'node:path';

/**
 * Reads a whole file. Returns undefined if it does not exist, or is a pipe, a device or a folder. Throws Error if it is longer
 * than `maxBytes`, and the errors of the system.
 */
export async function readRegularFile(path: string, maxBytes: number): Promise<Uint8Array | undefined> {
  // Without O_NONBLOCK, opening a pipe without a writer would block.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(toUndefinedIfMissing);
  try {
    const stats = await file?.stat();
    if (file === undefined || stats?.isFile() !== true) return undefined;
    if (stats.size > maxBytes) throw new Error(`${basename(path)} exceeds ${maxBytes} bytes`);
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
  // Windows cannot open folders, and some devices refuse to be opened.
  if (['ENOENT', 'EISDIR', 'ENXIO'].includes(error.code ?? '')) return undefined;
  throw error;
}
