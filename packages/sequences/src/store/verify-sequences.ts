import { type ObjectStore, StorageError } from '@htskit/io';
import { digestPool } from '../digest-pool.js';
import { SequenceObject } from './sequence-object.js';
import { SequenceStoreError } from './sequence-store-error.js';
import { SEQUENCES_PREFIX, sequenceKey, trunc512OfKey } from './store-layout.js';

/** What a store is verified with. */
export interface Verification {
  readonly store: ObjectStore;
  readonly signal: AbortSignal | undefined;
  readonly report: (key: string, problem: string) => void;
}

export interface SequenceSummary {
  /** Sequences that are as their digests say. */
  readonly sequences: number;
  /** Bases of those. */
  readonly bases: number;
}

const LINE_FEED = Uint8Array.of(0x0a);

/** Digests all sequences, and tells of those that are not as their names and headers say. */
export async function verifySequences(verification: Verification): Promise<SequenceSummary> {
  const { signal, report } = verification;
  const summary = { sequences: 0, bases: 0 };
  /** Those whose digests are to come. */
  const opened = new Map<string, SequenceObject>();
  // As one FASTA, because the pool digests many short sequences at a time.
  for await (const found of digestPool.digestFasta(toFasta(verification, opened), { signal })) {
    const object = opened.get(found.name);
    // What could not be read to its end has been told.
    if (object === undefined) continue;
    opened.delete(found.name);
    const { md5, trunc512 } = object.header.digests;
    if (found.trunc512 !== trunc512) report(object.key, 'the bases do not match their sha512t24u');
    else if (found.md5 !== md5) report(object.key, 'the bases do not match their MD5');
    else {
      summary.sequences++;
      summary.bases += found.length;
    }
  }
  return summary;
}

/** What is wrong with an object that could not be read, such as one on a damaged disk. Throws what says nothing of it. */
export function problemOf(error: unknown): string {
  if (error instanceof SequenceStoreError) return error.message;
  if (error instanceof StorageError && error.code !== 'ABORTED') return error.message;
  throw error;
}

/** The sequences as the records of a FASTA, each called by its TRUNC512. */
async function* toFasta(
  { store, signal, report }: Verification,
  opened: Map<string, SequenceObject>,
): AsyncGenerator<Uint8Array, void> {
  for await (const key of store.list(SEQUENCES_PREFIX, { signal })) {
    const trunc512 = trunc512OfKey(key) ?? '';
    if (sequenceKey(trunc512) !== key) {
      report(key, 'the key is not that of a sequence');
      continue;
    }
    yield new TextEncoder().encode(`>${trunc512}\n`);
    try {
      // One that has gone since it was listed is not there.
      const object = await SequenceObject.open(store, trunc512);
      if (object !== undefined) yield* toLine(object, signal);
      if (object !== undefined) opened.set(trunc512, object);
    } catch (error) {
      report(key, problemOf(error));
    }
    yield LINE_FEED;
  }
}

async function* toLine(object: SequenceObject, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array, void> {
  try {
    await object.checkSize();
    yield* object.chunks({ start: 0, end: object.header.digests.length }, signal);
  } finally {
    await object.close();
  }
}
