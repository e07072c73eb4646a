import { BgzfPool } from '@htskit/bgzf';
import type { SequenceCharacters } from '@htskit/digest';
import { isKept, isWhiteSpace } from '@htskit/digest/internal';
import { type BorrowedBytes, peek } from '@htskit/io';
import { availableThreads, hasWorkers } from '@htskit/io/workers';
import { SequenceSourceError } from '../sequence-source-error.js';
import { countBytes, decompress } from './decompress.js';
import { FastaDispatcher, type OnOmitted, type RecordObserver } from './fasta-dispatcher.js';
import {
  createLocalLane,
  createWorkerLane,
  type DigestLane,
  type FastaDigests,
  type RecordDigests,
} from './record-digests.js';
import { describeOmitted } from './record-warnings.js';

export interface DigestPoolOptions {
  /** Number of workers. Default: one per processor. A runtime without workers uses the caller's thread. */
  readonly threads?: number;
}

/** Bytes of text that are taken before waiting for the workers, whatever the length of the chunks. */
const STEP_BYTES = 2 ** 20;

/** How much of a FASTA has been digested. */
export interface FastaProgress {
  /** Bytes read, compressed if the file is. */
  readonly bytesRead: number;
  /** Records whose digests have been yielded. */
  readonly sequences: number;
}

/**
 * The characters that the digests of a sequence cover, and that it may hold. `letters` and `sam`: see `SequenceCharacters`; the
 * digests of each record say what they omit. `strict`: letters, and a record that holds anything else but white space, or
 * has no name, fails the file.
 */
export type CharacterPolicy = SequenceCharacters | 'strict';

export interface DigestFastaOptions {
  /** Default `letters`. */
  readonly characters?: CharacterPolicy;
  /** Ends the iteration with its reason at the next step. Pass it to the source of `chunks` too, to end at once. */
  readonly signal?: AbortSignal;
  /** Called after each step of at most 1 MiB of text, and at the end. */
  readonly onProgress?: (progress: FastaProgress) => void;
  /** Follows the records as they are parsed, for callers that need more than the digests in one pass. */
  readonly observer?: RecordObserver;
}

/**
 * Digests FASTA files on all processors: MD5 and SHA-512 of a long sequence in parallel, and short sequences in batches. One
 * pool serves any number of files at once. Its workers start when there is more than 2 MiB to digest and do not keep a
 * process alive while they are idle.
 *
 * @example
 * const pool = new DigestPool({ threads: 4 });
 * for await (const { name, md5, sha512t24u } of pool.digestFasta(createReadStream('genome.fa.gz'))) {
 *   console.log(name, md5, sha512t24u);
 * }
 * await pool.close();
 */
export class DigestPool {
  readonly #threads: number;
  readonly #bgzf: BgzfPool;
  #lanes: DigestLane[] = [];
  #files = 0;

  /** Throws RangeError if `threads` is not a positive whole number. */
  constructor({ threads = availableThreads() }: DigestPoolOptions = {}) {
    this.#bgzf = new BgzfPool({ threads });
    this.#threads = threads;
  }

  /**
   * Yields the digests of each record of a FASTA file, plain or compressed by bgzip or gzip, in file order and in constant
   * memory. The chunking of the bytes does not matter. Throws DigestError INVALID_DATA for corrupt gzip, BgzfError for corrupt
   * BGZF, FormatError for text that is not FASTA, SequenceSourceError INVALID_RECORD for a record that `strict` refuses,
   * WorkerError, and what `chunks` throws.
   */
  async *digestFasta(
    chunks: AsyncIterable<BorrowedBytes>,
    options: DigestFastaOptions = {},
  ): AsyncGenerator<FastaDigests, void> {
    for await (const batch of this.digestBatches(chunks, options)) yield* batch;
  }

  /** Like `digestFasta`, in arrays: with millions of short records, an iteration for each takes as long as their digests. */
  async *digestBatches(
    chunks: AsyncIterable<BorrowedBytes>,
    { characters = 'letters', signal, onProgress, observer }: DigestFastaOptions = {},
  ): AsyncGenerator<readonly FastaDigests[], void> {
    const dispatcher = new FastaDispatcher({
      startLanes: () => this.#startLanes(),
      shortLane: createLocalLane(),
      file: this.#files++,
      characters: characters === 'strict' ? 'letters' : characters,
      observer,
      onRecord: characters === 'strict' ? refuseNameless : () => undefined,
      onOmitted: characters === 'strict' ? refuseOmitted : (record, bytes) => record.addOmitted(bytes, characters),
    });
    const read = { byteLength: 0 };
    let sequences = 0;
    const takeFinished = (): readonly FastaDigests[] => {
      const finished = dispatcher.takeFinished();
      sequences += finished.length;
      onProgress?.({ bytesRead: read.byteLength, sequences });
      return finished;
    };
    try {
      signal?.throwIfAborted();
      for await (const borrowed of decompress(countBytes(chunks, read), this.#bgzf)) {
        const chunk = peek(borrowed);
        // A view of a Buffer takes ten times as long to create as one of a Uint8Array.
        const text = new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length);
        for (let at = 0; at < text.length; at += STEP_BYTES) {
          signal?.throwIfAborted();
          dispatcher.push(text.subarray(at, at + STEP_BYTES));
          await dispatcher.ready();
          const finished = takeFinished();
          if (finished.length > 0) yield finished;
        }
      }
      dispatcher.finish();
      await dispatcher.settle();
      signal?.throwIfAborted();
      yield takeFinished();
    } finally {
      dispatcher.abandon();
    }
  }

  /** Stops the workers. Digests in progress fail; later files start new workers. */
  async close(): Promise<void> {
    await Promise.all([this.#bgzf.close(), ...this.#lanes.splice(0).map((lane) => lane.close())]);
  }

  #startLanes(): readonly DigestLane[] {
    this.#lanes = this.#lanes.filter(({ hasEnded }) => !hasEnded);
    const size = hasWorkers ? this.#threads : 1;
    // A lane that replaces another one starts with the load of the others, so that it does not get all new work.
    const load = Math.min(...this.#lanes.map((lane) => lane.load));
    while (this.#lanes.length < size) {
      const lane = hasWorkers ? createWorkerLane() : createLocalLane();
      lane.load = Number.isFinite(load) ? load : 0;
      this.#lanes.push(lane);
    }
    return [...this.#lanes];
  }
}

/**
 * Like `DigestPool.digestFasta`, with a pool of its own that is closed at the end.
 *
 * @example
 * for await (const { name, sha512t24u } of digestFasta(createReadStream('genome.fa'))) console.log(name, sha512t24u);
 */
export async function* digestFasta(
  chunks: AsyncIterable<BorrowedBytes>,
  options: DigestFastaOptions & DigestPoolOptions = {},
): AsyncGenerator<FastaDigests, void> {
  const pool = new DigestPool(options);
  try {
    yield* pool.digestFasta(chunks, options);
  } finally {
    await pool.close();
  }
}

function refuseNameless({ name, index }: RecordDigests, offset: number): void {
  if (name !== '') return;
  throw new SequenceSourceError('INVALID_RECORD', `record ${index + 1} has no name`, { offset });
}

const refuseOmitted: OnOmitted = (record, bytes, offset) => {
  const at = bytes.findIndex((byte) => !isKept(byte, 'letters') && !isWhiteSpace(byte));
  record.addOmitted(bytes.subarray(0, at + 1), 'letters');
  const { omitted } = record;
  const found = omitted === undefined ? '' : describeOmitted(omitted);
  const message = `record ${JSON.stringify(record.name)} holds characters other than letters: ${found}`;
  throw new SequenceSourceError('INVALID_RECORD', message, { offset: offset + at });
};

// Shared by all files. The workers start with the first long file and do not keep a process alive.
export const sharedDigestPool: DigestPool = new DigestPool();
export const sharedBgzfPool: BgzfPool = new BgzfPool();
