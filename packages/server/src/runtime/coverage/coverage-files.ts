import { lstat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { CoverageSummaries } from '@htskit/coverage/handler';
import { sha512t24u } from '@htskit/digest';
import { type ByteSource, encodeText, LruCache } from '@htskit/io';
import { fileSource } from '@htskit/storage/file';
import { COVERAGE_EXTENSION } from '../../coverage/coverage-file.js';
import type { CoverageMaker } from './coverage-maker.js';

export interface CoverageFilesOptions {
  /** Makes files that do not exist. Default: those that exist are served. */
  readonly maker?: Pick<CoverageMaker, 'request'> | undefined;
  /** The folder of the files that are made. Default: they lie beside the files that they are made from. */
  readonly folder?: string | undefined;
}

const MAX_SOURCES = 100;

/**
 * Returns the bigWig files of local files: that beside a file, or that in a folder. One that is older than its file is not served, nor
 * is a link, which may lead out of the folder.
 */
export function coverageFiles({ maker, folder }: CoverageFilesOptions = {}): CoverageSummaries {
  const sources = new LruCache<ByteSource>({ maxWeight: MAX_SOURCES });
  const outputOf = (path: string): string =>
    folder === undefined ? path + COVERAGE_EXTENSION : join(folder, `${sha512t24u(encodeText(path))}.bw`);
  return {
    async find({ data: { key: path } }) {
      // The key of a local file is its path.
      if (!isAbsolute(path)) return undefined;
      for (const candidate of new Set([path + COVERAGE_EXTENSION, outputOf(path)])) {
        if (!(await isCurrent(candidate, path))) continue;
        return sources.load(candidate, async () => ({ value: fileSource(candidate), weight: 1 }));
      }
      return undefined;
    },
    make({ data: { key: path } }, version) {
      if (isAbsolute(path)) maker?.request({ path, output: outputOf(path) }, version ?? '');
    },
  };
}

/** Whether there is a file that is not older than another. What overwrites a file may restore its modification time, but not the other. */
async function isCurrent(path: string, original: string): Promise<boolean> {
  try {
    const [file, other] = await Promise.all([lstat(path), lstat(original)]);
    return file.isFile() && file.mtimeMs >= other.mtimeMs && file.ctimeMs >= other.ctimeMs;
  } catch {
    return false;
  }
}
