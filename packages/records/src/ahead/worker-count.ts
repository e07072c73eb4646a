import { availableThreads, hasWorkers } from '@htskit/io/workers';

/** The default of the maximum: no caller consumes records faster than four workers decode them. */
const DEFAULT_WORKERS = 4;

/**
 * Returns the number of workers that read ahead for one file, at most one for each processor. Without the option, a single processor
 * has none: a worker would only take time from the caller. Throws RangeError unless the option is an integer of at least 0.
 */
export function countWorkers(workers: number | undefined): number {
  if (workers !== undefined && !(Number.isInteger(workers) && workers >= 0)) {
    throw new RangeError(`expected a number of workers, found ${workers}`);
  }
  const processors = availableThreads();
  if (!hasWorkers || (workers === undefined && processors === 1)) return 0;
  return Math.min(workers ?? DEFAULT_WORKERS, processors);
}
