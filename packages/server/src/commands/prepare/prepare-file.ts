import { describeFailure } from '../../errors.js';
import { prepareChecksums } from './prepare-checksums.js';
import { prepareCoverage } from './prepare-coverage.js';
import { prepareFileDigests } from './prepare-file-digests.js';
import { prepareIndex } from './prepare-index.js';
import type { PreparedFile, PreparedKind, PrepareOptions } from './prepared-file.js';
import type { PreparedLocation } from './prepared-location.js';

/** Makes a result, and returns whether it had to be made: otherwise it exists. Returns undefined if the file has no such result. */
type Task = (file: PreparedFile, options: PrepareOptions) => Promise<boolean | undefined>;

const TASKS: Readonly<Record<PreparedKind, Task>> = {
  index: prepareIndex,
  coverage: prepareCoverage,
  digests: prepareFileDigests,
  checksums: prepareChecksums,
};

/** The outcome of preparing a file. */
export interface FileOutcome {
  readonly outcome: 'made' | 'current' | 'failed';
  /** The name of the file. */
  readonly file: string;
  readonly made: readonly PreparedKind[];
  /** The results that existed. */
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
