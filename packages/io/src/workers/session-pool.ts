import { FairQueue } from './fair-queue.js';
import type { SessionMessage } from './serve-sessions.js';
import { type JobWorker, WorkerError, WorkerPool, type WorkerPoolOptions } from './worker-pool.js';

export interface SessionPoolOptions extends WorkerPoolOptions {
  /**
   * The maximum number of jobs that wait for a worker. Beyond it, no place can be taken for a key that has its fair share of
   * the waiting jobs, and none at all beyond twice as many. Default 64 for each worker.
   */
  readonly maxWaiting?: number;
}

/** How the jobs of a session are queued. */
export interface SessionOptions {
  /** Sessions with one key take turns with those of other keys: the address of a client, for example. Default: one key. */
  readonly key?: string;
}

/**
 * The place of a task of any number of sessions. Once it is taken, none of their jobs is refused. It holds nothing: only jobs
 * that wait count for others.
 */
export interface SessionPlace<Start, Job, Result> {
  /** Takes the place. The first job does so too. Throws `WorkerError` QUEUE_FULL if too many jobs wait: see `maxWaiting`. */
  take(): void;
  /** Opens a session with the key of the place. Its first job rejects with QUEUE_FULL if the place cannot be taken. */
  open(start: Start): WorkerSession<Job, Result>;
}

/** How a job of a session is run. */
export interface SessionJobOptions {
  /** Buffers within the job to transfer instead of copying them. */
  readonly transfer?: ArrayBuffer[];
  /** Whether the session ends with this job. Default false. */
  readonly isLast?: boolean;
}

/** A sequence of jobs that one worker does in order, with state that it keeps between them. */
export interface WorkerSession<Job, Result> {
  /**
   * Does a job after the earlier jobs of the session. A caller that waits for each result before it runs the next job shares
   * the workers fairly with other sessions. Rejects with `WorkerError`: ENDED if the session has ended or its worker died,
   * JOB_FAILED if the handler threw, QUEUE_FULL as `SessionPlace` says.
   */
  run(job: Job, options?: SessionJobOptions): Promise<Result>;
  /** Ends the session. Its jobs that wait are rejected with ENDED, and the worker drops its state. */
  close(): void;
}

/** Jobs that a worker has at the same time: it does one, and has the next one when that is done. */
const JOBS_PER_WORKER = 2;

/**
 * Jobs of ten milliseconds or so then wait for less than a second. With fewer, workers would be idle when clients that were
 * refused wait for a second before they try again.
 */
const WAITING_PER_WORKER = 64;

/**
 * A pool of workers that do the jobs of many sessions. A session begins on the first worker that is free and stays there. Jobs
 * wait in one queue, in which the keys of sessions take turns: a client with many sessions does not delay the others.
 *
 * @example
 * const pool = new SessionPool<number, number, number>({
 *   spawn: () => new Worker(new URL('./adding-worker.js', import.meta.url)),
 * });
 * const session = pool.open(10, { key: 'client 1' });
 * console.log(await session.run(1), await session.run(2, { isLast: true })); // 11 13
 * await pool.close();
 */
export class SessionPool<Start, Job, Result> {
  readonly #workers: WorkerPool<SessionMessage<Start, Job>, Result>;
  readonly #maxWaiting: number;
  readonly #queue = new FairQueue<WaitingJob<Start, Job, Result>>();
  #lastId = 0;

  /** Starts no worker yet. Throws RangeError unless `size` is a positive integer. */
  constructor({ maxWaiting, ...options }: SessionPoolOptions) {
    this.#workers = new WorkerPool(options);
    this.#maxWaiting = maxWaiting ?? WAITING_PER_WORKER * this.size;
  }

  /** Maximum number of workers. */
  get size(): number {
    return this.#workers.size;
  }

  /** Number of jobs that wait for a worker. */
  get waiting(): number {
    return this.#queue.size;
  }

  /** Opens a session, whose handler is created from `start` with its first job. It needs no place and is never refused. */
  open(start: Start, { key = '' }: SessionOptions = {}): WorkerSession<Job, Result> {
    return this.#open(start, { key, takePlace: () => undefined });
  }

  /** Returns a place, which is not taken yet. */
  createPlace({ key = '' }: SessionOptions = {}): SessionPlace<Start, Job, Result> {
    let isTaken = false;
    const takePlace = (): void => {
      if (!isTaken && this.#isFull(key))
        throw new WorkerError('QUEUE_FULL', `${this.waiting} jobs are waiting for a worker`);
      isTaken = true;
    };
    return { take: takePlace, open: (start) => this.#open(start, { key, takePlace }) };
  }

  /** Stops all workers and rejects all jobs with ENDED. Later sessions start new workers. */
  async close(): Promise<void> {
    this.#rejectAll(new WorkerError('ENDED', 'the pool was closed'));
    await this.#workers.close();
  }

  #open(start: Start, queued: Pick<Session<Start, Job, Result>, 'key' | 'takePlace'>): WorkerSession<Job, Result> {
    const session: Session<Start, Job, Result> = { id: ++this.#lastId, start, ...queued, isEnded: false };
    return {
      run: (job, options = {}) =>
        new Promise((resolve, reject) => this.#add({ session, job, ...options, resolve, reject })),
      close: () => this.#end(session),
    };
  }

  #add(waiting: WaitingJob<Start, Job, Result>): void {
    const { session, isLast = false, reject } = waiting;
    try {
      if (session.isEnded) throw new WorkerError('ENDED', 'the session has ended');
      session.takePlace();
    } catch (error) {
      session.isEnded = true;
      reject(error);
      return;
    }
    session.isEnded = isLast;
    this.#queue.add(session.key, waiting);
    this.#dispatch();
  }

  #isFull(key: string): boolean {
    const { size, keyCount } = this.#queue;
    const own = this.#queue.count(key);
    const share = this.#maxWaiting / (own === 0 ? keyCount + 1 : keyCount);
    return size >= 2 * this.#maxWaiting || (size >= this.#maxWaiting && own >= share);
  }

  #dispatch(): void {
    while (this.#queue.size > 0) {
      let idlest: JobWorker<SessionMessage<Start, Job>, Result>;
      try {
        idlest = this.#workers.pick();
      } catch (error) {
        this.#rejectAll(error);
        return;
      }
      const next = this.#queue.take(({ session: { worker = idlest } }) => worker.pending < JOBS_PER_WORKER);
      if (next === undefined) return;
      this.#post(next, idlest);
    }
  }

  #post(
    { session, job, transfer, isLast = false, resolve, reject }: WaitingJob<Start, Job, Result>,
    idlest: JobWorker<SessionMessage<Start, Job>, Result>,
  ): void {
    const { id, start } = session;
    const message = session.worker === undefined ? { id, start, job, isLast } : { id, job, isLast };
    session.worker ??= idlest;
    const fail = (error: unknown): void => {
      session.isEnded = true;
      reject(error);
    };
    session.worker
      .run(message, { transfer })
      .then(resolve, fail)
      .finally(() => this.#dispatch());
  }

  #end(session: Session<Start, Job, Result>): void {
    const removed = this.#queue.remove(session.key, (waiting) => waiting.session === session);
    for (const { reject } of removed) reject(new WorkerError('ENDED', 'the session was closed'));
    const isLastPosted = session.isEnded && removed.length === 0;
    session.isEnded = true;
    if (isLastPosted) return;
    // The worker may have died, and its state with it.
    const ending = session.worker?.run({ id: session.id, isLast: true }).catch(() => undefined);
    // Jobs wait for this message, too, if the worker has nothing else to do.
    void ending?.finally(() => this.#dispatch());
  }

  #rejectAll(error: unknown): void {
    while (this.#queue.size > 0) this.#queue.take(() => true)?.reject(error);
  }
}

interface Session<Start, Job, Result> {
  readonly id: number;
  readonly key: string;
  /** Throws `WorkerError` QUEUE_FULL. */
  readonly takePlace: () => void;
  readonly start: Start;
  /** The worker that has its state. Undefined before the first job was posted. */
  worker?: JobWorker<SessionMessage<Start, Job>, Result>;
  isEnded: boolean;
}

interface WaitingJob<Start, Job, Result> extends SessionJobOptions {
  readonly session: Session<Start, Job, Result>;
  readonly job: Job;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}
