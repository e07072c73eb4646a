import { listen, setBusy } from '#platform';
import type { AnswerMessage } from './serve-jobs.js';
import type { SpawnedWorker } from './spawned-worker.js';
import { WorkerError } from './worker-error.js';

interface PendingJob<Result> {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: WorkerError) => void;
}

/** One worker that does its jobs one after another, in the order in which they are given to it. */
export class JobWorker<Job, Result> {
  readonly #worker: SpawnedWorker;
  readonly #pending: PendingJob<Result>[] = [];
  #end: WorkerError | undefined;

  /** Takes over `worker`, whose script calls `serveJobs`. */
  constructor(worker: SpawnedWorker) {
    this.#worker = worker;
    listen(worker, {
      onAnswer: (message) => this.#settle(message as AnswerMessage),
      onEnd: (cause) => {
        this.#finish(new WorkerError('ENDED', 'the worker ended', { cause }));
        // A Web Worker outlives an uncaught error, but does not answer the job that it was at.
        void worker.terminate();
      },
    });
  }

  /** Jobs that have no answer yet. */
  get pending(): number {
    return this.#pending.length;
  }

  /** Whether it takes no more jobs. */
  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  /** Hands over `job`, and the buffers of `transfer` within it. Rejects with WorkerError. */
  run(job: Job, transfer: ArrayBuffer[] = []): Promise<Result> {
    if (this.#end !== undefined) return Promise.reject(this.#end);
    return new Promise((resolve, reject) => {
      this.#worker.postMessage(job, transfer);
      if (this.#pending.push({ resolve, reject }) === 1) setBusy(this.#worker, true);
    });
  }

  /** Stops the worker at once. Jobs that have no answer yet are rejected with ENDED. */
  async close(): Promise<void> {
    this.#finish(new WorkerError('ENDED', 'the worker was closed'));
    await this.#worker.terminate();
  }

  #settle(message: AnswerMessage): void {
    const job = this.#pending.shift();
    // An answer that was on its way when the worker was closed. What follows must not let the process end meanwhile.
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
