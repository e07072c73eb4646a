import type { ObjectStore } from '@htskit/io';
import { sharedDigestPool } from '../digest/digest-pool.js';
import { SequenceObject } from './object/sequence-object.js';
import { readMarker } from './store-entries.js';
import { SEQUENCES_PREFIX, sequenceKey, trunc512OfKey } from './store-layout.js';
import { verifyCollections } from './verify-collections.js';
import { type EntrySummary, problemOf, type Verification, verifyEntries } from './verify-entries.js';

/** A problem with one object of a store. */
export interface StoreFinding {
  readonly key: string;
  readonly problem: string;
}

export interface VerifyStoreOptions {
  readonly signal?: AbortSignal;
  /** Called for each problem. */
  readonly onFinding: (finding: StoreFinding) => void;
}

interface SequenceSummary {
  /** Sequences that match their digests. */
  readonly sequences: number;
  /** Bases of those sequences. */
  readonly bases: number;
}

export interface VerifySummary extends SequenceSummary, EntrySummary {
  /** Collections that match their digests and whose sequences exist. */
  readonly collections: number;
  /** Temporary files of interrupted imports, which are not findings; the next import removes them. */
  readonly abandoned: readonly string[];
  readonly findings: number;
}

/**
 * Digests every sequence and collection of a store, on all processors, and follows every MD5, alias and member of a collection
 * to its sequence. Throws SequenceStoreError NOT_A_STORE and UNSUPPORTED_VERSION, and StorageError if the store cannot be read.
 *
 * @example
 * const { sequences, findings } = await verifyStore(folderStore('sequences'), {
 *   onFinding: ({ key, problem }) => console.error(`${key}: ${problem}`),
 * });
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
  const collections = await verifyCollections(verification);
  const abandoned = (await store.listAbandoned?.()) ?? [];
  return { ...sequences, ...entries, collections, abandoned, findings };
}

const LINE_FEED = Uint8Array.of(0x0a);

/** Digests all sequences and reports those that do not match their keys and headers. */
async function verifySequences(verification: Verification): Promise<SequenceSummary> {
  const { signal, report } = verification;
  const summary = { sequences: 0, bases: 0 };
  /** Objects by TRUNC512 whose digests are not known yet. */
  const opened = new Map<string, SequenceObject>();
  // As one FASTA, because the pool digests many short sequences at a time. The sequences are normalised.
  const fasta = toFasta(verification, opened);
  for await (const found of sharedDigestPool.digestFasta(fasta, { characters: 'sam', signal })) {
    const object = opened.get(found.name);
    // An object that could not be read to its end has been reported already.
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

/** Yields the sequences as the records of a FASTA, each named by its TRUNC512. */
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
    // Without the space, a sequence that begins with > would be a record.
    yield new TextEncoder().encode(`>${trunc512}\n `);
    try {
      // Undefined if the object was removed after it was listed.
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
