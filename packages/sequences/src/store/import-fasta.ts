import type { BorrowedBytes, ObjectStore } from '@htskit/io';
import { TimeSlice } from '@htskit/io/internal';
import { digestCollection } from '../collection/sequence-collection.js';
import { decompress, readStored } from '../digest/decompress.js';
import { type CharacterPolicy, sharedBgzfPool, sharedDigestPool } from '../digest/digest-pool.js';
import type { FastaDigests } from '../digest/record-digests.js';
import { createDescriber, type DescribeSequence, type NamingOptions } from '../name-tables.js';
import { type FileLocation, openLocation } from '../open-location.js';
import { SequenceColumnsBuilder, toLists } from '../table/table-data.js';
import { type DigestedRecord, digestRecords, FastaRecords } from './fasta-records.js';
import { formatHead, objectSize } from './object/object-format.js';
import { BasePacker } from './object/packed-bases.js';
import { SequenceStoreError } from './sequence-store-error.js';
import { isStored, putFacts, putMissing, readText } from './store-entries.js';
import { authorityKey, checkAlias, checkMarker, MARKER, MARKER_KEY, sequenceKey } from './store-layout.js';
import { putCollection } from './stored-collections.js';

export interface ImportFastaOptions extends NamingOptions {
  readonly store: ObjectStore;
  /** FASTA, plain or compressed by bgzip or gzip. */
  readonly data: FileLocation;
  /**
   * The characters that the sequences and their digests consist of. Default `letters`: `onRecord` receives what is omitted.
   * `strict` fails the import at the first record that holds anything else; the records before it stay.
   */
  readonly characters?: CharacterPolicy;
  /** Ends the import. Sequences that are stored by then stay. */
  readonly signal?: AbortSignal;
  /** Called for each record, in order, before it is stored. */
  readonly onRecord?: (digests: FastaDigests) => void;
  /** Called as the file is read, with the stored bytes of the FASTA that are done. */
  readonly onProgress?: (bytesRead: number) => void;
}

export interface ImportSummary {
  readonly records: number;
  /** Records that were not in the store before. */
  readonly stored: number;
  /** Bases of all records. */
  readonly bases: number;
  /** The digest of the collection of all records. Undefined for a FASTA without records. */
  readonly collection: string | undefined;
}

/** Objects up to this size are buffered and put concurrently. Longer ones are streamed, one at a time. */
const BUFFERED_BYTES = 2 ** 20;
/** Objects that are put concurrently: most of the time is spent waiting for a disk or a bucket. */
const CONCURRENCY = 16;
/** How often the FASTA is read. */
const READS = 2;

/**
 * Stores the sequences of a FASTA and the collection that they form. An object is named by its content and begins with its
 * digests, so the FASTA is read twice at the same time: the second read stores a record while the first one, one record ahead,
 * digests the next. This takes 60 bytes of memory for each record, and its name. Nothing is written twice, and existing objects
 * are kept. Repeating an interrupted import completes it, and several imports may run at once.
 *
 * Throws SequenceStoreError, SequenceSourceError INVALID_RECORD, StorageError, DigestError, BgzfError, FormatError, and
 * RangeError for a naming authority that an identifier cannot contain.
 *
 * @example
 * const summary = await importFasta({ store: folderStore('sequences'), data: 'genome.fa.gz' });
 * console.log(`${summary.stored} of ${summary.records} sequences are new`);
 */
export async function importFasta(options: ImportFastaOptions): Promise<ImportSummary> {
  const { store, signal } = options;
  const data = await openLocation(options.data);
  await prepareStore(store);
  const stat = await data.stat({ signal });
  const failed = new AbortController();
  const either = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]);
  let bytesRead = 0;
  const onRead = (byteLength: number): void => {
    bytesRead += byteLength;
    options.onProgress?.(bytesRead / READS);
  };
  const text = (): AsyncGenerator<BorrowedBytes, void> =>
    decompress(readStored({ data, stat, signal: either, onRead }), sharedBgzfPool);
  const { characters = 'letters' } = options;
  const digested = digestRecords(text(), { pool: sharedDigestPool, characters, signal: either });
  const records = new FastaRecords(text(), characters === 'strict' ? 'letters' : characters);
  try {
    return await new FastaImport({ ...options, signal: either }, records).run(digested);
  } finally {
    failed.abort();
    await Promise.allSettled([digested.return(), records.close()]);
  }
}

/** Writes the marker unless it exists. Throws NOT_A_STORE and UNSUPPORTED_VERSION for another marker. */
async function prepareStore(store: ObjectStore): Promise<void> {
  const marker = await readText(store, MARKER_KEY);
  if (marker === undefined) await store.put(MARKER_KEY, new TextEncoder().encode(MARKER));
  else checkMarker(marker);
}

class FastaImport {
  readonly #options: ImportFastaOptions;
  readonly #records: FastaRecords;
  readonly #describe: DescribeSequence;
  readonly #tasks = new BoundedTasks(CONCURRENCY);
  /** Authorities that are stored or being stored. */
  readonly #authorities = new Set<string>();
  readonly #summary = { records: 0, stored: 0, bases: 0 };
  readonly #columns = new SequenceColumnsBuilder();

  constructor(options: ImportFastaOptions, records: FastaRecords) {
    this.#options = options;
    this.#records = records;
    this.#describe = createDescriber(options);
  }

  async run(digested: AsyncGenerator<DigestedRecord, void>): Promise<ImportSummary> {
    try {
      let ahead = digested.next();
      for (let next = await ahead; next.done !== true; next = await ahead) {
        ahead = digested.next();
        // Handled when it is awaited; until then it must not count as an unhandled rejection.
        ahead.catch(() => undefined);
        await this.#import(next.value);
      }
      if ((await this.#records.next()) !== undefined) throw dataMismatch();
      await this.#tasks.finish();
      return { ...this.#summary, collection: await this.#putCollection() };
    } finally {
      await this.#tasks.settle();
    }
  }

  /** Stores the collection after its sequences, so that a collection is never incomplete. */
  async #putCollection(): Promise<string | undefined> {
    const { store, signal } = this.#options;
    if (this.#summary.records === 0) return undefined;
    const columns = this.#columns.finish();
    const collection = await digestCollection(toLists(columns), new TimeSlice(signal));
    return putCollection(store, { ...columns, collection, indexes: undefined, places: {} }, signal);
  }

  async #import(record: DigestedRecord): Promise<void> {
    const { store, signal } = this.#options;
    const { digests, runs } = record;
    if ((await this.#records.next()) !== digests.name) throw dataMismatch();
    this.#options.onRecord?.(digests);
    this.#summary.records++;
    this.#summary.bases += digests.length;
    this.#columns.addName(digests.name);
    this.#columns.addDigests(digests);
    const key = sequenceKey(digests.trunc512);
    const bitsPerBase = runs === undefined ? 8 : 2;
    const size = objectSize({ digests, bitsPerBase, runCount: runs?.starts.length ?? 0 });
    const chunks = toObject(record, this.#records.bases());
    if (size > BUFFERED_BYTES) {
      const isMissing = !(await isStored(store, key, size));
      if (isMissing) await store.put(key, { size, chunks }, { signal });
      await this.#tasks.add(() => this.#finish(digests, isMissing));
      return;
    }
    const bytes = await collect(chunks, size);
    await this.#tasks.add(async () => {
      const isMissing = !(await isStored(store, key, size));
      if (isMissing) await store.put(key, bytes, { signal });
      await this.#finish(digests, isMissing);
    });
  }

  /** Stores the ways to a sequence whose object exists by now. */
  async #finish(digests: FastaDigests, isNew: boolean): Promise<void> {
    const { store, signal } = this.#options;
    const { aliases, circular } = this.#describe(digests.name, digests);
    const checked = aliases.map(checkAlias);
    await putFacts(store, { digests, aliases: checked, circular, signal });
    for (const { namingAuthority } of checked) {
      if (this.#authorities.has(namingAuthority)) continue;
      this.#authorities.add(namingAuthority);
      await putMissing(store, authorityKey(namingAuthority), { signal });
    }
    if (isNew) this.#summary.stored++;
  }
}

/** Yields the object of a record. Throws DATA_MISMATCH if the number of bases differs from when they were digested. */
async function* toObject(
  { digests, runs }: DigestedRecord,
  bases: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  yield formatHead(digests, runs);
  const packer = runs === undefined ? undefined : new BasePacker();
  let length = 0;
  for await (const piece of bases) {
    length += piece.length;
    yield packer === undefined ? piece : packer.push(piece);
  }
  if (length !== digests.length) throw dataMismatch();
  if (packer !== undefined) yield packer.finish();
}

async function collect(chunks: AsyncIterable<Uint8Array>, size: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  let length = 0;
  for await (const chunk of chunks) {
    if (length + chunk.length > size) throw dataMismatch();
    bytes.set(chunk, length);
    length += chunk.length;
  }
  return bytes;
}

/** Detects a changed file even if its source has no versions. */
function dataMismatch(): SequenceStoreError {
  return new SequenceStoreError('DATA_MISMATCH', 'the FASTA changed while it was imported');
}

/** Runs a limited number of tasks concurrently. */
export class BoundedTasks {
  readonly #limit: number;
  readonly #running = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Starts a task as soon as fewer than `limit` are running. Throws the failure of an earlier task. */
  async add(task: () => Promise<void>): Promise<void> {
    while (this.#running.size >= this.#limit) await Promise.race(this.#running);
    this.#throwFailure();
    const run = task()
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#running.delete(run));
    this.#running.add(run);
  }

  /** Waits for all tasks. Throws the first failure. */
  async finish(): Promise<void> {
    await this.settle();
    this.#throwFailure();
  }

  /** Waits for all tasks, whether they fail or not. */
  async settle(): Promise<void> {
    await Promise.all(this.#running);
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
