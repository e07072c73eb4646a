import type { SequenceDigests } from '@htskit/digest';
import { type ByteSource, type ObjectStore, readChunks, toByteStream } from '@htskit/io';
import type { CharacterPolicy } from '../digest/digest-pool.js';
import {
  type DigestCache,
  type DigestCodec,
  expectList,
  loadOrCompute,
  parseSavedDigests,
  toSavedDigests,
} from '../digest-cache.js';
import type { FastaRecordOptions } from '../fasta/scan-fasta.js';
import { createDescriber, type NamingOptions } from '../name-tables.js';
import {
  checkBaseRange,
  type NamedSequence,
  type OpenProgress,
  type Sequence,
  type SequenceMetadata,
} from '../sequence.js';
import { SequenceSourceError } from '../sequence-source-error.js';
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
  const { data, store, digestCache, characters = 'letters', signal, onRecord, onProgress } = options;
  const describe = createDescriber(options);
  const stat = await data.stat({ signal });
  // Without its marker, the store was removed, whatever was saved about it.
  const cache = (await readText(store, MARKER_KEY)) === undefined ? withoutSaved(digestCache) : digestCache;
  const records = await loadOrCompute(cache, {
    stat,
    codec: importedFastaCodec(characters),
    compute: async () => {
      const found: ImportedRecord[] = [];
      await importFasta({
        store,
        data,
        characters,
        signal,
        onRecord(digests) {
          const { name, length, md5, sha512t24u, trunc512 } = digests;
          found.push({ name, digests: { length, md5, sha512t24u, trunc512 } });
          onRecord?.(digests);
        },
        onProgress: (bytesRead) => onProgress?.({ bytesRead, size: stat.size }),
      });
      return found;
    },
  });
  const opened = await openSequenceStore(store);
  return {
    sequences: records.map(({ name, digests }) => importedSequence(opened, name, describe(name, digests))),
    close: () => opened.close(),
  };
}

function withoutSaved(cache: DigestCache | undefined): DigestCache | undefined {
  return cache && { ...cache, load: () => Promise.resolve(undefined) };
}

interface ImportedRecord {
  readonly name: string;
  readonly digests: SequenceDigests;
}

function importedFastaCodec(characters: CharacterPolicy): DigestCodec<readonly ImportedRecord[]> {
  return {
    kind: `imported fasta ${characters}`,
    toContent: (found) => ({ records: found.map(({ name, digests }) => [name, toSavedDigests(digests)]) }),
    fromContent: ({ records }) =>
      expectList(records).map((record) => {
        const [name, digests] = expectList(record);
        return { name: String(name), digests: parseSavedDigests(digests) };
      }),
  };
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
