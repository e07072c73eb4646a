import { type Algorithms, type RawDigests, SequenceHasher } from '@htskit/digest/internal';

/** Hashes the bases of one sequence as they arrive. */
export interface BaseHasher {
  /** Adds bases, which may change afterwards. If it returns a promise, the next call must wait for that. */
  update(bases: Uint8Array): Promise<void> | undefined;
  /** Returns the hashes. Called once, after the last `update`. */
  digest(): Promise<RawDigests>;
  /** Stops. Called last. */
  close(): void;
}

/**
 * Creates a hasher on the caller's thread, whatever the length of the sequence is declared to be. Only Node has another one:
 * bundlers and content security policies for browsers may not allow workers.
 */
export function createBaseHasher(algorithms: Algorithms, _declaredLength: number): Promise<BaseHasher> {
  return Promise.resolve(createLocalHasher(algorithms));
}

export function createLocalHasher(algorithms: Algorithms): BaseHasher {
  const hasher = new SequenceHasher(algorithms);
  return {
    update(bases) {
      hasher.update(bases);
      return undefined;
    },
    digest: () => Promise.resolve(hasher.digest()),
    close: () => undefined,
  };
}
