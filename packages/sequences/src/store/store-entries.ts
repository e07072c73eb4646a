import { type SequenceDigests, type SequenceIdentifier, toTrunc512 } from '@htskit/digest';
import type { ObjectStore } from '@htskit/io';
import { unlessMissing } from '@htskit/io/internal';
import type { SequenceAlias } from '../sequence.js';
import { SequenceStoreError } from './sequence-store-error.js';
import {
  aliasKey,
  aliasPrefix,
  checkAlias,
  checkMarker,
  factKey,
  factsPrefix,
  isTrunc512,
  MARKER_KEY,
  md5Key,
  parseFactKey,
  trunc512OfKey,
} from './store-layout.js';

/** The facts that a store holds about a sequence, apart from its object. */
export interface SequenceFacts {
  readonly aliases: readonly SequenceAlias[];
  readonly circular: boolean;
}

/** Upper bound of the text objects of a store. */
const MAX_TEXT_BYTES = 1024;

/** Reads an object, or its first bytes. Returns undefined if there is no such object. */
export async function readObject(
  store: ObjectStore,
  key: string,
  { signal, maxBytes }: { readonly signal?: AbortSignal; readonly maxBytes?: number } = {},
): Promise<Uint8Array | undefined> {
  const source = store.source(key, { isImmutable: true });
  const read = async (): Promise<Uint8Array> => {
    const end = maxBytes ?? (await source.stat({ signal })).size;
    return source.read({ start: 0, end }, { signal });
  };
  try {
    return await unlessMissing(read());
  } finally {
    await source.close?.();
  }
}

/** Reads the text of an object, at most its first KiB. Returns undefined if there is no such object. */
export async function readText(store: ObjectStore, key: string): Promise<string | undefined> {
  const bytes = await readObject(store, key, { maxBytes: MAX_TEXT_BYTES });
  return bytes && new TextDecoder().decode(bytes);
}

/** Throws NOT_A_STORE and UNSUPPORTED_VERSION unless the marker belongs to a store that this version reads. */
export async function readMarker(store: ObjectStore): Promise<void> {
  const marker = await readText(store, MARKER_KEY);
  if (marker === undefined) {
    throw new SequenceStoreError('NOT_A_STORE', `not a sequence store: ${MARKER_KEY} is missing`, { key: MARKER_KEY });
  }
  checkMarker(marker);
}

/** Returns the TRUNC512 of the sequences that an identifier names, which may be missing. Throws CORRUPT, StorageError. */
export async function findDigests(store: ObjectStore, identifier: SequenceIdentifier): Promise<readonly string[]> {
  switch (identifier.kind) {
    case 'trunc512':
      return [identifier.digest];
    case 'sha512t24u':
      return [toTrunc512(identifier.digest)];
    case 'md5':
      return findByMd5(store, identifier.digest);
    case 'curie':
      return findByAlias(store, { alias: identifier.name, namingAuthority: identifier.namespace });
  }
}

async function findByMd5(store: ObjectStore, md5: string): Promise<readonly string[]> {
  const key = md5Key(md5);
  const text = await readText(store, key);
  if (text === undefined) return [];
  if (!isTrunc512(text)) throw new SequenceStoreError('CORRUPT', 'the object does not hold a TRUNC512', { key });
  return [text];
}

async function findByAlias(store: ObjectStore, alias: SequenceAlias): Promise<readonly string[]> {
  const prefix = prefixOf(alias);
  if (prefix === undefined) return [];
  const digests: string[] = [];
  for await (const key of store.list(prefix)) {
    const trunc512 = trunc512OfKey(key);
    if (trunc512 !== undefined) digests.push(trunc512);
  }
  return digests.sort();
}

/** Returns undefined for an alias that cannot be stored. */
function prefixOf(alias: SequenceAlias): string | undefined {
  try {
    return aliasPrefix(checkAlias(alias));
  } catch (error) {
    if (error instanceof SequenceStoreError) return undefined;
    throw error;
  }
}

/** Lists the aliases and the topology of a sequence. Throws StorageError. */
export async function readFacts(store: ObjectStore, trunc512: string): Promise<SequenceFacts> {
  const aliases: SequenceAlias[] = [];
  let circular = false;
  const keys: string[] = [];
  for await (const key of store.list(factsPrefix(trunc512))) keys.push(key);
  for (const key of keys.sort()) {
    const fact = parseFactKey(key)?.fact;
    if (fact?.kind === 'circular') circular = true;
    if (fact?.kind === 'alias') aliases.push({ alias: fact.alias, namingAuthority: fact.namingAuthority });
  }
  return { aliases, circular };
}

/** Returns whether there is an object under the key, of this size if one is given. */
export async function isStored(store: ObjectStore, key: string, size?: number): Promise<boolean> {
  const source = store.source(key);
  try {
    const found = await unlessMissing(source.stat());
    return found !== undefined && (size === undefined || found.size === size);
  } finally {
    await source.close?.();
  }
}

/** Writes a short object unless one of the same length exists, which then has the same content. */
export async function putMissing(
  store: ObjectStore,
  key: string,
  { text = '', signal }: { readonly text?: string; readonly signal?: AbortSignal },
): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  if (!(await isStored(store, key, bytes.length))) await store.put(key, bytes, { signal });
}

/** Returns the keys of the objects that hold the facts about a sequence, or lead from a fact to it. */
export function factKeys(trunc512: string, { aliases, circular }: SequenceFacts): string[] {
  return [
    ...(circular ? [factKey(trunc512, { kind: 'circular' })] : []),
    ...aliases.flatMap((alias) => [factKey(trunc512, { kind: 'alias', ...alias }), aliasKey(trunc512, alias)]),
  ];
}

export interface FactsToPut extends SequenceFacts {
  readonly digests: SequenceDigests;
  readonly signal?: AbortSignal;
}

/**
 * Stores the missing ways to a sequence and facts about it. Facts are only ever added, so concurrent writers lose nothing.
 */
export async function putFacts(store: ObjectStore, { digests, signal, ...facts }: FactsToPut): Promise<void> {
  const { md5, trunc512 } = digests;
  await Promise.all([
    putMissing(store, md5Key(md5), { text: trunc512, signal }),
    ...factKeys(trunc512, facts).map((key) => putMissing(store, key, { signal })),
  ]);
}
