import { coveragePathOf } from '@htskit/htsget/internal';
import { indexPaths } from '@htskit/indexes';
import { isEncryptedPath } from '@htskit/io/internal';
import { type Blocking, FileAccess, fileSource } from '@htskit/storage/file';
import { fileNameOf, formatLocation, pathOf, type StorageLocation, withPath } from '../locations/location.node.js';
import type { Delivery, RemoteStorage } from '../locations/remote-storage.js';
import type { StoredObject } from '../locations/stored-object.js';
import type { CandidateFile } from './looked-up-objects.js';
import { OBJECT_KINDS, type ObjectKind, objectKindOf, RESERVED_ID } from './object-catalogue.js';

/** One file, and the location of its index if that is not beside it. */
export interface SingleObject {
  readonly location: StorageLocation;
  /** Default: the file name without the extension. */
  readonly id?: string;
  readonly index?: StorageLocation;
  readonly delivery?: Delivery;
  /** Default: by the name of the file. */
  readonly kind?: ObjectKind;
}

/** How single files are opened. */
export interface OpenFileContext {
  readonly storage: RemoteStorage;
  /** See `folderObjects`. */
  readonly blocking?: Blocking | undefined;
}

/** Returns the name of a file without the extension. */
export function defaultId(location: StorageLocation): string {
  const name = fileNameOf(location);
  return name.slice(0, name.length - (objectKindOf(name)?.extension.length ?? 0));
}

/** Opens a single file and its possible indexes. Throws Error if it has an unknown extension or the reserved id. */
export function toCandidate(
  { location, id, index, delivery, kind = objectKindOf(fileNameOf(location)) }: SingleObject,
  context: OpenFileContext,
): { readonly id: string; readonly file: CandidateFile } {
  const path = pathOf(location);
  if (kind === undefined) {
    const extensions = OBJECT_KINDS.map(({ extension }) => extension).join(', ');
    throw cannotServe(location, `expected one of the extensions ${extensions}`);
  }
  const besides = indexPaths(path, kind.format).map((name) => withPath(location, name));
  const indexes = index === undefined ? besides.filter((each) => each !== undefined) : [index];
  const data = { ...openStored(location, context, delivery), isEncrypted: kind.isEncrypted };
  const bigWig =
    location.kind === 'path' || kind.datatype !== 'reads' ? undefined : withPath(location, coveragePathOf(path));
  const coverage = bigWig && context.storage.openIndex(bigWig, data);
  const file = { kind, data, indexes: indexes.map((each) => openStoredIndex(each, context, data)), coverage };
  const objectId = id ?? defaultId(location);
  if (objectId === RESERVED_ID) throw cannotServe(location, `"${RESERVED_ID}" is a path of the protocol`);
  return { id: objectId, file };
}

/** Creates the error of a location that cannot be served. */
export function cannotServe(location: StorageLocation, reason: string): Error {
  return new Error(`cannot serve ${formatLocation(location)}: ${reason}`);
}

/** Orders files as their formats are listed. */
export function compareKinds(a: CandidateFile, b: CandidateFile): number {
  return OBJECT_KINDS.indexOf(a.kind) - OBJECT_KINDS.indexOf(b.kind);
}

/** Opens the file at a location, local or remote. Nothing is read yet. */
function openStored(
  location: StorageLocation,
  { storage, blocking }: OpenFileContext,
  delivery?: Delivery,
): StoredObject {
  if (location.kind !== 'path') return storage.open(location, delivery);
  const access = new FileAccess(location.path, { blocking });
  const isEncrypted = isEncryptedPath(location.path);
  return { source: fileSource(location.path, { access }), isEncrypted, locate: undefined };
}

/** Opens an index of a file that was opened before. */
function openStoredIndex(location: StorageLocation, context: OpenFileContext, data: StoredObject): StoredObject {
  return location.kind === 'path' ? openStored(location, context) : context.storage.openIndex(location, data);
}
