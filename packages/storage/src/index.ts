export type { ByteSource, ReadOptions, SourceStat, StatOptions } from './byte-source.js';
export { startByteStream, toByteStream } from './byte-stream.js';
export { StorageError, type StorageErrorCode, type StorageErrorOptions } from './storage-error.js';
