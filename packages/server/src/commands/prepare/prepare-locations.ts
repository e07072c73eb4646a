import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { BgzfPool } from '@htskit/bgzf';
import type { CharacterPolicy } from '@htskit/sequences';
import { ofFile } from '../../errors.js';
import { Identity } from '../../stored-file/identity.js';
import { reportFailure } from '../../terminal/messages.js';
import { searchReferences } from '../view/record-target.js';
import { prepareFile } from './prepare-file.js';
import { PrepareReport } from './prepare-report.js';
import type { PreparedKind, PrepareOptions } from './prepared-file.js';
import { isPreparable, openPreparedLocation, type PreparedLocation } from './prepared-location.js';
import { isInShare, type Share } from './share.js';

/** The options of `htskit prepare`. */
export interface PrepareFlags {
  readonly index: boolean;
  readonly coverage: boolean;
  readonly digests: boolean;
  readonly checksums: boolean;
  readonly cache?: string;
  readonly characters?: CharacterPolicy;
  readonly reference?: string;
  /** The files with the secret keys that decrypt the files. */
  readonly identity: readonly string[];
  /** The number of files at once. */
  readonly jobs: number;
  readonly threads?: number;
  /** Default: all files. */
  readonly share: Share | undefined;
  readonly report?: string;
}

interface FoundFile {
  readonly key: string;
  readonly location: PreparedLocation;
}

/** Prepares the files of all locations, several at once, and returns whether any file or location failed. */
export async function prepareLocations(
  names: readonly string[],
  flags: PrepareFlags,
  signal: AbortSignal,
): Promise<boolean> {
  const { jobs } = flags;
  const threads = flags.threads === undefined || flags.threads === 0 ? availableParallelism() : flags.threads;
  const report = new PrepareReport(flags.report);
  const pool = new BgzfPool({ threads });
  if (flags.cache !== undefined) await mkdir(flags.cache, { recursive: true });
  const temporary = await mkdtemp(join(tmpdir(), 'htskit-prepare-'));
  const options: PrepareOptions = {
    kinds: kindsOf(flags),
    pool,
    workers: Math.floor(threads / jobs),
    keys: new Identity(flags.identity),
    reference: searchReferences(flags.reference, true).read,
    temporary,
    cache: flags.cache,
    characters: flags.characters,
    signal,
  };
  try {
    const files = listFiles(names, { share: flags.share, report, signal });
    const work = async (): Promise<void> => {
      for (let next = await files.next(); next.done !== true; next = await files.next()) {
        const { key, location } = next.value;
        const outcome = await prepareFile(key, location, options);
        if (outcome !== undefined) report.add(outcome);
      }
    };
    await Promise.all(Array.from({ length: jobs }, work));
    return report.finish();
  } finally {
    report.close();
    await pool.close();
    await rm(temporary, { recursive: true, force: true });
  }
}

const KINDS: readonly PreparedKind[] = ['index', 'coverage', 'digests', 'checksums'];

function kindsOf(flags: PrepareFlags): readonly PreparedKind[] {
  const kinds = KINDS.filter((kind) => flags[kind]);
  return kinds.length > 0 ? kinds : ['index'];
}

/** Yields the files of a share of all locations as they are listed. A location that cannot be listed is reported. */
async function* listFiles(
  names: readonly string[],
  {
    share,
    report,
    signal,
  }: Pick<PrepareFlags, 'share'> & { readonly report: PrepareReport; readonly signal: AbortSignal },
): AsyncGenerator<FoundFile, void> {
  for (const name of names) {
    try {
      const location = await openPreparedLocation(name);
      for await (const key of location.list(signal)) {
        if (isPreparable(key) && (share === undefined || isInShare(key, share))) yield { key, location };
      }
    } catch (error) {
      signal.throwIfAborted();
      reportFailure(ofFile(name, error).message);
      report.addFailure();
    }
  }
}
