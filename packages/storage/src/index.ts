export type { ByteSource, ReadOptions, SourceStat, StatOptions } from './byte-source.js';
export { startByteStream, toByteStream } from './byte-stream.js';
export {
  isObjectKey,
  type ObjectSourceOptions,
  type ObjectStore,
  type ObjectStream,
  type StoreOptions,
} from './object-store.js';
export { StorageError, type StorageErrorCode, type StorageErrorOptions } from './storage-error.js';
