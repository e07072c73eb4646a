export { type BorrowedBytes, peek, toOwned, toOwnedChunks } from './borrowed-bytes.js';
export {
  type ByteRange,
  type ByteSource,
  checkRange,
  clipRange,
  type ReadOptions,
  type SourceStat,
  type StatOptions,
} from './byte-source.js';
export { CHUNK_BYTES, readChunks, toByteStream } from './byte-stream.js';
export { concatBytes, fromBase64, fromBase64Url, fromHex, toBase64, toBase64Url, toHex } from './bytes.js';
export { type Clock, type ClockOptions, systemClock } from './clock.js';
export { LruCache, type LruCacheOptions, type Weighted } from './lru-cache.js';
export { MemoryBudget, MemoryError, type MemoryErrorCode } from './memory/memory-budget.js';
export {
  checkContentSize,
  checkObjectKey,
  isObjectKey,
  type ObjectSourceOptions,
  type ObjectStore,
  type ObjectStream,
  type PutOptions,
  type StoreOptions,
} from './object-store.js';
export { checkNotAborted, StorageError, type StorageErrorCode, type StorageErrorOptions } from './storage-error.js';
export { decodeText, encodeText } from './text/escaped-text.js';
