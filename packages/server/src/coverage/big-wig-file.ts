import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type BigWigReference, type BigWigRuns, type BigWigTarget, BigWigWriter } from '@htskit/formats';
import { cannotWrite, followLinks } from '../files/write-output.js';

/** How a bigWig file is written. */
export interface BigWigFileOptions {
  readonly references: readonly BigWigReference[];
  readonly signal: AbortSignal;
  /** The file that data goes to, which is overwritten. Default: a new one beside the bigWig. */
  readonly temporary?: string | undefined;
}

/**
 * Writes a bigWig file. It appears complete or not at all: data goes to a file beside it, which then replaces it. Throws Error with the
 * path if it cannot be written, and the errors of `runs`.
 */
export async function writeBigWigFile(
  path: string,
  runs: AsyncIterable<BigWigRuns>,
  { references, signal, temporary: named }: BigWigFileOptions,
): Promise<void> {
  const target = await followLinks(path);
  const temporary = named ?? join(dirname(target), `.htskit-${randomBytes(6).toString('hex')}.tmp`);
  const file = await open(temporary, named === undefined ? 'wx+' : 'w+').catch((error: unknown) => {
    throw cannotWrite(path, error);
  });
  try {
    try {
      const writer = new BigWigWriter(toTarget(file, path), { references });
      for await (const each of runs) {
        signal.throwIfAborted();
        await writer.write(each);
      }
      await writer.finish();
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Returns the positions of an open file as a target. */
function toTarget(file: FileHandle, path: string): BigWigTarget {
  return {
    async write(bytes, position) {
      for (let at = 0; at < bytes.length; ) {
        const { bytesWritten } = await file
          .write(bytes, at, bytes.length - at, position + at)
          .catch((error: unknown) => {
            throw cannotWrite(path, error);
          });
        at += bytesWritten;
      }
    },
    async read({ start, end }) {
      const bytes = new Uint8Array(end - start);
      const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
      return bytes.subarray(0, bytesRead);
    },
  };
}
