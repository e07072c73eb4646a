import { Worker } from 'node:worker_threads';
import type { Algorithms, RawDigests } from '@htskit/digest/internal';
import { SessionPool, type WorkerSession } from '@htskit/io/workers';
import { type BaseHasher, createLocalHasher } from './base-hasher.js';
import type { HashJob, HashJobResult } from './hash-worker.js';

/** Bases of the shortest sequence that a worker hashes. Its MD5 takes as long as a worker needs to start. */
const WORKER_BASES = 2 ** 24;
/** Bases that are handed over at once: hashing them takes more than a millisecond, handing them over a twentieth. */
const SLOT_BASES = 2 ** 20;
/** Slots of one sequence. The worker hashes one while others are filled. */
const SLOTS = 4;

/** Resolves to the same file from `src` and from `dist`: tests run the sources, but workers always run the build. */
const script = new URL('../../dist/refget/hash-worker.js', import.meta.url);

/** Workers that run `hash-worker.ts`. */
export type HashPool = SessionPool<Algorithms, HashJob, HashJobResult>;

let pool: HashPool | undefined;

/** Creates a hasher: on a worker for a sequence that is declared to be long, otherwise on the caller's thread. */
export async function createBaseHasher(algorithms: Algorithms, declaredLength: number): Promise<BaseHasher> {
  if (declaredLength < WORKER_BASES) return createLocalHasher(algorithms);
  pool ??= new SessionPool({ spawn: () => new Worker(script, { execArgv: [] }) });
  return openBaseHasher(algorithms, pool);
}

/** Opens a hasher on a worker, or on the caller's thread if no worker starts: a bundle may lack the script, for example. */
export async function openBaseHasher(algorithms: Algorithms, workers: HashPool): Promise<BaseHasher> {
  const session = workers.open(algorithms);
  try {
    await session.run({ memory: new ArrayBuffer(0), length: 0, isLast: false });
    return new WorkerHasher(session);
  } catch {
    return createLocalHasher(algorithms);
  }
}

class WorkerHasher implements BaseHasher {
  readonly #session: WorkerSession<HashJob, HashJobResult>;
  /** Jobs whose memory was not taken back yet, the oldest first. */
  readonly #jobs: Promise<HashJobResult>[] = [];
  #slot = new Uint8Array(SLOT_BASES);
  /** Bases in the slot. */
  #filled = 0;

  constructor(session: WorkerSession<HashJob, HashJobResult>) {
    this.#session = session;
  }

  update(bases: Uint8Array): Promise<void> | undefined {
    const rest = this.#fill(bases);
    return rest.length === 0 ? undefined : this.#updateRest(rest);
  }

  async digest(): Promise<RawDigests> {
    const { digests } = await this.#post(true);
    if (digests === undefined) throw new TypeError('the digests are missing');
    return digests;
  }

  close(): void {
    this.#session.close();
  }

  async #updateRest(bases: Uint8Array): Promise<void> {
    for (let rest = bases; rest.length > 0; rest = this.#fill(rest)) {
      const job = this.#post(false);
      // The call that takes the memory back throws the failure.
      job.catch(() => undefined);
      this.#jobs.push(job);
      const oldest = this.#jobs.length < SLOTS ? undefined : await this.#jobs.shift();
      this.#slot = new Uint8Array(oldest?.memory ?? new ArrayBuffer(SLOT_BASES));
    }
  }

  /** Copies as many bases to the slot as fit, and returns the others. */
  #fill(bases: Uint8Array): Uint8Array {
    const fitting = bases.subarray(0, SLOT_BASES - this.#filled);
    this.#slot.set(fitting, this.#filled);
    this.#filled += fitting.length;
    return bases.subarray(fitting.length);
  }

  #post(isLast: boolean): Promise<HashJobResult> {
    const { buffer: memory } = this.#slot;
    const job = { memory, length: this.#filled, isLast };
    this.#filled = 0;
    return this.#session.run(job, { transfer: [memory], isLast });
  }
}
