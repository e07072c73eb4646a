import { type ByteSource, type ObjectStore, readChunks, type SourceStat, toByteStream } from '@htskit/io';
import { TimeSlice } from '../collection/time-slice.js';
import { type DigestCache, loadOrCompute } from '../digest-cache.js';
import type { FastaRecordOptions } from '../fasta/scan-fasta.js';
import type { NamingOptions } from '../name-tables.js';
import {
  checkBaseRange,
  type NamedSequence,
  type OpenProgress,
  type Sequence,
  type SequenceMetadata,
} from '../sequence.js';
import { SequenceSourceError } from '../sequence-source-error.js';
import { SequenceTable } from '../table/sequence-table.js';
import { SequenceColumnsBuilder, type SequenceTableData, toTableData } from '../table/table-data.js';
import { importFasta } from './import-fasta.js';
import { openSequenceStore, type SequenceStore } from './sequence-store.js';
import { readText } from './store-entries.js';
import { MARKER_KEY } from './store-layout.js';

export interface OpenImportedFastaOptions extends NamingOptions, Pick<FastaRecordOptions, 'characters' | 'onRecord'> {
  /** FASTA, plain or compressed by bgzip or gzip. */
  readonly data: ByteSource;
  /** Receives the sequences. Other files may be imported into it, too. */
  readonly store: ObjectStore;
  /** Saves which sequences the file has, so that the same version of it is not imported again. */
  readonly digestCache?: DigestCache | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: OpenProgress) => void) | undefined;
}

/** The sequences of a FASTA, read from a store. */
export interface ImportedFasta {
  /** In file order. */
  readonly sequences: readonly NamedSequence[];
  close(): Promise<void>;
}

/**
 * Opens a FASTA that cannot be read in place, such as one with lines of different lengths or one compressed by gzip: imports
 * it into a store, unless this version of it was imported before, and reads its sequences from there. Throws like `importFasta`.
 *
 * @example
 * const { sequences } = await openImportedFasta({ data: fileSource('uneven.fa.gz'), store: folderStore('cache') });
 */
export async function openImportedFasta(options: OpenImportedFastaOptions): Promise<ImportedFasta> {
  const { sequences, close } = await openImportedTable(options);
  return { sequences: [...sequences], close };
}

/** Like `openImportedFasta`, for any number of sequences: they stay columns. */
export async function openImportedTable(
  options: OpenImportedFastaOptions,
): Promise<{ readonly sequences: SequenceTable; readonly close: () => Promise<void> }> {
  const { data, store, digestCache, characters = 'letters', signal } = options;
  const stat = await data.stat({ signal });
  // Without its marker, the store was removed, whatever was saved about it.
  const cache = (await readText(store, MARKER_KEY)) === undefined ? withoutSaved(digestCache) : digestCache;
  const table = await loadOrCompute(cache, {
    stat,
    kind: `imported FASTA ${characters}`,
    places: [],
    signal,
    compute: () => importTable(options, stat),
  });
  const opened = await openSequenceStore(store);
  const sequences = new SequenceTable({
    data: table,
    naming: options,
    open: (_, { name, metadata }) => importedSequence(opened, name, metadata),
  });
  return { sequences, close: () => opened.close() };
}

async function importTable(options: OpenImportedFastaOptions, { size }: SourceStat): Promise<SequenceTableData> {
  const { signal, onRecord, onProgress } = options;
  const builder = new SequenceColumnsBuilder();
  await importFasta({
    ...options,
    onRecord(digests) {
      builder.addName(digests.name);
      builder.addDigests(digests);
      onRecord?.(digests);
    },
    onProgress: (bytesRead) => onProgress?.({ bytesRead, size }),
    // The names and aliases are those of the file, not of the store.
    namingAuthority: undefined,
    aliases: undefined,
    circular: undefined,
  });
  return toTableData(builder.finish(), { places: {}, slice: new TimeSlice(signal) });
}

function withoutSaved(cache: DigestCache | undefined): DigestCache | undefined {
  return (
    cache && {
      version: cache.version,
      load: () => Promise.resolve(undefined),
      save: (chunks) => cache.save(chunks),
      onError: (error) => cache.onError(error),
    }
  );
}

function importedSequence(store: SequenceStore, name: string, metadata: SequenceMetadata): NamedSequence {
  const open = async (): Promise<Sequence> => {
    const [sequence] = await store.find({ kind: 'sha512t24u', digest: metadata.sha512t24u });
    if (sequence !== undefined) return sequence;
    throw new SequenceSourceError('DATA_MISMATCH', 'an imported sequence is missing from its store', { offset: 0 });
  };
  return {
    name,
    metadata,
    async read(range, options) {
      checkBaseRange(range, metadata.length);
      return (await open()).read(range, options);
    },
    stream(range, options) {
      checkBaseRange(range, metadata.length);
      return toByteStream(streamOf(open, (sequence) => sequence.stream(range, options)));
    },
  };
}

async function* streamOf(
  open: () => Promise<Sequence>,
  stream: (sequence: Sequence) => ReadableStream<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  yield* readChunks(stream(await open()));
}
