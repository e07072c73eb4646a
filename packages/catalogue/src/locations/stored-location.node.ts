import { fileSource } from '@htskit/storage/file';
import type { StorageLocation } from './location.node.js';
import type { Delivery, RemoteStorage, StoredObject } from './remote-storage.js';

/** Opens the file at a location, local or remote. Nothing is read yet. */
export function openStored(location: StorageLocation, storage: RemoteStorage, delivery?: Delivery): StoredObject {
  if (location.kind === 'path') return { source: fileSource(location.path), locate: undefined };
  return storage.open(location, delivery);
}

/** Opens an index of a file that was opened before. */
export function openStoredIndex(location: StorageLocation, storage: RemoteStorage, data: StoredObject): StoredObject {
  return location.kind === 'path' ? openStored(location, storage) : storage.openIndex(location, data);
}
