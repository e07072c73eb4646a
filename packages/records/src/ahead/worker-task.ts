import { type JobWorker, WorkerError, WorkerPool } from '@htskit/io/workers';
import { spawnRecordWorker } from '#spawn-record-worker';
import type { BaseRequest, RecordJob, TaskInput, TaskSetting } from './record-job.js';

type RecordWorker = JobWorker<RecordJob, readonly Uint8Array[]>;

/** The workers that decode CRAM and write text, shared by all files of the process. */
const pool: WorkerPool<RecordJob, readonly Uint8Array[]> = new WorkerPool({ spawn: spawnRecordWorker });

let lastTask = 0;

/** Jobs in progress for each worker, so that it never waits for the next one. */
const JOBS_PER_WORKER = 2;

/** How the jobs of a task are done. */
export interface WorkerTaskOptions {
  readonly setting: TaskSetting;
  /** The number of workers. */
  readonly workers: number;
  /**
   * Whether jobs wait for the first worker to start. Default: the caller does those before, which suits jobs of a few milliseconds. A
   * container may take a tenth of a second, in which the caller's event loop would stand still.
   */
  readonly awaitsStart?: boolean;
  /** Returns reference bases for a worker. */
  readonly fetchBases?: (request: BaseRequest) => Promise<Uint8Array | undefined>;
}

/** Jobs on workers that share a setting, which each worker keeps until the task is closed. */
export class WorkerTask {
  /** The number of jobs to have in progress. */
  readonly ahead: number;
  readonly #options: WorkerTaskOptions;
  readonly #id = ++lastTask;
  /** The workers that have the setting. */
  readonly #workers = new Set<RecordWorker>();

  constructor(options: WorkerTaskOptions) {
    this.#options = options;
    this.ahead = JOBS_PER_WORKER * options.workers;
  }

  /**
   * Does a job, whose bytes are copied, on the worker that has the fewest. Returns undefined if that fails, or if no worker has
   * started so far and the task does not wait for one: the caller then does it, or throws the error, which would lose its class between threads.
   */
  async run(input: TaskInput): Promise<readonly Uint8Array[] | undefined> {
    const { setting, workers, fetchBases, awaitsStart = false } = this.#options;
    if (!(await pool.isReady()) && !(awaitsStart && pool.mayStart)) return undefined;
    const worker = pool.pick(workers);
    const first = this.#workers.has(worker) ? undefined : { setting };
    this.#workers.add(worker);
    const bytes = new Uint8Array(input instanceof Uint8Array ? input : input.blocks);
    const copy = input instanceof Uint8Array ? bytes : { ...input, blocks: bytes };
    try {
      const reply = (question: unknown) => fetchBases?.(question as BaseRequest) ?? Promise.resolve(undefined);
      return await worker.run({ task: this.#id, ...first, input: copy }, { transfer: [bytes.buffer], reply });
    } catch (error) {
      if (error instanceof WorkerError) return undefined;
      throw error;
    }
  }

  /** Makes the workers forget the task. */
  close(): void {
    for (const worker of this.#workers) worker.run({ task: this.#id }).catch(() => undefined);
    this.#workers.clear();
  }
}
