import type { MemoryBudget } from '@htskit/io';
import { inProcess } from './stream-transform.js';
import type { TransformDescription, TransformPlace, TransformSession, TransformWorkers } from './transform.js';

export interface BoundedTransformsOptions {
  /** Default: the caller's thread does the work. */
  readonly workers: TransformWorkers | undefined;
  readonly recordBytes: number;
  readonly memory: MemoryBudget | undefined;
}

/** Opens transforms that are limited, each with an account of its own that ends with the session. */
export class BoundedTransforms implements TransformWorkers {
  readonly #options: BoundedTransformsOptions;

  constructor(options: BoundedTransformsOptions) {
    this.#options = options;
  }

  createPlace(client?: string): TransformPlace {
    const { workers = inProcess } = this.#options;
    const place = workers.createPlace(client);
    const bounded: TransformPlace = {
      take: () => place.take(),
      createPlace: () => bounded,
      open: (description) => this.#open(description, (limited) => place.open(limited)),
    };
    return bounded;
  }

  open(description: TransformDescription, client?: string): TransformSession {
    const { workers = inProcess } = this.#options;
    return this.#open(description, (limited) => workers.open(limited, client));
  }

  #open(description: TransformDescription, open: TransformPlace['open']): TransformSession {
    const { recordBytes, memory } = this.#options;
    const account = memory?.open();
    const session = open({ ...description, recordBytes, memory: account?.share });
    let running: Promise<unknown> = Promise.resolve();
    return {
      run(job) {
        const result = session.run(job);
        running = result.catch(() => undefined);
        return result;
      },
      close() {
        session.close();
        // A worker that is busy with a job still uses its memory, also if the client has gone.
        void running.then(() => account?.close());
      },
    };
  }
}
