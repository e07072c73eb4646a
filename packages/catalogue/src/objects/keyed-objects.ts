import { coveragePathOf } from '@htskit/htsget/internal';
import { indexPaths } from '@htskit/indexes';
import type { Datatype } from '@htskit/protocol';
import type { StoreGuard } from '@htskit/storage/guard';
import type { StoredObject } from '../locations/stored-object.js';
import { type CandidateFile, lookedUpObjects } from './looked-up-objects.js';
import {
  type Decrypt,
  kindsOf,
  type ObjectCatalogue,
  type ObjectEntry,
  type ObjectKind,
  objectKindOf,
  RESERVED_ID,
  toEntry,
} from './object-catalogue.js';

export interface KeyedObjectsOptions {
  /** Opens the file of a key. Returns undefined for a key that the store cannot hold. */
  readonly open: (key: string) => StoredObject | undefined;
  /** Opens an index, or the bigWig of the depth, of a file that was opened before. */
  readonly openIndex: (key: string, data: StoredObject) => StoredObject | undefined;
  /** Lists the keys. */
  readonly keys: () => AsyncIterable<string>;
  /** The guard of the store. Default: none. */
  readonly guard?: StoreGuard;
  readonly decrypt?: Decrypt | undefined;
  /** Milliseconds since any fixed point in time. Default `performance.now`. */
  readonly now?: (() => number) | undefined;
}

/** Keys of one listing request. */
export const LISTED_KEYS: number = 1000;

/** Serves the objects of a store of files by their keys: the id of an object is its key without the extension. */
export function keyedObjects({
  open,
  openIndex,
  keys,
  guard,
  decrypt,
  ...options
}: KeyedObjectsOptions): ObjectCatalogue {
  const toCandidate = (id: string, kind: ObjectKind): CandidateFile | undefined => {
    const key = id + kind.extension;
    const data = open(key);
    if (data === undefined) return undefined;
    const indexes = indexPaths(key, kind.format).map((path) => openIndex(path, data));
    const coverage = kind.datatype === 'reads' ? openIndex(coveragePathOf(key), data) : undefined;
    return { kind, data, indexes: indexes.filter((index) => index !== undefined), coverage };
  };
  const guards = guard === undefined ? [] : [guard];
  return lookedUpObjects({
    candidates: (id, datatype) =>
      kindsOf(datatype, decrypt)
        .map((kind) => toCandidate(id, kind))
        .filter((candidate) => candidate !== undefined),
    guards: () => guards,
    decrypt,
    list: async () => toEntries(await firstKeys(keys()), decrypt),
    close: async () => undefined,
    ...options,
  });
}

/** Returns the keys that one listing request returns. */
export async function firstKeys(keys: AsyncIterable<string>): Promise<string[]> {
  const first: string[] = [];
  for await (const key of keys) {
    if (first.push(key) === LISTED_KEYS) break;
  }
  return first;
}

function toEntries(keys: readonly string[], decrypt: Decrypt | undefined): ObjectEntry[] {
  const found = new Map<string, { readonly id: string; readonly datatype: Datatype; readonly kinds: ObjectKind[] }>();
  for (const key of keys) {
    const kind = objectKindOf(key);
    if (kind === undefined || (kind.isEncrypted && decrypt === undefined)) continue;
    const { datatype, extension } = kind;
    const id = key.slice(0, -extension.length);
    if (id === RESERVED_ID) continue;
    const name = `${datatype}/${id}`;
    const object = found.get(name) ?? { id, datatype, kinds: [] };
    object.kinds.push(kind);
    found.set(name, object);
  }
  return Array.from(found.values(), ({ kinds, ...object }) => toEntry(object, kinds));
}
