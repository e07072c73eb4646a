import { availableThreads } from '#platform';
import { JobWorker } from './job-worker.js';
import type { SpawnedWorker } from './spawned-worker.js';

export interface WorkerPoolOptions {
  /** Starts a worker whose script calls `serveJobs`. */
  readonly spawn: () => SpawnedWorker;
  /** Most workers at a time. By default as many as there are processors. */
  readonly size?: number | undefined;
}

/** Workers that are started when they are needed. One that died is replaced. */
export class WorkerPool<Job, Result> {
  readonly size: number;
  readonly #spawn: () => SpawnedWorker;
  #workers: JobWorker<Job, Result>[] = [];

  /** Starts no worker yet. Throws RangeError for a size that is no positive whole number. */
  constructor({ spawn, size = availableThreads() }: WorkerPoolOptions) {
    if (!Number.isInteger(size) || size < 1) throw new RangeError(`a pool of ${size} workers`);
    this.#spawn = spawn;
    this.size = size;
  }

  /** The worker with the fewest pending jobs; a new one if all are busy and there may be more. */
  pick(): JobWorker<Job, Result> {
    this.#workers = this.#workers.filter(({ hasEnded }) => !hasEnded);
    const [first, ...others] = this.#workers;
    const idlest = others.reduce((best, worker) => (best && best.pending <= worker.pending ? best : worker), first);
    if (idlest !== undefined && (idlest.pending === 0 || this.#workers.length === this.size)) return idlest;
    const worker = new JobWorker<Job, Result>(this.#spawn());
    this.#workers.push(worker);
    return worker;
  }

  /** Gives `job` to the worker that `pick` names. Rejects with WorkerError, and what `spawn` throws. */
  async run(job: Job, transfer?: ArrayBuffer[]): Promise<Result> {
    return this.pick().run(job, transfer);
  }

  /** Stops all workers; pending jobs are rejected. Later jobs start new ones. */
  async close(): Promise<void> {
    await Promise.all(this.#workers.splice(0).map((worker) => worker.close()));
  }
}
