import { BgzfPool } from '@htskit/bgzf';
import type { NormalizeOptions } from '@htskit/digest';
import { availableThreads, hasWorkers } from '@htskit/workers';
import { decompress } from './decompress.js';
import { createLocalLane, createWorkerLane, type DigestLane } from './digest-lane.js';
import { FastaDispatcher } from './fasta-dispatcher.js';
import type { FastaDigests } from './record-digests.js';

export interface DigestPoolOptions {
  /** Workers to use. By default as many as there are processors. Where the runtime has none, the caller's thread. */
  readonly threads?: number | undefined;
}

/** Bytes of text that are taken before it is waited for the workers, whatever the chunks. */
const STEP_BYTES = 2 ** 20;

/** How far a FASTA is digested. */
export interface FastaProgress {
  /** Bytes that were read, compressed if the file is. */
  readonly bytesRead: number;
  /** Records whose digests were given. */
  readonly sequences: number;
}

export interface DigestFastaOptions extends NormalizeOptions {
  /** Ends the iteration with its reason, at the next step; `chunks` may take it to end at once. */
  readonly signal?: AbortSignal | undefined;
  /** Told after each step of at most 1 MiB of text, and at the end. */
  readonly onProgress?: ((progress: FastaProgress) => void) | undefined;
}

/**
 * Digests FASTA files on all processors: MD5 and SHA-512 of a long sequence side by side, and short sequences many at a
 * time. One pool serves any number of files at once. Workers start when there is more than 1 MiB to digest, and do not
 * keep a process alive when they are idle.
 */
export class DigestPool {
  readonly #threads: number;
  readonly #bgzf: BgzfPool;
  #lanes: DigestLane[] = [];
  #sequences = 0;

  /** Throws RangeError for a number of threads that is no positive whole number. */
  constructor({ threads = availableThreads() }: DigestPoolOptions = {}) {
    this.#bgzf = new BgzfPool({ threads });
    this.#threads = threads;
  }

  /**
   * The digests of each record of a FASTA file, plain or compressed by bgzip or gzip, in file order and in constant
   * memory. Any chunking of the bytes gives the same. Throws DigestError INVALID_DATA for corrupt gzip, BgzfError for
   * corrupt BGZF, FormatError for what is no FASTA, WorkerError, and what `chunks` throws.
   */
  async *digestFasta(
    chunks: AsyncIterable<Uint8Array>,
    { keepAsterisk = false, signal, onProgress }: DigestFastaOptions = {},
  ): AsyncGenerator<FastaDigests, void> {
    const dispatcher = new FastaDispatcher({
      startLanes: () => this.#startLanes(),
      shortLane: createLocalLane(),
      nextSequence: () => this.#sequences++,
      keepAsterisk,
    });
    const progress = { bytesRead: 0, sequences: 0 };
    const counted = countBytes(chunks, progress);
    const finished = function* (): Generator<FastaDigests, void> {
      for (const digests of dispatcher.takeFinished()) {
        progress.sequences += 1;
        yield digests;
      }
      onProgress?.({ ...progress });
    };
    try {
      signal?.throwIfAborted();
      for await (const text of decompress(counted, this.#bgzf)) {
        for (let at = 0; at < text.length; at += STEP_BYTES) {
          signal?.throwIfAborted();
          dispatcher.push(text.subarray(at, at + STEP_BYTES));
          await dispatcher.ready();
          yield* finished();
        }
      }
      dispatcher.finish();
      await dispatcher.settle();
      signal?.throwIfAborted();
      yield* finished();
    } finally {
      dispatcher.abandon();
    }
  }

  /** Stops the workers. What is under way fails; later files start new ones. */
  async close(): Promise<void> {
    await Promise.all([this.#bgzf.close(), ...this.#lanes.splice(0).map((lane) => lane.close())]);
  }

  #startLanes(): readonly DigestLane[] {
    this.#lanes = this.#lanes.filter(({ hasEnded }) => !hasEnded);
    const size = hasWorkers ? this.#threads : 1;
    // A lane that takes the place of another one is not to catch up with what that one was given.
    const load = Math.min(...this.#lanes.map((lane) => lane.load));
    while (this.#lanes.length < size) {
      const lane = hasWorkers ? createWorkerLane() : createLocalLane();
      lane.load = Number.isFinite(load) ? load : 0;
      this.#lanes.push(lane);
    }
    return [...this.#lanes];
  }
}

/** `DigestPool.digestFasta` with a pool of its own, which is closed at the end. */
export async function* digestFasta(
  chunks: AsyncIterable<Uint8Array>,
  options: DigestFastaOptions & DigestPoolOptions = {},
): AsyncGenerator<FastaDigests, void> {
  const pool = new DigestPool(options);
  try {
    yield* pool.digestFasta(chunks, options);
  } finally {
    await pool.close();
  }
}

async function* countBytes(
  chunks: AsyncIterable<Uint8Array>,
  progress: { bytesRead: number },
): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of chunks) {
    progress.bytesRead += chunk.length;
    yield chunk;
  }
}
