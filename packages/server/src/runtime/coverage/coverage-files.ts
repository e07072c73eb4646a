import { isAbsolute } from 'node:path';
import { storedKeyOf } from '@htskit/catalogue/internal';
import type { CoverageSummaries } from '@htskit/coverage/handler';
import type { StoredFile } from '@htskit/htsget';
import { coveragePathOf } from '@htskit/htsget/internal';
import { type ByteSource, LruCache } from '@htskit/io';
import { fileSource } from '@htskit/storage/file';
import { isCurrentFile, isMadeOf } from '../../stored-file/companion.js';
import { type CoverageFolder, coveragePath, isCoverageMade } from './coverage-folder.js';
import type { CoverageJob, CoverageMaker } from './coverage-maker.js';

export interface CoverageFilesOptions {
  /** Makes files that do not exist. Default: those that exist are served. */
  readonly maker?: Pick<CoverageMaker, 'request'> | undefined;
  /** The folder of the files that are made. Default: those of local files lie beside them, and others are not made. */
  readonly folder?: CoverageFolder | undefined;
}

const MAX_SOURCES = 100;
const MAX_LOOKUPS = 10_000;
/** How long it is known whether a remote file has a bigWig beside it, as for the remote files themselves. */
const LOOKUP_MILLISECONDS = 10_000;

/**
 * Returns the bigWig files that lie beside the files, or in a folder. One beside a file that is older than the file is not served, nor
 * is a link, which may lead out of the folder. None is made of an encrypted file, since it would be kept as plaintext: one that is
 * encrypted, too, is found beside it. Nor is one made of a file that is read with the token of a user.
 */
export function coverageFiles({ maker, folder }: CoverageFilesOptions = {}): CoverageSummaries {
  const sources = new LruCache<ByteSource>({ maxWeight: MAX_SOURCES });
  const lookups = new LruCache<boolean>({ maxWeight: MAX_LOOKUPS, ttlMilliseconds: LOOKUP_MILLISECONDS });
  const openPath = (path: string): Promise<ByteSource> =>
    sources.load(path, async () => ({ value: fileSource(path), weight: 1 }));
  const pathInFolder = (file: StoredFile, version: string | undefined): string | undefined =>
    folder === undefined || version === undefined ? undefined : coveragePath(folder, identityOf(file), version);
  return {
    async find(file, version) {
      const path = pathOf(file);
      if (path !== undefined && (await isCurrentFile(coveragePathOf(path), path))) {
        return file.isEncrypted ? file.coverage : openPath(coveragePathOf(path));
      }
      if (file.coverage !== undefined && (await hasCoverage(file, version, lookups))) return file.coverage;
      const made = pathInFolder(file, version);
      return made !== undefined && (await isCoverageMade(made)) ? openPath(made) : undefined;
    },
    make(file, version) {
      if (file.isEncrypted === true || file.forwarded !== undefined) return;
      const path = pathOf(file);
      const output = pathInFolder(file, version) ?? (folder === undefined && path ? coveragePathOf(path) : undefined);
      if (output === undefined) return;
      const input: CoverageJob['input'] = path ?? file.data;
      maker?.request({ input, output, ...(folder !== undefined && { folder }) }, version ?? '');
    },
  };
}

/** Returns the path of a local file, which is its key. At that of an encrypted one is the ciphertext. */
function pathOf({ data }: StoredFile): string | undefined {
  const key = storedKeyOf(data);
  return isAbsolute(key) ? key : undefined;
}

function identityOf({ identity, data }: StoredFile): string {
  return identity ?? data.key;
}

/** Returns whether a remote file has a bigWig beside it that is current. */
async function hasCoverage(
  { data, coverage }: StoredFile,
  version: string | undefined,
  lookups: LruCache<boolean>,
): Promise<boolean> {
  return lookups.load(`${coverage?.key}\n${version}`, async () => {
    try {
      const stat = await data.stat();
      return { value: isMadeOf(await coverage?.stat(), stat), weight: 1 };
    } catch {
      // Most have none. One that cannot be reached is not needed.
      return { value: false, weight: 1 };
    }
  });
}
