import { availableThreads, listen, setBusy } from '#platform';
import { yieldToEventLoop } from '../event-loop.js';
import { type AnswerMessage, toFailure, type WorkerMessage } from './serve-jobs.js';

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

/** How a worker does a job. */
export interface JobOptions {
  /** Buffers within the job to transfer instead of copying them. */
  readonly transfer?: ArrayBuffer[];
  /** Answers what the worker asks while it does the job. If it throws, the worker's question fails with the message. */
  readonly reply?: (question: unknown) => Promise<unknown>;
}

interface PendingJob<Result> extends Pick<JobOptions, 'reply'> {
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
  #hasStarted = false;

  /** Takes ownership of `worker`, whose script calls `serveJobs`. */
  constructor(worker: SpawnedWorker) {
    this.#worker = worker;
    listen(worker, {
      onAnswer: (message) => this.#receive(message as AnswerMessage),
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

  /** Whether the script of the worker has been loaded. */
  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  /** Whether the worker has died or was closed. */
  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  /** Posts `job`, and returns the result. Rejects with WorkerError. */
  run(job: Job, { transfer = [], reply }: JobOptions = {}): Promise<Result> {
    if (this.#end !== undefined) return Promise.reject(this.#end);
    return new Promise((resolve, reject) => {
      this.#post({ kind: 'job', job }, transfer);
      if (this.#pending.push({ resolve, reject, reply }) === 1) setBusy(this.#worker, true);
    });
  }

  /** Stops the worker immediately. Jobs without an answer are rejected with ENDED. */
  async close(): Promise<void> {
    this.#finish(new WorkerError('ENDED', 'the worker was closed'));
    await this.#worker.terminate();
  }

  #receive(message: AnswerMessage): void {
    if (message.kind === 'started') this.#hasStarted = true;
    else if (message.kind === 'question') void this.#reply(message);
    else this.#settle(message);
  }

  #settle({ outcome }: Extract<AnswerMessage, { readonly kind: 'answer' }>): void {
    const job = this.#pending.shift();
    // The answer was in transit when the worker was closed. Unreferencing the worker now could end the process too
    // early.
    if (job === undefined) return;
    if (this.#pending.length === 0) setBusy(this.#worker, false);
    if (outcome.isDone) job.resolve(outcome.result as Result);
    else job.reject(new WorkerError('JOB_FAILED', outcome.message));
  }

  /** Replies to a question about the oldest job, which is the one that the worker does. */
  async #reply({ number, question }: Extract<AnswerMessage, { readonly kind: 'question' }>): Promise<void> {
    const reply = this.#pending[0]?.reply;
    try {
      const result = await reply?.(question);
      this.#post({ kind: 'reply', question: number, outcome: { isDone: true, result } });
    } catch (error) {
      this.#post({ kind: 'reply', question: number, outcome: toFailure(error) });
    }
  }

  #post(message: WorkerMessage, transfer: ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transfer);
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

/** How a job of a pool is run. */
export interface PoolJobOptions extends JobOptions {
  /** The number of workers of the pool that may do it. Default: all. */
  readonly limit?: number | undefined;
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
  /** Whether a worker could not be started. */
  #isRefused = false;

  /** Starts no worker yet. Throws RangeError unless `size` is a positive integer. */
  constructor({ spawn, size = availableThreads() }: WorkerPoolOptions) {
    if (!Number.isInteger(size) || size < 1)
      throw new RangeError(`expected a positive number of workers, found ${size}`);
    this.#spawn = spawn;
    this.size = size;
  }

  /**
   * Returns whether a worker has started. The first call starts one, unless that fails: a bundle may lack the script, and a page may
   * forbid workers. Callers that can do the work themselves do so until then. Each call before takes a turn of the event loop, in
   * which the worker can report that it has started.
   */
  async isReady(): Promise<boolean> {
    if (!this.#hasStarted() && !this.#isRefused) {
      this.#start();
      await yieldToEventLoop();
      this.#isRefused ||= this.#workers.some(({ hasStarted, hasEnded }) => hasEnded && !hasStarted);
    }
    return this.#hasStarted();
  }

  /** Whether no worker has failed to start. Jobs of a worker that has not started wait for it. */
  get mayStart(): boolean {
    return !this.#isRefused;
  }

  #hasStarted(): boolean {
    return this.#workers.some(({ hasStarted }) => hasStarted);
  }

  #start(): void {
    try {
      if (this.#workers.length === 0) this.pick();
    } catch {
      // A page may load scripts of workers from its own origin only.
      this.#isRefused = true;
    }
  }

  /**
   * Returns the worker with the fewest pending jobs, or a new one if all are busy and the pool is not full. With a limit, only as
   * many workers of the pool are considered, always the same ones.
   */
  pick(limit: number = this.size): JobWorker<Job, Result> {
    this.#workers = this.#workers.filter(({ hasEnded }) => !hasEnded);
    const [first, ...others] = this.#workers.slice(0, limit);
    const idlest = others.reduce((best, worker) => (best && best.pending <= worker.pending ? best : worker), first);
    if (idlest !== undefined && (idlest.pending === 0 || this.#workers.length >= Math.min(limit, this.size)))
      return idlest;
    const worker = new JobWorker<Job, Result>(this.#spawn());
    this.#workers.push(worker);
    return worker;
  }

  /** Runs `job` on the worker that `pick` returns. Rejects with WorkerError, and with the errors of `spawn`. */
  async run(job: Job, { limit, ...options }: PoolJobOptions = {}): Promise<Result> {
    return this.pick(limit).run(job, options);
  }

  /** Stops all workers and rejects pending jobs. Later jobs start new workers. */
  async close(): Promise<void> {
    this.#isRefused = false;
    await Promise.all(this.#workers.splice(0).map((worker) => worker.close()));
  }
}
