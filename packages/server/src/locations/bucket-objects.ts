import type { Datatype } from '@htskit/protocol';
import { indexPaths } from '../index-paths.js';
import type { BucketLocation } from './location.js';
import type { ObjectFinder } from './object-finder.js';
import { OBJECT_KINDS, type ObjectEntry, objectKindOf, RESERVED_ID } from './object-kind.js';
import type { Delivery, RemoteStorage } from './remote-storage.js';
import { type CandidateFile, storedObjects } from './stored-objects.js';

export interface BucketObjectsOptions {
  readonly storage: RemoteStorage;
  readonly delivery?: Delivery | undefined;
  /** As of LookupCache. */
  readonly now?: (() => number) | undefined;
}

/** Of a listing, which is one request. */
export const LISTED_KEYS: number = 1000;
/** Of a key of S3. */
const MAX_KEY_BYTES = 1024;

/** The objects in a bucket: the id is what follows the location and a slash in the key, without the extension. */
export function bucketObjects(
  location: BucketLocation,
  { storage, delivery, now }: BucketObjectsOptions,
): ObjectFinder {
  const locate = (key: string): BucketLocation => ({
    ...location,
    key: location.key === '' ? key : `${location.key}/${key}`,
  });
  const candidates = (id: string, datatype: Datatype): CandidateFile[] => {
    // No URL and no key can hold it.
    if (/\p{Surrogate}/u.test(id) || Buffer.byteLength(`${location.key}/${id}.vcf.bgz.tbi`) > MAX_KEY_BYTES) return [];
    return OBJECT_KINDS.filter((kind) => kind.datatype === datatype).map((kind) => {
      const data = storage.open(locate(id + kind.extension), delivery);
      const paths = indexPaths(id + kind.extension, kind.format);
      return { kind, data, indexes: paths.map((path) => storage.openIndex(locate(path), data)) };
    });
  };
  return storedObjects({
    candidates,
    list: async () => listObjects(await firstKeys(storage, location)),
    close: async () => undefined,
    now,
  });
}

/** What one request tells of the keys in a bucket, without what the location says of them. */
export async function firstKeys(storage: RemoteStorage, location: BucketLocation): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of storage.openStore(location).list('')) {
    if (keys.push(key) === LISTED_KEYS) break;
  }
  return keys;
}

function listObjects(keys: readonly string[]): ObjectEntry[] {
  const entries = new Map<string, ObjectEntry>();
  for (const key of keys) {
    const kind = objectKindOf(key);
    if (kind === undefined) continue;
    const id = key.slice(0, -kind.extension.length);
    if (id !== RESERVED_ID) entries.set(`${kind.datatype}/${id}`, { id, datatype: kind.datatype });
  }
  return [...entries.values()];
}
