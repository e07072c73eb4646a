import type { SequenceIdentifier } from '@htskit/digest';
import { type Clock, type ObjectStore, StorageError } from '@htskit/io';
import { type CollectionSource, openSequenceStore, type Sequence, type SequenceStore } from '@htskit/sequences';
import { describeError } from '../files/file-errors.node.js';

/** Milliseconds for which opening waits for a bucket, so that one that does not respond holds up no other files. */
const OPENING_MILLISECONDS = 5000;

/** Milliseconds between two attempts to open a store that does not respond. */
const RETRY_MILLISECONDS = 10_000;

export interface BucketSequencesOptions {
  /** The location of the store in messages. */
  readonly name: string;
  readonly sleep: Clock['sleep'];
  readonly log: (message: string) => void;
}

/**
 * Opens a sequence store in a bucket. If the bucket does not respond, the store is opened once it does; until then, `find`
 * throws StorageError UNAVAILABLE at once. Throws what `openSequenceStore` throws for a bucket that responds.
 */
export async function openBucketSequences(
  objects: ObjectStore,
  { name, sleep, log }: BucketSequencesOptions,
): Promise<SequenceStore> {
  const opening = openSequenceStore(objects);
  const opened = new AbortController();
  try {
    const store = await Promise.race([opening, sleep(OPENING_MILLISECONDS, opened.signal)]);
    if (store !== undefined) return store;
  } catch (error) {
    if (!isTransient(error)) throw error;
  } finally {
    opened.abort();
  }
  log(`${name} does not respond; its sequences are served once it does`);
  return new PendingSequences(objects, opening, { name, sleep, log });
}

function isTransient(error: unknown): boolean {
  return error instanceof StorageError && error.isTransient;
}

/** A sequence store that is opened in the background. */
class PendingSequences implements SequenceStore {
  readonly #closing = new AbortController();
  readonly #options: BucketSequencesOptions;
  #store: SequenceStore | undefined;

  constructor(objects: ObjectStore, opening: Promise<SequenceStore>, options: BucketSequencesOptions) {
    this.#options = options;
    void this.#open(objects, opening);
  }

  get namingAuthorities(): readonly string[] {
    return this.#store?.namingAuthorities ?? [];
  }

  /** Lists nothing until the store is open, so that the collections of other files and stores can be listed. */
  readonly collections: CollectionSource = {
    list: async () => this.#store?.collections.list() ?? [],
    find: async (digest) => this.#opened().collections.find(digest),
  };

  async find(identifier: SequenceIdentifier): Promise<readonly Sequence[]> {
    return this.#opened().find(identifier);
  }

  #opened(): SequenceStore {
    if (this.#store !== undefined) return this.#store;
    throw new StorageError('UNAVAILABLE', 'the store did not respond yet', {
      key: this.#options.name,
      isTransient: true,
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#store?.close();
  }

  async #open(objects: ObjectStore, opening: Promise<SequenceStore>): Promise<void> {
    const { name, sleep, log } = this.#options;
    const { signal } = this.#closing;
    let attempt = opening;
    for (;;) {
      try {
        const store = await attempt;
        if (signal.aborted) return await store.close();
        this.#store = store;
        return log(`${name} responds; its sequences are served`);
      } catch (error) {
        if (!isTransient(error)) return log(`${name}: ${describeError(error)}`);
      }
      await sleep(RETRY_MILLISECONDS, signal);
      if (signal.aborted) return;
      attempt = openSequenceStore(objects);
    }
  }
}
