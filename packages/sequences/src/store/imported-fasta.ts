import { type ByteSource, type ObjectStore, readChunks } from '@htskit/io';
import { TimeSlice } from '@htskit/io/internal';
import { type DigestCache, loadOrCompute } from '../digest-cache.js';
import type { FastaRecordOptions } from '../fasta/scan-fasta.js';
import type { NamingOptions } from '../name-tables.js';
import {
  type NamedSequence,
  type OpenProgress,
  type Sequence,
  type SequenceMetadata,
  toSequence,
} from '../sequence.js';
import { SequenceSourceError } from '../sequence-source-error.js';
import { SequenceTable } from '../table/sequence-table.js';
import { SequenceColumnsBuilder, toTableData, type VersionedTable } from '../table/table-data.js';
import { importFasta } from './import-fasta.js';
import type { SequenceStore } from './sequence-store.js';
import { readText } from './store-entries.js';
import { MARKER_KEY } from './store-layout.js';

interface ReadImportedTableOptions extends Pick<FastaRecordOptions, 'characters' | 'onRecord'> {
  /** FASTA, plain or compressed by bgzip or gzip. */
  readonly data: ByteSource;
  /** Receives the sequences. */
  readonly store: ObjectStore;
  /** Saves which sequences the file has, so that the same version of it is not imported again. */
  readonly digestCache?: DigestCache;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: OpenProgress) => void;
}

/**
 * Imports a FASTA that cannot be read in place, such as one with lines of different lengths or one compressed by gzip, into a
 * store, unless this version of it was imported before. Throws like `importFasta`.
 */
export async function readImportedTable(options: ReadImportedTableOptions): Promise<VersionedTable> {
  const { data, store, digestCache, characters = 'letters', signal } = options;
  const stat = await data.stat({ signal });
  // Without its marker, the store was removed, whatever was saved about it.
  const isStore = (await readText(store, MARKER_KEY)) !== undefined;
  const cache = isStore ? digestCache : withoutSaved(digestCache);
  const table = await loadOrCompute(cache, {
    stat,
    kind: `imported FASTA, ${characters}`,
    places: [],
    signal,
    async compute() {
      const builder = new SequenceColumnsBuilder();
      await importFasta({
        store,
        data,
        characters,
        signal,
        onRecord(digests) {
          builder.addName(digests.name);
          builder.addDigests(digests);
          options.onRecord?.(digests);
        },
        onProgress: (bytesRead) => options.onProgress?.({ bytesRead, size: stat.size }),
      });
      return toTableData(builder.finish(), { places: {}, slice: new TimeSlice(signal) });
    },
  });
  return { table, version: stat.version };
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

/** Returns the sequences of an imported FASTA, which are read from the store. */
export function toImportedTable({ table }: VersionedTable, store: SequenceStore, naming: NamingOptions): SequenceTable {
  return new SequenceTable({
    data: table,
    naming,
    open: (_row, { name, metadata }) => importedSequence(store, name, metadata),
  });
}

function importedSequence(store: SequenceStore, name: string, metadata: SequenceMetadata): NamedSequence {
  const open = async (): Promise<Sequence> => {
    const [sequence] = await store.find({ kind: 'sha512t24u', digest: metadata.sha512t24u });
    if (sequence !== undefined) return sequence;
    throw new SequenceSourceError('DATA_MISMATCH', 'an imported sequence is missing from its store', { offset: 0 });
  };
  return {
    name,
    ...toSequence(metadata, {
      read: async (range, options) => (await open()).read(range, options),
      async *chunks(range, signal) {
        yield* readChunks((await open()).stream(range, { signal }));
      },
    }),
  };
}
