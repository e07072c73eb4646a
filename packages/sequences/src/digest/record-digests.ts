import type { OmittedCharacters, SequenceCharacters, SequenceDigests } from '@htskit/digest';
import { OmittedTally } from '@htskit/digest/internal';
import { JobWorker } from '@htskit/io/workers';
import { spawnDigestWorker } from '#spawn-digest-worker';
import { type DigestJob, type DigestJobResult, DigestJobs, MD5, SHA512 } from './digest-job.js';

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
    run: (job, transfer) => worker.run(job, { transfer }),
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
  /** The first word after `>`; empty if there is none. */
  readonly name: string;
  /** The rest of that line, trimmed. */
  readonly description: string;
  /** The characters that the digests do not cover; undefined if there are none. */
  readonly omitted?: OmittedCharacters;
}

/** The lanes that compute the digests of a record; both may be the same lane. */
export interface RecordLanes {
  readonly md5: DigestLane;
  readonly sha512: DigestLane;
}

/** Gathers the digests of a record from one lane or two. */
export class RecordDigests {
  /** Records of the file before this one. */
  readonly index: number;
  readonly name: string;
  readonly #description: string;
  #omitted: OmittedTally | undefined;
  #md5: SequenceDigests | undefined;
  #sha512: SequenceDigests | undefined;
  #result: FastaDigests | undefined;
  /** Bases so far. */
  baseCount = 0;
  /** Whether a part of the record has been put in a slot. */
  hasParts = false;
  /** Undefined until a part of the record is handed to a lane before the record ends. */
  lanes: RecordLanes | undefined;

  constructor(index: number, name: string, description: string) {
    this.index = index;
    this.name = name;
    this.#description = description;
  }

  /** Counts the characters of the next bytes of the text that their normalisation drops. */
  addOmitted(bytes: Uint8Array, characters: SequenceCharacters): void {
    this.#omitted ??= new OmittedTally(characters);
    this.#omitted.add(bytes, this.baseCount);
  }

  /** The characters that were omitted so far. */
  get omitted(): OmittedCharacters | undefined {
    return this.#omitted?.result;
  }

  /** Adds the result of a lane. Only the digests of its algorithms are valid. */
  add(digests: SequenceDigests, algorithms: number): void {
    const md5 = (algorithms & MD5) !== 0 ? digests : this.#md5;
    const sha512 = (algorithms & SHA512) !== 0 ? digests : this.#sha512;
    if (md5 === undefined || sha512 === undefined) {
      this.#md5 = md5;
      this.#sha512 = sha512;
      return;
    }
    const { length } = md5;
    const { sha512t24u, trunc512 } = sha512;
    const found = { name: this.name, description: this.#description, length, md5: md5.md5, sha512t24u, trunc512 };
    const { omitted } = this;
    this.#result = omitted === undefined ? found : { ...found, omitted };
  }

  /** Undefined until both digests are known. */
  get result(): FastaDigests | undefined {
    return this.#result;
  }
}
