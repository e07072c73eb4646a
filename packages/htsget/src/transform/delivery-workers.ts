import { hasWorkers, SessionPool, type WorkerSession } from '@htskit/io/workers';
import { spawnDeliveryWorker } from '#spawn-delivery-worker';
import { inProcess } from './stream-transform.js';
import {
  mayPause,
  type TransformDescription,
  type TransformJob,
  type TransformPlace,
  type TransformResult,
  type TransformSession,
  type TransformWorkers,
} from './transform.js';

export interface DeliveryWorkersOptions {
  /** Number of workers. Default: one for each processor. */
  readonly threads?: number;
  /**
   * The maximum number of parts of answers that wait for a worker. Beyond it, a new answer is refused if its client has its fair
   * share of them, and any new answer beyond twice as many. An answer that has begun is never refused. Default 64 for each
   * worker.
   */
  readonly maxWaiting?: number;
}

/**
 * Worker threads that filter, rewrite and compress records for the `workers` option of handlers and `streamPlan`. The event
 * loop then only reads and sends bytes. In a runtime without workers, the work is done by the caller's thread in short steps.
 *
 * @example
 * const workers = new DeliveryWorkers();
 * const handler = createHtsgetHandler({
 *   publicUrl: 'https://data.example.org',
 *   resolve: async () => [{ format: 'BAM', data: fileSource('reads.bam') }],
 *   workers,
 * });
 */
export class DeliveryWorkers implements TransformWorkers {
  readonly #pool: SessionPool<TransformDescription, TransformJob, TransformResult>;

  /** Starts no worker yet. Throws RangeError unless `threads` is a positive integer. */
  constructor({ threads, maxWaiting }: DeliveryWorkersOptions = {}) {
    this.#pool = new SessionPool({ spawn: spawnDeliveryWorker, size: threads, maxWaiting });
  }

  createPlace(client?: string): TransformPlace {
    if (!hasWorkers) return inProcess;
    const sessions = this.#pool.createPlace({ key: client });
    const place: TransformPlace = {
      take: () => sessions.take(),
      createPlace: () => place,
      open: (description) => toTransformSession(description, sessions.open(description)),
    };
    return place;
  }

  open(description: TransformDescription, client?: string): TransformSession {
    if (!hasWorkers) return inProcess.open(description);
    return toTransformSession(description, this.#pool.open(description, { key: client }));
  }

  /** Stops the workers. Answers in progress fail, and later ones start new workers. */
  async close(): Promise<void> {
    await this.#pool.close();
  }
}

function toTransformSession(
  description: TransformDescription,
  session: WorkerSession<TransformJob, TransformResult>,
): TransformSession {
  return {
    run: (job) => {
      // A copy: the source may keep the memory of its chunks.
      const chunk = job.chunk && new Uint8Array(job.chunk);
      // A transform that may have further results after the last bytes runs until the session is closed.
      const isLast = job.isLast && !mayPause(description);
      return session.run({ ...job, chunk }, { isLast, transfer: chunk && [chunk.buffer] });
    },
    close: () => session.close(),
  };
}
