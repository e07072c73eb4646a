import { access, constants, lstat, mkdir, readdir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { sha512t24u } from '@htskit/digest';
import { encodeText } from '@htskit/io';
import { describeError } from '../../errors.js';

/** The folder of the bigWig files that are made. Several processes and replicas may share it. */
export interface CoverageFolder {
  readonly path: string;
  /** The bytes of all files beyond which those that were not used for the longest time are deleted. */
  readonly maxBytes: number;
}

/** Files that this module names, and what their writers leave if they are killed. */
const NAME = /^[\w-]{32}\.bw(?:\.part|\.claim)?$/;
/** A file whose last use is less certain than that is marked as used. */
const USE_MILLISECONDS = 3_600_000;
const ABANDONED_MILLISECONDS = 86_400_000;

/** Creates the folder if it does not exist. Throws Error, with the key of the configuration, if it cannot be written to. */
export async function prepareCoverageFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
    await access(path, constants.W_OK);
  } catch (error) {
    throw new Error(`coverageFolder: cannot write to ${path}: ${describeError(error)}`, { cause: error });
  }
}

/** Returns the path of the bigWig of a version of a file. The identity is that of the file for all processes. */
export function coveragePath(folder: CoverageFolder, identity: string, version: string): string {
  return join(folder.path, `${sha512t24u(encodeText(`${identity}\n${version}`))}.bw`);
}

/** Returns whether a bigWig exists, and marks it as used. */
export async function isCoverageMade(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isFile() !== true) return false;
  const now = new Date();
  if (now.getTime() - found.mtimeMs > USE_MILLISECONDS) await utimes(path, now, now).catch(() => undefined);
  return true;
}

/** Deletes the files that were not used for the longest time until the rest is within the limit, and abandoned ones. */
export async function pruneCoverageFolder({ path: folder, maxBytes }: CoverageFolder, now = Date.now()): Promise<void> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name));
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const { size, mtimeMs } = await lstat(path).catch(() => ({ size: 0, mtimeMs: now }));
      return { path, size, mtimeMs };
    }),
  );
  let total = 0;
  for (const { path, size, mtimeMs } of files.sort((a, b) => b.mtimeMs - a.mtimeMs)) {
    const isFinished = path.endsWith('.bw');
    if (isFinished) total += size;
    const isSuperfluous = isFinished ? total > maxBytes : now - mtimeMs > ABANDONED_MILLISECONDS;
    if (isSuperfluous) await rm(path, { force: true });
  }
}
