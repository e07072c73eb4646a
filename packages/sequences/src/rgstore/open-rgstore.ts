import type { ObjectStore } from '@htskit/io';
import type { AliasRow } from '../alias-row.js';
import { createDescriber, type NamingOptions } from '../naming.js';
import type { NamedSequence } from '../sequence.js';
import { SequenceSourceError } from '../sequence-source-error.js';
import { alphabetOf } from './alphabet.js';
import { parseRgstoreManifest, type RgstoreManifest, sequenceKey } from './manifest.js';
import { rgstoreSequence } from './rgstore-sequence.js';
import { parseAliasRows, parseSequenceRows } from './sequence-rows.js';

export interface OpenRgstoreOptions extends NamingOptions {
  /** The store, with `rgstore.json` in it. */
  readonly store: Pick<ObjectStore, 'source'>;
  /** Ends the opening. */
  readonly signal?: AbortSignal | undefined;
  /** Bytes of a table of the store; longer ones are refused. Default 512 MiB. */
  readonly tableBytes?: number | undefined;
}

/**
 * The sequences of a RefgetStore of gtars, version 1, raw or encoded. Reads its tables and no sequence: each is digested
 * when bases of it are first asked for. The namespaces of its aliases are naming authorities. Throws SequenceSourceError,
 * StorageError, and RangeError for a naming authority whose identifiers could not be asked for.
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
      data: store.source(sequenceKey(manifest, digests.sha512t24u)),
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

async function readTable(
  key: string,
  { store, signal, tableBytes = 2 ** 29 }: OpenRgstoreOptions,
): Promise<Uint8Array> {
  const source = store.source(key);
  const { size, version } = await source.stat({ signal });
  if (size > tableBytes) {
    throw new SequenceSourceError('LIMIT_EXCEEDED', `a table is longer than ${tableBytes} bytes`, { offset: 0 });
  }
  return source.read({ start: 0, end: size }, { signal, version });
}
