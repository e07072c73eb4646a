import { type Algorithms, type RawDigests, SequenceHasher } from '@htskit/digest/internal';
import { serveSessions } from '@htskit/io/workers';

/** The next bases of a sequence: the beginning of the memory. */
export interface HashJob {
  readonly memory: ArrayBuffer;
  readonly length: number;
  readonly isLast: boolean;
}

export interface HashJobResult {
  /** The memory of the job, to be filled again. */
  readonly memory: ArrayBuffer;
  /** Undefined unless the job was the last one. */
  readonly digests: RawDigests | undefined;
}

serveSessions<Algorithms, HashJob, HashJobResult>((algorithms) => {
  const hasher = new SequenceHasher(algorithms);
  return ({ memory, length, isLast }) => {
    hasher.update(new Uint8Array(memory, 0, length));
    return { result: { memory, digests: isLast ? hasher.digest() : undefined }, transfer: [memory] };
  };
});
