import { BgzfPool } from '@htskit/bgzf';
import type { ByteSource, ObjectStore, SourceStat } from '@htskit/io';
import { readChunks } from '@htskit/io';
import { decompress, type FastaDigests } from '@htskit/sequences';
import { digestPool } from '../digest-pool.js';
import { createDescriber, type DescribeSequence, type NamingOptions } from '../naming.js';
import { BoundedTasks } from './bounded-tasks.js';
import { type DigestedRecord, digestRecords } from './digested-records.js';
import { FastaRecords } from './fasta-records.js';
import { formatHead, objectSize } from './object-header.js';
import { SequenceStoreError } from './sequence-store-error.js';
import { readText } from './store-index.js';
import { authorityKey, checkAlias, checkMarker, MARKER, MARKER_KEY, sequenceKey } from './store-layout.js';
import { isStored, putFacts, putMissing } from './store-writes.js';
import { BasePacker } from './two-bit.js';

/** One for all files: its workers do not keep a process alive, and start with the first compressed one. */
const bgzfPool = new BgzfPool();

export interface ImportFastaOptions extends NamingOptions {
  readonly store: ObjectStore;
  /** FASTA, plain or compressed by bgzip or gzip. */
  readonly data: ByteSource;
  readonly signal?: AbortSignal | undefined;
  /** Told of each record, in order, before it is stored. */
  readonly onRecord?: ((digests: FastaDigests) => void) | undefined;
  /** Told now and then how much is done, in stored bytes of the FASTA. */
  readonly onProgress?: ((bytesRead: number) => void) | undefined;
}

export interface ImportSummary {
  readonly records: number;
  /** Records that were not stored before. */
  readonly stored: number;
  /** Bases of all records. */
  readonly bases: number;
}

/** Sequences whose objects are no longer are put many at a time; of longer ones one, which is not buffered. */
const BUFFERED_BYTES = 2 ** 20;
/** Objects are put side by side: what takes time is the wait for a disk or a bucket. */
const CONCURRENCY = 16;
/** The FASTA is read as often. */
const READS = 2;

/**
 * Stores the sequences of a FASTA. An object is named by what is in it, and its header stands in front, so the FASTA is read
 * twice at the same time: the second read stores a record while the first one, which is one record ahead, digests the next.
 * Memory is constant, nothing is written twice, and what is stored already is left as it is: an import that was broken off is
 * finished by repeating it, and any number may run at once. Throws SequenceStoreError, StorageError, DigestError, BgzfError,
 * FormatError, and RangeError for a naming authority that is none.
 */
export async function importFasta(options: ImportFastaOptions): Promise<ImportSummary> {
  const { store, data, signal } = options;
  await prepareStore(store);
  const stat = await data.stat({ signal });
  const failed = new AbortController();
  const either = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]);
  let bytesRead = 0;
  const onRead = (byteLength: number): void => {
    bytesRead += byteLength;
    options.onProgress?.(bytesRead / READS);
  };
  const text = (): AsyncGenerator<Uint8Array, void> =>
    decompress(readStored({ data, stat, signal: either, onRead }), bgzfPool);
  const digested = digestRecords(text(), { pool: digestPool, signal: either });
  const records = new FastaRecords(text());
  try {
    return await new FastaImport({ ...options, signal: either }, records).run(digested);
  } finally {
    failed.abort();
    await Promise.allSettled([digested.return(), records.close()]);
  }
}

/** Writes the marker, unless it is there. Throws NOT_A_STORE and UNSUPPORTED_VERSION. */
async function prepareStore(store: ObjectStore): Promise<void> {
  const marker = await readText(store, MARKER_KEY);
  if (marker === undefined) await store.put(MARKER_KEY, new TextEncoder().encode(MARKER));
  else checkMarker(marker);
}

interface StoredRead {
  readonly data: ByteSource;
  readonly stat: SourceStat;
  readonly signal: AbortSignal;
  readonly onRead: (byteLength: number) => void;
}

async function* readStored({ data, stat, signal, onRead }: StoredRead): AsyncGenerator<Uint8Array, void> {
  const { size, version } = stat;
  for await (const chunk of readChunks(data.stream({ start: 0, end: size }, { signal, version }))) {
    yield chunk;
    onRead(chunk.length);
  }
}

class FastaImport {
  readonly #options: ImportFastaOptions;
  readonly #records: FastaRecords;
  readonly #describe: DescribeSequence;
  readonly #tasks = new BoundedTasks(CONCURRENCY);
  /** Those that are stored, or about to be. */
  readonly #authorities = new Set<string>();
  readonly #summary = { records: 0, stored: 0, bases: 0 };

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
        // A failure is told when it is its turn.
        ahead.catch(() => undefined);
        await this.#import(next.value);
      }
      if ((await this.#records.next()) !== undefined) throw changed();
      await this.#tasks.finish();
      return { ...this.#summary };
    } finally {
      await this.#tasks.settle();
    }
  }

  async #import(record: DigestedRecord): Promise<void> {
    const { store, signal } = this.#options;
    const { digests, runs } = record;
    if ((await this.#records.next()) !== digests.name) throw changed();
    this.#options.onRecord?.(digests);
    this.#summary.records++;
    this.#summary.bases += digests.length;
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

  /** Stores what leads to a sequence, which is there by now. */
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

/** The object of a record. Throws DATA_MISMATCH where its bases are not as many as they were when they were digested. */
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
  if (length !== digests.length) throw changed();
  if (packer !== undefined) yield packer.finish();
}

async function collect(chunks: AsyncIterable<Uint8Array>, size: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  let length = 0;
  for await (const chunk of chunks) {
    if (length + chunk.length > size) throw changed();
    bytes.set(chunk, length);
    length += chunk.length;
  }
  return bytes;
}

/** What a source without versions cannot tell. */
function changed(): SequenceStoreError {
  return new SequenceStoreError('DATA_MISMATCH', 'the FASTA changed while it was read');
}
