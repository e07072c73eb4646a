import { createWriteStream, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { isSystemError } from '@htskit/catalogue/internal';
import { cannotWrite, checkFolder, findSameFile, replaceFile } from './replace-file.js';

/** The path that stands for stdout. */
export const STDOUT = '-';

/** Throws Error if an output cannot be written, or is the same file as an input. */
export async function checkOutput(path: string, inputs: readonly string[]): Promise<void> {
  if (path === STDOUT) return;
  const input = await findSameFile(path, inputs);
  if (input !== undefined) throw new Error(`refusing to overwrite the input ${input}`);
  const stats = await statIfExists(path);
  if (stats?.isDirectory() === true) throw new Error(`${path} is a folder, not a file`);
  if (!isStreamed(stats)) await checkFolder(path);
}

/** Returns whether an output is a regular file, which is replaced atomically. Others are streamed to. */
export async function isWholeFile(path: string): Promise<boolean> {
  return path !== STDOUT && !isStreamed(await statIfExists(path));
}

/**
 * Writes chunks with backpressure and returns the number of bytes. A regular file appears complete or not at all; an existing
 * device or pipe, and `STDOUT`, are streamed to. Returns undefined if the reader of a pipe closed it. Throws Error with the
 * path if the output cannot be written, and the errors of `chunks`.
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

async function statIfExists(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined);
}

/** Returns whether a path is something to stream to, such as /dev/null, rather than a file to replace. */
function isStreamed(stats: Stats | undefined): boolean {
  return stats !== undefined && !stats.isFile();
}
