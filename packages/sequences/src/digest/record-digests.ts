import type { SequenceDigests } from '@htskit/digest';
import { type RawDigests, toSequenceDigests } from '@htskit/digest/internal';
import { JobWorker } from '@htskit/workers';
import { spawnDigestWorker } from '#spawn-digest-worker';
import { type DigestJob, type DigestJobResult, DigestJobs } from './digest-job.js';

/** Runs digest jobs in order, on a worker or on the caller's thread. */
export interface DigestLane {
  /** Bytes handed to the lane so far, counted once per algorithm; balances the lanes. */
  load: number;
  /** The part of `load` that is hashed with MD5. */
  md5Load: number;
  readonly hasEnded: boolean;
  run(job: DigestJob, transfer: ArrayBuffer[]): Promise<DigestJobResult>;
  close(): Promise<void>;
}

export function createWorkerLane(): DigestLane {
  const worker = new JobWorker<DigestJob, DigestJobResult>(spawnDigestWorker());
  return {
    load: 0,
    md5Load: 0,
    get hasEnded() {
      return worker.hasEnded;
    },
    run: (job, transfer) => worker.run(job, transfer),
    close: () => worker.close(),
  };
}

/** Creates a lane on the caller's thread. */
export function createLocalLane(): DigestLane {
  const jobs = new DigestJobs();
  return { load: 0, md5Load: 0, hasEnded: false, run: async (job) => jobs.run(job), close: () => Promise.resolve() };
}

/** The digests of one record of a FASTA file. */
export interface FastaDigests extends SequenceDigests {
  /** The first word after `>`. */
  readonly name: string;
  /** The rest of that line, trimmed. */
  readonly description: string;
}

/** The lanes that compute the digests of a record; both may be the same lane. */
export interface RecordLanes {
  readonly md5: DigestLane;
  readonly sha512: DigestLane;
}

/** Gathers the digests of a record from one lane or two. */
export class RecordDigests {
  readonly sequence: number;
  readonly #name: string;
  readonly #description: string;
  #md5: Uint8Array | undefined;
  #sha512: Uint8Array | undefined;
  #length = 0;
  /** Undefined until the first part of the record is handed to a lane. */
  lanes: RecordLanes | undefined;

  constructor({ sequence, name, description }: { sequence: number; name: string; description: string }) {
    this.sequence = sequence;
    this.#name = name;
    this.#description = description;
  }

  /** Adds the result of a lane. */
  add({ length, md5, sha512 }: RawDigests): void {
    this.#length = length;
    this.#md5 ??= md5;
    this.#sha512 ??= sha512;
  }

  /** Undefined until both digests are known. */
  get result(): FastaDigests | undefined {
    if (this.#md5 === undefined || this.#sha512 === undefined) return undefined;
    const digests = toSequenceDigests(this.#length, this.#md5, this.#sha512);
    return { name: this.#name, description: this.#description, ...digests };
  }
}
