import type { ObjectStore } from '@htskit/io';
import { readMarker } from './store-index.js';
import { type EntrySummary, verifyEntries } from './verify-entries.js';
import { type SequenceSummary, verifySequences } from './verify-sequences.js';

/** Something that is wrong with an object. */
export interface StoreFinding {
  readonly key: string;
  readonly problem: string;
}

export interface VerifyStoreOptions {
  readonly signal?: AbortSignal | undefined;
  /** Told of everything that is wrong. */
  readonly onFinding: (finding: StoreFinding) => void;
}

export interface VerifySummary extends SequenceSummary, EntrySummary {
  readonly findings: number;
}

/**
 * Digests every sequence of a store, on all processors, and follows every way to one. Throws SequenceStoreError NOT_A_STORE
 * and UNSUPPORTED_VERSION, and StorageError where the store cannot be read.
 */
export async function verifyStore(
  store: ObjectStore,
  { signal, onFinding }: VerifyStoreOptions,
): Promise<VerifySummary> {
  await readMarker(store);
  let findings = 0;
  const verification = {
    store,
    signal,
    report: (key: string, problem: string): void => {
      findings++;
      onFinding({ key, problem });
    },
  };
  const sequences = await verifySequences(verification);
  const entries = await verifyEntries(verification);
  return { ...sequences, ...entries, findings };
}
