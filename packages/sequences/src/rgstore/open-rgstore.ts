import type { ObjectStore } from '@htskit/io';
import { type AliasRow, createDescriber, type NamingOptions } from '../name-tables.js';
import type { NamedSequence } from '../sequence.js';
import { SequenceSourceError } from '../sequence-source-error.js';
import { alphabetOf, rgstoreSequence } from './rgstore-sequence.js';
import {
  parseAliasRows,
  parseRgstoreManifest,
  parseSequenceRows,
  type RgstoreManifest,
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
  const { store } = options;
  const manifest = parseRgstoreManifest(await readTable('rgstore.json', options));
  const rows = parseSequenceRows(await readTable(manifest.sequenceIndex, options));
  const aliases = [...(options.aliases ?? []), ...(await readAliases(manifest, options))];
  const describe = createDescriber({ ...options, aliases });
  return rows.map(({ name, alphabet, digests }) =>
    rgstoreSequence({
      name,
      metadata: describe(name, digests),
      data: store.source(rgstoreSequenceKey(manifest, digests.sha512t24u)),
      alphabet: alphabetOf(manifest.isEncoded ? alphabet : 'text'),
    }),
  );
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
