export type { ByteSource, ReadOptions, SourceStat, StatOptions } from './byte-source.js';
export { StorageError, type StorageErrorCode, type StorageErrorOptions } from './storage-error.js';
