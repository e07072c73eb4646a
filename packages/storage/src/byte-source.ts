import type { ByteRange } from '@htskit/protocol';

export interface StatOptions {
  /** A source that never waits for its size need not look at it. */
  readonly signal?: AbortSignal | undefined;
}

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** As `stat` gave it: the read fails with CHANGED where the object is no longer, or does not stay, this version. */
  readonly version?: string | undefined;
}

export interface SourceStat {
  /** Bytes. */
  readonly size: number;
  /** Differs between any two states of the object. Undefined where the store cannot tell. */
  readonly version?: string;
}

/**
 * One stored object, read by ranges of bytes. Every failure is a StorageError, also INVALID_RANGE for a range that is
 * not of two integers 0 ≤ start ≤ end. Options may hold further keys, which are ignored.
 */
export interface ByteSource {
  /** Identifies the object in caches: the same for the same object only. Never shown to clients. */
  readonly key: string;
  stat(options?: StatOptions): Promise<SourceStat>;
  /** The bytes of the range, clipped at the object's end: never padded, never longer. They belong to the caller. */
  read(range: ByteRange, options?: ReadOptions): Promise<Uint8Array>;
  /**
   * As `read`, in chunks that are read when they are asked for. Nothing happens before the first one is; a failure
   * breaks the stream off. Cancelling it, or the signal, frees what it holds.
   */
  stream(range: ByteRange, options?: ReadOptions): ReadableStream<Uint8Array>;
  /** Frees what is held between reads; the source can still be used. */
  close?(): Promise<void>;
}
