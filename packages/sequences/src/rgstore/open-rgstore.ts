import { LruCache, type ObjectStore } from '@htskit/io';
import { TimeSlice, unlessMissing } from '@htskit/io/internal';
import type { AliasRow } from '../alias-row.js';
import type { CollectionSource } from '../collection/collection-source.js';
import {
  DIGEST_BYTES,
  digestCollection,
  type SequenceCollection,
  toCollection,
} from '../collection/sequence-collection.js';
import type { NamingOptions } from '../name-tables.js';
import type { NamedSequence } from '../sequence.js';
import { SequenceSourceError } from '../sequence-source-error.js';
import { digestBytes, NumberColumnBuilder } from '../table/columns.js';
import { SequenceTable } from '../table/sequence-table.js';
import { type SequenceColumns, SequenceColumnsBuilder, toLists, toTableData } from '../table/table-data.js';
import { alphabetAt, alphabetNumber, rgstoreSequence, TEXT_ALPHABET } from './rgstore-sequence.js';
import {
  parseAliasRows,
  parseCollectionRows,
  parseRgstoreManifest,
  parseSequenceRows,
  type RgstoreManifest,
  type RgstoreRow,
  rgstoreCollectionKey,
  rgstoreSequenceKey,
} from './rgstore-tables.js';

export interface OpenRgstoreOptions extends NamingOptions {
  /** The store that holds `rgstore.json`. */
  readonly store: Pick<ObjectStore, 'source'>;
  /** Aborts the opening. */
  readonly signal?: AbortSignal;
  readonly limits?: RgstoreLimits;
}

interface RgstoreLimits {
  /** The maximum number of bytes of each table of the store. Default 512 MiB. */
  readonly tableBytes?: number;
}

const DEFAULT_TABLE_BYTES = 2 ** 29;

/**
 * Opens a RefgetStore of gtars, version 1, raw or encoded. Reads its tables but no sequence: each sequence is verified against
 * its digests before its first bases are returned. The namespaces of the store's aliases become naming authorities.
 *
 * Throws SequenceSourceError, StorageError, and RangeError for a naming authority that an identifier cannot contain.
 *
 * @example
 * const sequences = await openRgstore({ store: folderStore('refget-store') });
 */
export async function openRgstore(options: OpenRgstoreOptions): Promise<NamedSequence[]> {
  return [...(await readRgstore(options)).sequences];
}

/** The sequences and collections of a RefgetStore. */
export interface Rgstore {
  readonly sequences: SequenceTable;
  readonly collections: CollectionSource;
}

/** Like `openRgstore`, for any number of sequences: they stay columns. */
export async function readRgstore(options: OpenRgstoreOptions): Promise<Rgstore> {
  const { store, signal } = options;
  const manifest = parseRgstoreManifest(await readTable('rgstore.json', options));
  const alphabets = new NumberColumnBuilder();
  const slice = new TimeSlice(signal);
  const columns = await readColumns(await readTable(manifest.sequenceIndex, options), slice, (alphabet) =>
    alphabets.push(manifest.isEncoded ? alphabetNumber(alphabet) : TEXT_ALPHABET),
  );
  const alphabet = alphabets.finish();
  const sequences = new SequenceTable({
    data: await toTableData(columns, { places: { alphabet }, slice, isCollection: false }),
    naming: { ...options, aliases: [...(options.aliases ?? []), ...(await readAliases(manifest, options))] },
    open: (row, { name, metadata }) =>
      rgstoreSequence({
        name,
        metadata,
        data: store.source(rgstoreSequenceKey(manifest, metadata.sha512t24u)),
        alphabet: alphabetAt(alphabet[row] ?? TEXT_ALPHABET),
      }),
  });
  return { sequences, collections: await readCollections(manifest, sequences, options) };
}

async function readColumns(
  table: Uint8Array,
  slice: TimeSlice,
  onAlphabet?: (alphabet: string) => void,
): Promise<SequenceColumns> {
  const builder = new SequenceColumnsBuilder();
  const onRow = ({ name, alphabet, digests }: RgstoreRow): void => {
    builder.addName(name);
    builder.addDigests(digests);
    onAlphabet?.(alphabet);
  };
  await slice.run(readRows(table, onRow));
  return builder.finish();
}

/** Reads the list of collections. Each collection is read, and verified, when it is requested. */
async function readCollections(
  manifest: RgstoreManifest,
  sequences: SequenceTable,
  options: OpenRgstoreOptions,
): Promise<CollectionSource> {
  const { collectionIndex } = manifest;
  const index = collectionIndex === undefined ? undefined : await unlessMissing(readTable(collectionIndex, options));
  const summaries = index === undefined ? [] : [...parseCollectionRows(index)];
  const listed = new Set(summaries.map(({ digest }) => digest));
  const opened = new LruCache<SequenceCollection | undefined>({ maxWeight: OPEN_COLLECTIONS });
  return {
    list: () => Promise.resolve(summaries),
    find: (digest) =>
      opened.load(digest, async () => {
        // Not with the signal of the opening, which may be aborted by now.
        const value = listed.has(digest)
          ? await readCollection(digest, { manifest, sequences, options: { ...options, signal: undefined } })
          : undefined;
        return { value, weight: 1 };
      }),
  };
}

/** Collections that are kept in memory. */
const OPEN_COLLECTIONS = 64;

interface CollectionOptions {
  readonly manifest: RgstoreManifest;
  /** All sequences of the store. */
  readonly sequences: SequenceTable;
  readonly options: OpenRgstoreOptions;
}

/**
 * Throws DIGEST_MISMATCH if the sequences do not form the collection, and if they have other lengths than in the store: the
 * digest of a collection covers names and sequences only.
 */
async function readCollection(
  digest: string,
  { manifest, sequences, options }: CollectionOptions,
): Promise<SequenceCollection> {
  const slice = new TimeSlice(undefined);
  const columns = await readColumns(await readTable(rgstoreCollectionKey(manifest, digest), options), slice);
  const lists = toLists(columns);
  const digests = columns.lengths.length === 0 ? undefined : await digestCollection(lists, slice);
  if (digests?.digest !== digest) throw mismatch('a stored collection does not match its digest');
  for (const [row, length] of columns.lengths.entries()) {
    const stored = sequences.lengthOf(digestBytes(columns.sha512t24u, row, DIGEST_BYTES));
    if (stored !== undefined && stored !== length) {
      throw mismatch(`sequence ${row + 1} of a collection has length ${length}, expected ${stored}`);
    }
    if (slice.isOverAt(row)) await slice.yieldToEventLoop();
  }
  return toCollection(lists, digests);
}

function mismatch(message: string): SequenceSourceError {
  return new SequenceSourceError('DIGEST_MISMATCH', message, { offset: 0 });
}

function* readRows(bytes: Uint8Array, onRow: (row: RgstoreRow) => void): Generator<void, void> {
  for (const row of parseSequenceRows(bytes)) {
    onRow(row);
    yield;
  }
}

async function readAliases({ aliasNamespaces }: RgstoreManifest, options: OpenRgstoreOptions): Promise<AliasRow[]> {
  const rows: AliasRow[] = [];
  for (const namespace of aliasNamespaces) {
    const table = await readTable(`aliases/sequences/${namespace}.tsv`, options);
    for (const row of parseAliasRows(table, namespace)) rows.push(row);
  }
  return rows;
}

async function readTable(key: string, { store, signal, limits = {} }: OpenRgstoreOptions): Promise<Uint8Array> {
  const { tableBytes = DEFAULT_TABLE_BYTES } = limits;
  const source = store.source(key);
  const { size, version } = await source.stat({ signal });
  if (size > tableBytes) {
    const message = `a table has ${size} bytes, more than the limit of ${tableBytes}`;
    throw new SequenceSourceError('LIMIT_EXCEEDED', message, { offset: 0 });
  }
  return source.read({ start: 0, end: size }, { signal, version });
}
