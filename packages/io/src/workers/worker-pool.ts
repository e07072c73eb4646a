import { availableThreads, listen, setBusy } from '#platform';
import type { AnswerMessage } from './serve-jobs.js';

/** The methods that a `Worker` of node:worker_threads and a `Worker` of a browser have in common. */
export interface SpawnedWorker {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  terminate(): unknown;
}

/** Listeners for the events of a worker. */
export interface WorkerEvents {
  /** Called with each message of the worker. */
  readonly onAnswer: (message: unknown) => void;
  /** Called one or more times when the worker has died. The first call has the cause, if one is known. */
  readonly onEnd: (cause: unknown) => void;
}

/**
 * JOB_FAILED: the handler threw. ENDED: the worker died or was closed before it answered. QUEUE_FULL: too many jobs wait for a
 * worker.
 */
export type WorkerErrorCode = 'JOB_FAILED' | 'ENDED' | 'QUEUE_FULL';

/** The reason why a job has no result. */
export class WorkerError extends Error {
  override readonly name = 'WorkerError';
  readonly code: WorkerErrorCode;

  constructor(code: WorkerErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

interface PendingJob<Result> {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: WorkerError) => void;
}

/**
 * One worker that does its jobs one after another, in the order of the calls.
 *
 * @example
 * const worker = new JobWorker<number, number>(new Worker(new URL('./square-worker.js', import.meta.url)));
 * console.log(await worker.run(3)); // 9
 * await worker.close();
 */
export class JobWorker<Job, Result> {
  readonly #worker: SpawnedWorker;
  readonly #pending: PendingJob<Result>[] = [];
  #end: WorkerError | undefined;

  /** Takes ownership of `worker`, whose script calls `serveJobs`. */
  constructor(worker: SpawnedWorker) {
    this.#worker = worker;
    listen(worker, {
      onAnswer: (message) => this.#settle(message as AnswerMessage),
      onEnd: (cause) => {
        this.#finish(new WorkerError('ENDED', 'the worker ended', { cause }));
        // A Web Worker survives an uncaught error without answering its current job.
        void worker.terminate();
      },
    });
  }

  /** Number of jobs without an answer. */
  get pending(): number {
    return this.#pending.length;
  }

  /** Whether the worker has died or was closed. */
  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  /** Posts `job`, transfers the buffers of `transfer` within it, and returns the result. Rejects with WorkerError. */
  run(job: Job, transfer: ArrayBuffer[] = []): Promise<Result> {
    if (this.#end !== undefined) return Promise.reject(this.#end);
    return new Promise((resolve, reject) => {
      this.#worker.postMessage(job, transfer);
      if (this.#pending.push({ resolve, reject }) === 1) setBusy(this.#worker, true);
    });
  }

  /** Stops the worker immediately. Jobs without an answer are rejected with ENDED. */
  async close(): Promise<void> {
    this.#finish(new WorkerError('ENDED', 'the worker was closed'));
    await this.#worker.terminate();
  }

  #settle(message: AnswerMessage): void {
    const job = this.#pending.shift();
    // The answer was in transit when the worker was closed. Unreferencing the worker now could end the process too
    // early.
    if (job === undefined) return;
    if (this.#pending.length === 0) setBusy(this.#worker, false);
    if (message.isDone) job.resolve(message.result as Result);
    else job.reject(new WorkerError('JOB_FAILED', message.message));
  }

  #finish(error: WorkerError): void {
    this.#end ??= error;
    for (const { reject } of this.#pending.splice(0)) reject(this.#end);
  }
}

export interface WorkerPoolOptions {
  /** Creates a worker whose script calls `serveJobs`. */
  readonly spawn: () => SpawnedWorker;
  /** Maximum number of workers. Default: one for each processor. */
  readonly size?: number;
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
