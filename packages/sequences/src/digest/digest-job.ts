import { type Algorithms, type RawDigests, SequenceHasher } from '@htskit/digest/internal';

/** Normalised bases of one sequence within the input of a job. */
export interface SequencePiece {
  /** Identifies the sequence among all that a worker has in progress. */
  readonly sequence: number;
  /** Bytes [start, end) of the input. */
  readonly start: number;
  readonly end: number;
  /** The same in every piece of a sequence that one worker receives. */
  readonly algorithms: Algorithms;
  /** Whether the sequence ends with this piece. */
  readonly isLast: boolean;
}

export interface DigestJob {
  readonly input: ArrayBufferLike;
  readonly pieces: readonly SequencePiece[];
}

/** The digests of a sequence that has ended. */
interface SequenceResult {
  readonly sequence: number;
  readonly digests: RawDigests;
}

export interface DigestJobResult {
  readonly ended: readonly SequenceResult[];
}

/** Runs jobs one after another and keeps the hash states of sequences that have not ended. */
export class DigestJobs {
  readonly #hashers = new Map<number, SequenceHasher>();

  run({ input, pieces }: DigestJob): DigestJobResult {
    const bytes = new Uint8Array(input);
    const ended: SequenceResult[] = [];
    for (const { sequence, start, end, algorithms, isLast } of pieces) {
      const hasher = this.#hashers.get(sequence) ?? new SequenceHasher(algorithms);
      hasher.update(bytes.subarray(start, end));
      if (isLast) {
        ended.push({ sequence, digests: hasher.digest() });
        this.#hashers.delete(sequence);
      } else {
        this.#hashers.set(sequence, hasher);
      }
    }
    return { ended };
  }
}
