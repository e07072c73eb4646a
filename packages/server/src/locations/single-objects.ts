import { basename } from 'node:path';
import { indexPaths } from '../index-paths.js';
import { formatLocation, type Location, pathOf, withPath } from './location.js';
import type { ObjectFinder } from './object-finder.js';
import { OBJECT_KINDS, objectKindOf, RESERVED_ID } from './object-kind.js';
import type { Delivery, RemoteStorage } from './remote-storage.js';
import { type CandidateFile, storedObjects } from './stored-objects.js';

/** One file, and where its index is if not beside it. */
export interface SingleObject {
  readonly location: Location;
  /** Default: the name of the file without the extension. */
  readonly id?: string | undefined;
  readonly index?: Location | undefined;
  readonly delivery?: Delivery | undefined;
}

/** Objects that are named one by one; those with the same id are formats of one. Throws Error where they cannot be. */
export function singleObjects(objects: readonly SingleObject[], storage: RemoteStorage): ObjectFinder {
  const byName = new Map<string, CandidateFile[]>();
  const entries = objects.map((object) => {
    const { id, file } = toCandidate(object, storage);
    const { datatype, format } = file.kind;
    const files = byName.get(`${datatype}/${id}`) ?? [];
    if (files.some(({ kind }) => kind.format === format)) {
      throw new Error(
        `${formatLocation(object.location)} cannot be served: there is another ${format} of ${datatype}/${id}`,
      );
    }
    byName.set(`${datatype}/${id}`, [...files, file].sort(compareKinds));
    return { id, datatype };
  });
  return storedObjects({
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
  if (kind === undefined)
    throw new Error(`${formatLocation(location)} cannot be served: its name is not that of a file`);
  const beside = indexPaths(path, kind.format).map((name) => withPath(location, name));
  const indexes = index === undefined ? beside.filter((each) => each !== undefined) : [index];
  const data = storage.open(location, delivery);
  const file = { kind, data, indexes: indexes.map((each) => storage.openIndex(each, data)) };
  const ownId = id ?? basename(path, kind.extension);
  if (ownId === RESERVED_ID)
    throw new Error(`${formatLocation(location)} cannot be served: its id is a path of the protocol`);
  return { id: ownId, file };
}

function compareKinds(a: CandidateFile, b: CandidateFile): number {
  return OBJECT_KINDS.indexOf(a.kind) - OBJECT_KINDS.indexOf(b.kind);
}
