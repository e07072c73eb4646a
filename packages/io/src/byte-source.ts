import { StorageError } from './storage-error.js';

/** A half-open range `[start, end)` of bytes. Only HTTP headers have inclusive ends. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Throws `StorageError` INVALID_RANGE unless both ends are safe integers and 0 ≤ start ≤ end. */
export function checkRange({ start, end }: ByteRange, key: string): void {
  if (Number.isSafeInteger(start) && Number.isSafeInteger(end) && 0 <= start && start <= end) return;
  throw new StorageError('INVALID_RANGE', `expected integers 0 ≤ start ≤ end, found start ${start}, end ${end}`, {
    key,
  });
}

/** Returns the part of the range that lies within an object of `size` bytes. */
export function clipRange({ start, end }: ByteRange, size: number): ByteRange {
  return { start: Math.min(start, size), end: Math.min(end, size) };
}

export interface StatOptions {
  /** Aborts the request. A source that answers without waiting may ignore it. */
  readonly signal?: AbortSignal;
}

export interface ReadOptions {
  readonly signal?: AbortSignal;
  /**
   * The version that `stat` returned, which may be undefined. The read fails with CHANGED if the object has, or changes to,
   * another version.
   */
  readonly version?: string | undefined;
  /**
   * Memory for the bytes of a `read`. A source that uses it returns a view of its start, if the range is not longer. The caller
   * must not use the memory until the read has ended. Streams ignore it.
   */
  readonly into?: Uint8Array | undefined;
  /**
   * Whether the consumer of a stream uses each chunk only until it pulls the next one, so that a source may read all chunks into the
   * same memory. Default: the consumer owns the chunks.
   */
  readonly isBorrowed?: boolean | undefined;
}

export interface SourceStat {
  /** Size of the object in bytes. */
  readonly size: number;
  /** Differs between any two states of the object. Undefined if the store cannot distinguish them. */
  readonly version?: string;
  /** When the object changed last, in milliseconds since 1970, if the store reports it. HTTP stores do to the second. */
  readonly modifiedAt?: number;
  /** The version of the object that this one was made of, if its writer recorded it. */
  readonly origin?: string;
}

/**
 * One stored object, read by byte ranges. Every failure is a `StorageError`, including INVALID_RANGE for a range that does
 * not consist of two integers 0 ≤ start ≤ end. Unknown options are ignored.
 *
 * @example
 * const { size, version } = await source.stat();
 * const tail = await source.read({ start: Math.max(0, size - 28), end: size }, { version });
 */
export interface ByteSource {
  /** Identifies the object in caches: two sources with one key read the same object. Never shown to clients. */
  readonly key: string;
  stat(options?: StatOptions): Promise<SourceStat>;
  /** Reads a range, clipped at the end of the object: never padded, never longer. The caller owns the bytes. */
  read(range: ByteRange, options?: ReadOptions): Promise<Uint8Array>;
  /**
   * Streams a range, clipped like `read`. Nothing is read before the first chunk is pulled, and each chunk is read when it
   * is pulled. The consumer owns the chunks, unless it borrows them. A failure errors the stream. Cancelling the stream or aborting the signal releases
   * its resources.
   */
  stream(range: ByteRange, options?: ReadOptions): ReadableStream<Uint8Array>;
  /** Releases what is held between reads, such as a file descriptor. The source can still be used afterwards. */
  close?(): Promise<void>;
}
