// Shared with @htskit/server; not part of the public interface.
export { parseFileId } from './drs/file-owner.js';
export { describeError, describeFileError, isSystemError } from './files/file-errors.node.js';
export { isBelow, listFiles } from './files/list-files.node.js';
export { indexTypeOf, storedKeyOf } from './files/stored-key.js';
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
export { type Delivery, RemoteStorage, type RemoteStorageOptions } from './locations/remote-storage.js';
export type { SharedCache } from './locations/shared-source.js';
export { STAT_SECONDS } from './locations/stored-object.js';
export { parseDrsUri } from './mapped/drs-client.node.js';
export { IdRule } from './mapped/id-rule.js';
export { checkQuery, checkResolverUrl } from './mapped/json-resolver.node.js';
export { type ArchiveReader, type MappedLocation, openMapped } from './mapped/open-mapped.node.js';
export { firstKeys, LISTED_KEYS } from './objects/keyed-objects.js';
export { OBJECT_KINDS, type ObjectKind, objectKindOf, SERVED_FILES } from './objects/object-catalogue.js';
export { checkPaths, type ObjectLocation, openObjects } from './objects/open-objects.node.js';
export { isNetwork } from './outgoing/allowed-hosts.node.js';
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
