import type { BgzfPool } from '@htskit/bgzf';
import type { CramReferenceSource } from '@htskit/formats';
import type { ByteSource, SourceStat } from '@htskit/io';
import type { CharacterPolicy } from '@htskit/sequences';
import { describeFailure } from '../../errors.js';
import type { Identity } from '../../stored-file/identity.js';
import { prepareCoverage } from './prepare-coverage.js';
import { prepareFileDigests } from './prepare-file-digests.js';
import { prepareIndex } from './prepare-index.js';
import type { PreparedLocation } from './prepared-location.js';

/** What is made of a file. */
export type PreparedKind = 'index' | 'coverage' | 'digests';

/** How files are prepared. */
export interface PrepareOptions {
  readonly kinds: readonly PreparedKind[];
  /** Inflates files. */
  readonly pool: BgzfPool;
  /** The number of threads that read ahead while the coverage of one file is made. */
  readonly workers: number;
  readonly keys: Identity;
  readonly reference: CramReferenceSource;
  /** A folder for temporary files. */
  readonly temporary: string;
  /** The folder of digests. Default: beside the files. */
  readonly cache?: string;
  readonly characters?: CharacterPolicy;
  readonly signal: AbortSignal;
}

/** A file that is prepared, at one of its versions. */
export interface PreparedFile {
  readonly key: string;
  readonly location: PreparedLocation;
  /** The file as it is stored, perhaps encrypted. */
  readonly stored: ByteSource;
  readonly stat: SourceStat;
  readonly warn: (message: string) => void;
}

/** Makes a result, and returns whether it had to be made: otherwise it exists. Returns undefined if the file has no such result. */
type Task = (file: PreparedFile, options: PrepareOptions) => Promise<boolean | undefined>;

const TASKS: Readonly<Record<PreparedKind, Task>> = {
  index: prepareIndex,
  coverage: prepareCoverage,
  digests: prepareFileDigests,
};

/** What became of a file. */
export interface FileOutcome {
  readonly outcome: 'made' | 'current' | 'failed';
  /** The name of the file. */
  readonly file: string;
  readonly made: readonly PreparedKind[];
  /** What existed. */
  readonly current: readonly PreparedKind[];
  readonly failures: readonly Failure[];
  readonly warnings: readonly string[];
}

interface Failure {
  /** Undefined if the file itself cannot be read. */
  readonly kind?: PreparedKind;
  readonly message: string;
}

/**
 * Prepares a file. A result that fails does not keep the others from being made. Returns undefined if the file has none of the
 * results. Throws if the signal is aborted.
 */
export async function prepareFile(
  key: string,
  location: PreparedLocation,
  options: PrepareOptions,
): Promise<FileOutcome | undefined> {
  const stored = location.store.source(key);
  const outcome = new Outcome();
  try {
    const warn = (message: string): void => void outcome.warnings.push(message);
    const file: PreparedFile = { key, location, stored, stat: await stored.stat(options), warn };
    for (const kind of options.kinds) await outcome.add(kind, () => TASKS[kind](file, options), options.signal);
  } catch (error) {
    options.signal.throwIfAborted();
    outcome.failures.push({ message: describeFailure(error) });
  } finally {
    await stored.close?.();
  }
  return outcome.toResult(location.nameOf(key));
}

/** Collects what becomes of a file. */
class Outcome {
  readonly failures: Failure[] = [];
  readonly warnings: string[] = [];
  readonly #made: PreparedKind[] = [];
  readonly #current: PreparedKind[] = [];

  async add(kind: PreparedKind, run: () => Promise<boolean | undefined>, signal: AbortSignal): Promise<void> {
    try {
      const isMade = await run();
      if (isMade !== undefined) (isMade ? this.#made : this.#current).push(kind);
    } catch (error) {
      signal.throwIfAborted();
      this.failures.push({ kind, message: describeFailure(error) });
    }
  }

  toResult(file: string): FileOutcome | undefined {
    const [made, current, { failures, warnings }] = [this.#made, this.#current, this];
    if (made.length + current.length + failures.length === 0) return undefined;
    const outcome = failures.length > 0 ? 'failed' : made.length > 0 ? 'made' : 'current';
    return { outcome, file, made, current, failures, warnings };
  }
}
