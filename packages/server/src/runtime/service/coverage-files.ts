import { lstat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { CoverageSummaries } from '@htskit/coverage/handler';
import { type ByteSource, LruCache } from '@htskit/io';
import { fileSource } from '@htskit/storage/file';

/** The end of the name that `htskit index --coverage` gives the file beside another. */
const SUFFIX = '.coverage.bw';
const MAX_SOURCES = 100;

/**
 * Returns the bigWig files that lie beside local files. One that is older than its file is not served, nor is a link, which may lead
 * out of the folder.
 */
export function coverageFiles(): CoverageSummaries {
  const sources = new LruCache<ByteSource>({ maxWeight: MAX_SOURCES });
  return {
    async find({ data }) {
      // The key of a local file is its path.
      if (!isAbsolute(data.key)) return undefined;
      const path = data.key + SUFFIX;
      try {
        const [file, summary] = await Promise.all([lstat(data.key), lstat(path)]);
        if (!summary.isFile() || summary.mtimeMs < file.mtimeMs) return undefined;
      } catch {
        return undefined;
      }
      return sources.load(path, async () => ({ value: fileSource(path), weight: 1 }));
    },
  };
}
