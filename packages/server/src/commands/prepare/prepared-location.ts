import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  type BucketLocation,
  formatLocation,
  isDigested,
  objectKindOf,
  parseLocation,
  type StorageLocation,
} from '@htskit/catalogue/internal';
import type { ObjectStore } from '@htskit/io';
import { folderStore } from '@htskit/storage/folder';
import { s3ObjectStore } from '@htskit/storage/s3';
import { s3FromEnvironment } from '../../stored-file/object-store.js';

/** The files of a folder or a bucket. */
export interface PreparedLocation {
  readonly store: ObjectStore;
  /** Lists the keys of all files, including those that cannot be prepared. */
  list(signal: AbortSignal): AsyncIterable<string>;
  /** Returns the name of a file for people. */
  nameOf(key: string): string;
  /** Returns the path of a file in a folder; undefined in a bucket. */
  pathOf(key: string): string | undefined;
}

/** Returns whether a file can be prepared, by its name. */
export function isPreparable(key: string): boolean {
  return objectKindOf(key) !== undefined || isDigested(key);
}

/** Opens a location. Throws RangeError for a URL, and the system's error for a path that does not exist. */
export async function openPreparedLocation(text: string): Promise<PreparedLocation> {
  const location = parseLocation(text, '.');
  switch (location.kind) {
    case 'http':
      throw new RangeError(`"${formatLocation(location)}" is not a folder or s3://BUCKET/PREFIX`);
    case 'path':
      return (await stat(location.path)).isDirectory()
        ? openFolder(location.path)
        : only(openFolder(dirname(location.path)), basename(location.path));
    case 's3':
      return isPreparable(location.key)
        ? only(openBucket({ ...location, key: '' }), location.key)
        : openBucket(location);
  }
}

function openFolder(folder: string): PreparedLocation {
  const pathOf = (key: string): string => join(folder, key);
  return toLocation(folderStore(folder, { anyNames: true }), { nameOf: pathOf, pathOf });
}

function openBucket({ bucket, key }: BucketLocation): PreparedLocation {
  const prefix = key === '' ? '' : `${key}/`;
  const toName = (name: string): StorageLocation => ({ kind: 's3', bucket, key: prefix + name });
  return toLocation(s3ObjectStore({ ...s3FromEnvironment(), bucket, prefix }), {
    nameOf: (name) => formatLocation(toName(name)),
    pathOf: () => undefined,
  });
}

function toLocation(store: ObjectStore, names: Pick<PreparedLocation, 'nameOf' | 'pathOf'>): PreparedLocation {
  return { store, list: (signal) => store.list('', { signal }), ...names };
}

/** Returns a location with one of its files. */
function only(location: PreparedLocation, key: string): PreparedLocation {
  async function* list(): AsyncGenerator<string, void> {
    yield key;
  }
  return { ...location, list };
}
