import { type SequenceIdentifier, toTrunc512 } from '@htskit/digest';
import { type ObjectStore, StorageError } from '@htskit/io';
import type { SequenceAlias } from '../sequence.js';
import { SequenceStoreError } from './sequence-store-error.js';
import {
  aliasPrefix,
  checkAlias,
  checkMarker,
  factsPrefix,
  isTrunc512,
  MARKER_KEY,
  md5Key,
  parseFactKey,
  trunc512OfKey,
} from './store-layout.js';

/** What is known of a sequence apart from its object. */
export interface SequenceFacts {
  readonly aliases: readonly SequenceAlias[];
  readonly circular: boolean;
}

/** The objects that are text are short: what is longer is none of them. */
const MAX_TEXT_BYTES = 1024;

/** The text of an object, of which it is the beginning if it is long; undefined where there is none. */
export async function readText(store: ObjectStore, key: string): Promise<string | undefined> {
  const source = store.source(key);
  try {
    return new TextDecoder().decode(await source.read({ start: 0, end: MAX_TEXT_BYTES }));
  } catch (error) {
    if (error instanceof StorageError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  } finally {
    await source.close?.();
  }
}

/** Throws NOT_A_STORE and UNSUPPORTED_VERSION unless the marker is that of a store, and StorageError. */
export async function readMarker(store: ObjectStore): Promise<void> {
  const marker = await readText(store, MARKER_KEY);
  if (marker === undefined) {
    throw new SequenceStoreError('NOT_A_STORE', `there is no store: no ${MARKER_KEY}`, { key: MARKER_KEY });
  }
  checkMarker(marker);
}

/** The TRUNC512 of the sequences that are called so, which need not be there. Throws CORRUPT, StorageError. */
export async function findDigests(store: ObjectStore, identifier: SequenceIdentifier): Promise<readonly string[]> {
  switch (identifier.kind) {
    case 'trunc512':
      return [identifier.digest];
    case 'sha512t24u':
      return [toTrunc512(identifier.digest)];
    case 'md5':
      return digestsOfMd5(store, identifier.digest);
    case 'curie':
      return digestsOfAlias(store, { alias: identifier.name, namingAuthority: identifier.namespace });
  }
}

async function digestsOfMd5(store: ObjectStore, md5: string): Promise<readonly string[]> {
  const key = md5Key(md5);
  const text = await readText(store, key);
  if (text === undefined) return [];
  if (!isTrunc512(text)) throw new SequenceStoreError('CORRUPT', 'the object holds no TRUNC512', { key });
  return [text];
}

async function digestsOfAlias(store: ObjectStore, alias: SequenceAlias): Promise<readonly string[]> {
  const prefix = prefixOf(alias);
  if (prefix === undefined) return [];
  const digests: string[] = [];
  for await (const key of store.list(prefix)) {
    const trunc512 = trunc512OfKey(key);
    if (trunc512 !== undefined) digests.push(trunc512);
  }
  return digests.sort();
}

/** Undefined for what cannot be an alias. */
function prefixOf(alias: SequenceAlias): string | undefined {
  try {
    return aliasPrefix(checkAlias(alias));
  } catch (error) {
    if (error instanceof SequenceStoreError) return undefined;
    throw error;
  }
}

/** What is known of a sequence. Throws StorageError. */
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
