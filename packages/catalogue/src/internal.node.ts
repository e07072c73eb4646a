// Shared with @htskit/server; not part of the public interface.
export { describeError, describeFileError, isSystemError } from './files/file-errors.node.js';
export { isBelow, listFiles } from './files/list-files.node.js';
export { writeAtomically } from './files/whole-file.node.js';
export {
  type BucketLocation,
  fileNameOf,
  formatLocation,
  isPlainPath,
  type PathLocation,
  parseLocation,
  pathOf,
  type StorageLocation,
} from './locations/location.node.js';
export { type Delivery, RemoteStorage, type RemoteStorageOptions, STAT_SECONDS } from './locations/remote-storage.js';
export { firstKeys, LISTED_KEYS } from './objects/bucket-objects.js';
export { OBJECT_KINDS, type ObjectKind, objectKindOf, SERVED_FILES } from './objects/object-catalogue.js';
export { checkPaths, type ObjectLocation, openObjects } from './objects/open-objects.node.js';
export { openSequences, type SequenceLocation } from './sequences/open-sequences.node.js';
export { prepareDigests } from './sequences/prepare-digests.node.js';
export { isDigested, isSequenceFile, listSequenceFiles } from './sequences/sequence-file.node.js';
export { readAliasTable } from './sequences/sequence-roots.node.js';
export {
  isStoreBucket,
  isStoreFolder,
  openStoreFolder,
} from './sequences/store-folder.node.js';
export { type WatchedSequenceOptions, WatchedSequences } from './sequences/watched-sequences.node.js';
