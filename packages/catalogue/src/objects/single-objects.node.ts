import { basename } from 'node:path';
import { formatLocation, pathOf, type StorageLocation, withPath } from '../locations/location.node.js';
import type { Delivery, RemoteStorage } from '../locations/remote-storage.js';
import { openStored, openStoredIndex } from '../locations/stored-location.node.js';
import { type CandidateFile, lookedUpObjects } from './looked-up-objects.js';
import type { ObjectCatalogue } from './object-catalogue.js';
import { indexPaths, OBJECT_KINDS, objectKindOf, RESERVED_ID } from './object-kind.js';

/** One file, and the location of its index if that is not beside it. */
export interface SingleObject {
  readonly location: StorageLocation;
  /** Default: the file name without the extension. */
  readonly id?: string | undefined;
  readonly index?: StorageLocation | undefined;
  readonly delivery?: Delivery | undefined;
}

/**
 * Serves files that are named one by one; files with the same id are formats of one object. Throws Error if a file has an
 * unknown extension or the reserved id, or if an object has two files of one format.
 */
export function singleObjects(objects: readonly SingleObject[], storage: RemoteStorage): ObjectCatalogue {
  const byName = new Map<string, CandidateFile[]>();
  const entries = objects.map((object) => {
    const { id, file } = toCandidate(object, storage);
    const { datatype, format } = file.kind;
    const files = byName.get(`${datatype}/${id}`) ?? [];
    if (files.some(({ kind }) => kind.format === format)) {
      throw cannotServe(object.location, `${datatype}/${id} has another ${format} file`);
    }
    byName.set(`${datatype}/${id}`, [...files, file].sort(compareKinds));
    return { id, datatype };
  });
  return lookedUpObjects({
    candidates: (id, datatype) => byName.get(`${datatype}/${id}`) ?? [],
    list: async () => entries,
    close: async () => {
      const opened = [...byName.values()].flat().flatMap(({ data, indexes }) => [data, ...indexes]);
      await Promise.all(opened.map(async ({ source }) => source.close?.()));
    },
  });
}

function toCandidate(
  { location, id, index, delivery }: SingleObject,
  storage: RemoteStorage,
): { readonly id: string; readonly file: CandidateFile } {
  const path = pathOf(location);
  const kind = objectKindOf(path);
  if (kind === undefined) {
    const extensions = OBJECT_KINDS.map(({ extension }) => extension).join(', ');
    throw cannotServe(location, `expected one of the extensions ${extensions}`);
  }
  const besides = indexPaths(path, kind.format).map((name) => withPath(location, name));
  const indexes = index === undefined ? besides.filter((each) => each !== undefined) : [index];
  const data = openStored(location, storage, delivery);
  const file = { kind, data, indexes: indexes.map((each) => openStoredIndex(each, storage, data)) };
  const objectId = id ?? basename(path, kind.extension);
  if (objectId === RESERVED_ID) throw cannotServe(location, `"${RESERVED_ID}" is a path of the protocol`);
  return { id: objectId, file };
}

function cannotServe(location: StorageLocation, reason: string): Error {
  return new Error(`cannot serve ${formatLocation(location)}: ${reason}`);
}

function compareKinds(a: CandidateFile, b: CandidateFile): number {
  return OBJECT_KINDS.indexOf(a.kind) - OBJECT_KINDS.indexOf(b.kind);
}
