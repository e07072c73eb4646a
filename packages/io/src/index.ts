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
export {
  type ByteStreamOptions,
  CHUNK_BYTES,
  readChunks,
  readFromStart,
  startByteStream,
  toByteStream,
} from './byte-stream.js';
export { concatBytes, fromBase64, fromBase64Url, fromHex, toBase64, toBase64Url, toHex } from './bytes.js';
export { type Clock, type ClockOptions, startTimer, systemClock } from './clock.js';
export { loopTurns, TurnScheduler, type TurnSchedulerOptions, yieldToEventLoop } from './event-loop.js';
export { GrowingBytes } from './growing-bytes.js';
export { LruCache, type LruCacheOptions, type Weighted } from './lru-cache.js';
export {
  type GrowOptions,
  growBytes,
  MemoryAccount,
  MemoryBudget,
  MemoryError,
  type MemoryErrorCode,
  type MemoryShare,
} from './memory-budget.js';
export {
  checkContentSize,
  checkObjectKey,
  isObjectKey,
  type ObjectSourceOptions,
  type ObjectStore,
  type ObjectStream,
  type StoreOptions,
} from './object-store.js';
export { onAbort, unlessAborted } from './on-abort.js';
export {
  checkNotAborted,
  StorageError,
  type StorageErrorCode,
  type StorageErrorOptions,
  toAbortedError,
} from './storage-error.js';
export { finishSteps, type Steps, TimeSlice } from './time-slice.js';
