import { createWriteStream, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { isSystemError } from '@htskit/catalogue/internal';
import { findSameFile } from '../same-file.js';
import { cannotWrite, checkFolder, replaceFile } from './replace-file.js';

/** Stands for the output of the process. */
export const STDOUT = '-';

/** Throws Error for an output that cannot be written, or is one of the files that are read. */
export async function checkOutput(path: string, inputs: readonly string[]): Promise<void> {
  if (path === STDOUT) return;
  const input = await findSameFile(path, inputs);
  if (input !== undefined) throw new Error(`${input}: it cannot be the output, too`);
  const stats = await statIfThere(path);
  if (stats?.isDirectory() === true) throw new Error(`${path} is a folder, not a file`);
  if (!isStreamed(stats)) await checkFolder(path);
}

/** Whether an output is a file, which appears as a whole. Others take bytes as they come. */
export async function isWholeFile(path: string): Promise<boolean> {
  return path !== STDOUT && !isStreamed(await statIfThere(path));
}

/**
 * Writes chunks as fast as they are taken, and returns how many bytes that were: to a file, which appears whole or not at
 * all; to a device or a pipe that is there; or to `STDOUT`. Returns undefined where the reader of a pipe went away. Throws
 * Error that names the output where it cannot be written, and what the chunks throw.
 */
export async function writeOutput(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  { signal }: { readonly signal: AbortSignal },
): Promise<number | undefined> {
  let byteLength = 0;
  async function* counted(): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of chunks) {
      byteLength += chunk.length;
      yield chunk;
      signal.throwIfAborted();
    }
  }
  const isStdout = path === STDOUT;
  if (await isWholeFile(path)) {
    await replaceFile(path, counted());
    return byteLength;
  }
  try {
    await pipeline(counted(), isStdout ? process.stdout : createWriteStream(path), { signal, end: !isStdout });
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code === 'EPIPE') return undefined;
    throw cannotWrite(isStdout ? 'stdout' : path, error);
  }
  return byteLength;
}

async function statIfThere(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined);
}

/** Whether what is there takes bytes as they come, as /dev/null does, and is not to be replaced. */
function isStreamed(stats: Stats | undefined): boolean {
  return stats !== undefined && !stats.isFile();
}
