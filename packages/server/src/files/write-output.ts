import { createWriteStream, fstatSync, type Stats } from 'node:fs';
import { access, constants, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isSystemError, writeAtomically } from '@htskit/catalogue/internal';
import { UsageError } from '../usage-error.js';
import { STDOUT } from './standard-streams.js';

/** Returns whether progress on stderr may garble an output: unless stdout is a file, it is a terminal, or perhaps a pipe to a pager. */
export function isGarbledByProgress(path: string, stdout = 1): boolean {
  return path === STDOUT && !fstatSync(stdout).isFile();
}

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

/** Throws UsageError for binary output to a terminal. */
export function checkTerminal(format: string, output: string): void {
  if (output !== STDOUT || !process.stdout.isTTY || format === 'VCFTEXT') return;
  throw new UsageError(`refusing to write binary ${format} to a terminal; use -o FILE`);
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
