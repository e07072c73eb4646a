import type { ObjectStore } from '@htskit/io';
import { TimeSlice } from '../collection/time-slice.js';
import type { AliasRow, NamingOptions } from '../name-tables.js';
import type { NamedSequence } from '../sequence.js';
import { SequenceSourceError } from '../sequence-source-error.js';
import { NumberColumnBuilder } from '../table/columns.js';
import { SequenceTable } from '../table/sequence-table.js';
import { SequenceColumnsBuilder, toTableData } from '../table/table-data.js';
import { alphabetAt, alphabetNumber, rgstoreSequence, TEXT_ALPHABET } from './rgstore-sequence.js';
import {
  parseAliasRows,
  parseRgstoreManifest,
  parseSequenceRows,
  type RgstoreManifest,
  type RgstoreRow,
  rgstoreSequenceKey,
} from './rgstore-tables.js';

export interface OpenRgstoreOptions extends NamingOptions {
  /** The store that holds `rgstore.json`. */
  readonly store: Pick<ObjectStore, 'source'>;
  /** Aborts the opening. */
  readonly signal?: AbortSignal | undefined;
  readonly limits?: RgstoreLimits | undefined;
}

export interface RgstoreLimits {
  /** Most bytes of each table of the store. Default 512 MiB. */
  readonly tableBytes?: number | undefined;
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
  return [...(await openRgstoreTable(options))];
}

/** Like `openRgstore`, for any number of sequences: they stay columns. */
export async function openRgstoreTable(options: OpenRgstoreOptions): Promise<SequenceTable> {
  const { store, signal } = options;
  const manifest = parseRgstoreManifest(await readTable('rgstore.json', options));
  const builder = new SequenceColumnsBuilder();
  const alphabets = new NumberColumnBuilder();
  const slice = new TimeSlice(signal);
  await slice.run(
    readRows(await readTable(manifest.sequenceIndex, options), ({ name, alphabet, digests }) => {
      builder.addName(name);
      builder.addDigests(digests);
      alphabets.push(manifest.isEncoded ? alphabetNumber(alphabet) : TEXT_ALPHABET);
    }),
  );
  const alphabet = alphabets.finish();
  const data = await toTableData(builder.finish(), { places: { alphabet }, slice, isCollection: false });
  return new SequenceTable({
    data,
    naming: { ...options, aliases: [...(options.aliases ?? []), ...(await readAliases(manifest, options))] },
    open: (row, { name, metadata }) =>
      rgstoreSequence({
        name,
        metadata,
        data: store.source(rgstoreSequenceKey(manifest, metadata.sha512t24u)),
        alphabet: alphabetAt(alphabet[row] ?? TEXT_ALPHABET),
      }),
  });
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
