import { availableThreads } from '#platform';
import { JobWorker } from './job-worker.js';
import type { SpawnedWorker } from './spawned-worker.js';

export interface WorkerPoolOptions {
  /** Creates a worker whose script calls `serveJobs`. */
  readonly spawn: () => SpawnedWorker;
  /** Maximum number of workers. Default: one for each processor. */
  readonly size?: number | undefined;
}

/**
 * A pool of workers, which are started on demand. A worker that died is replaced.
 *
 * @example
 * const pool = new WorkerPool<number, number>({
 *   spawn: () => new Worker(new URL('./square-worker.js', import.meta.url)),
 * });
 * const squares = await Promise.all([1, 2, 3].map((value) => pool.run(value)));
 * await pool.close();
 */
export class WorkerPool<Job, Result> {
  readonly size: number;
  readonly #spawn: () => SpawnedWorker;
  #workers: JobWorker<Job, Result>[] = [];

  /** Starts no worker yet. Throws RangeError unless `size` is a positive integer. */
  constructor({ spawn, size = availableThreads() }: WorkerPoolOptions) {
    if (!Number.isInteger(size) || size < 1)
      throw new RangeError(`expected a positive number of workers, found ${size}`);
    this.#spawn = spawn;
    this.size = size;
  }

  /** Returns the worker with the fewest pending jobs, or a new one if all are busy and the pool is not full. */
  pick(): JobWorker<Job, Result> {
    this.#workers = this.#workers.filter(({ hasEnded }) => !hasEnded);
    const [first, ...others] = this.#workers;
    const idlest = others.reduce((best, worker) => (best && best.pending <= worker.pending ? best : worker), first);
    if (idlest !== undefined && (idlest.pending === 0 || this.#workers.length === this.size)) return idlest;
    const worker = new JobWorker<Job, Result>(this.#spawn());
    this.#workers.push(worker);
    return worker;
  }

  /** Runs `job` on the worker that `pick` returns. Rejects with WorkerError, and with the errors of `spawn`. */
  async run(job: Job, transfer?: ArrayBuffer[]): Promise<Result> {
    return this.pick().run(job, transfer);
  }

  /** Stops all workers and rejects pending jobs. Later jobs start new workers. */
  async close(): Promise<void> {
    await Promise.all(this.#workers.splice(0).map((worker) => worker.close()));
  }
}
