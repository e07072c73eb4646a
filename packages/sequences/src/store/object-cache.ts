import type { ObjectStore } from '@htskit/io';
import { RUN_BYTES } from './exception-runs.js';
import { SequenceObject } from './sequence-object.js';
import { readFacts, type SequenceFacts } from './store-index.js';

/** A sequence of the store, and what is known of it. */
export interface KnownSequence {
  readonly object: SequenceObject;
  readonly facts: SequenceFacts;
}

interface Entry {
  readonly object: Promise<SequenceObject | undefined>;
  facts: Promise<SequenceFacts>;
  /** By `performance.now()`. */
  factsReadAt: number;
  /** 0 until the object is open. */
  bytes: number;
  /** Empty until the object is open. */
  md5: string;
}

export interface ObjectCacheOptions {
  readonly cachedBytes: number;
  /** For which facts are good. */
  readonly factsMilliseconds: number;
}

/** What an open object is taken to hold besides its runs. */
const OBJECT_BYTES = 65_536;

/** Each open object can take a descriptor, of which processes mostly get 1,024. */
const MAX_OBJECTS = 256;

/** Keeps the sequences open that were asked for last, at most 256. */
export class ObjectCache {
  readonly #store: ObjectStore;
  readonly #options: ObjectCacheOptions;
  /** By TRUNC512; the one that was asked for last comes last. */
  readonly #entries = new Map<string, Entry>();
  /** TRUNC512 by MD5 of those that are open. */
  readonly #openByMd5 = new Map<string, string>();
  #bytes = 0;

  constructor(store: ObjectStore, options: ObjectCacheOptions) {
    this.#store = store;
    this.#options = options;
  }

  /** The TRUNC512 of a sequence that is open. Reading it from the store takes longer than a short slice. */
  openTrunc512(md5: string): string | undefined {
    return this.#openByMd5.get(md5);
  }

  /** Undefined where there is no such sequence. Neither that nor a failure is kept. */
  async get(trunc512: string): Promise<KnownSequence | undefined> {
    const entry = this.#entries.get(trunc512) ?? this.#open(trunc512);
    this.#entries.delete(trunc512);
    this.#entries.set(trunc512, entry);
    if (performance.now() - entry.factsReadAt >= this.#options.factsMilliseconds) this.#readFacts(trunc512, entry);
    try {
      const [object, facts] = await Promise.all([entry.object, entry.facts]);
      if (object !== undefined) {
        this.#weigh(trunc512, entry, object);
        return { object, facts };
      }
    } catch (error) {
      this.#remove(trunc512, entry);
      throw error;
    }
    this.#remove(trunc512, entry);
    return undefined;
  }

  async close(): Promise<void> {
    const entries = [...this.#entries];
    for (const [trunc512, entry] of entries) this.#remove(trunc512, entry);
    await Promise.all(entries.map(async ([, { object }]) => (await object.catch(() => undefined))?.close()));
  }

  #open(trunc512: string): Entry {
    const object = SequenceObject.open(this.#store, trunc512);
    // Beside the read, not behind it: both may be requests to a bucket.
    const facts = readFacts(this.#store, trunc512);
    return { object, facts, factsReadAt: performance.now(), bytes: 0, md5: '' };
  }

  #readFacts(trunc512: string, entry: Entry): void {
    entry.facts = readFacts(this.#store, trunc512);
    entry.factsReadAt = performance.now();
  }

  /** Counts what an object holds, once, and lets go of the oldest where that is too much. */
  #weigh(trunc512: string, entry: Entry, { header }: SequenceObject): void {
    if (entry.bytes > 0 || this.#entries.get(trunc512) !== entry) return;
    entry.bytes = OBJECT_BYTES + RUN_BYTES * header.runCount;
    entry.md5 = header.digests.md5;
    this.#openByMd5.set(entry.md5, trunc512);
    this.#bytes += entry.bytes;
    for (const [oldest, { bytes }] of this.#entries) {
      if (this.#bytes <= this.#options.cachedBytes && this.#entries.size <= MAX_OBJECTS) return;
      if (bytes > 0) this.#remove(oldest, this.#entries.get(oldest));
    }
  }

  #remove(trunc512: string, entry: Entry | undefined): void {
    if (entry === undefined || this.#entries.get(trunc512) !== entry) return;
    this.#entries.delete(trunc512);
    this.#openByMd5.delete(entry.md5);
    this.#bytes -= entry.bytes;
    // Whoever still reads from it goes on to.
    entry.object.then((object) => object?.close()).catch(() => undefined);
  }
}
