import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { resolve } from 'node:path';
import type { ByteRange, ByteSource, ReadOptions, SourceStat, StatOptions } from '@htskit/io';
import { CHUNK_BYTES, checkNotAborted, checkRange, clipRange, StorageError, toByteStream } from '@htskit/io';
import { FileAccess } from './file-access.node.js';
import {
  allocateUnset,
  type BlockingCalls,
  closeDescriptor,
  type FileCalls,
  FileDescriptor,
  type FileState,
  threadedCalls,
} from './file-descriptor.node.js';
import { toStorageError } from './system-error.js';

export { type Blocking, FileAccess, type FileAccessOptions } from './file-access.node.js';

export interface FileSourceOptions {
  /** Default: the absolute path. */
  readonly key?: string;
  /** Decides whether calls may block the thread. Share one among the files of a folder. Default: a `FileAccess` of the path. */
  readonly access?: FileAccess;
  /**
   * If calls may block, reads of at most this many bytes do; all others use Node's thread pool. Default 65,536: reading 1 kB
   * from the page cache takes 7 µs, against 190 µs through the pool. With 0 nothing blocks.
   */
  readonly blockingBytes?: number;
  /** Milliseconds without a read after which the descriptor is closed. Default 30,000. */
  readonly idleMilliseconds?: number;
  /**
   * States that the file never changes once it exists. While it is open, reads then check the path and the permission to read
   * it only every 30 seconds, since that takes half of the time of a short read. Default false.
   */
  readonly isImmutable?: boolean;
  /** Milliseconds since any fixed point in time. Default `performance.now`. */
  readonly now?: () => number;
}

export interface FileSource extends ByteSource {
  close(): Promise<void>;
}

/**
 * Returns a source of a local file, which need not exist yet. The file is opened by the first read, and again when the path
 * leads to another file or state than the open one. Its version is a hash of the modification time, the time of the last change
 * (ctime), the size and the inode, which clients cannot learn from it. Programs that copy files restore the modification time,
 * but none can set ctime. Permissions and links change it too.
 *
 * @example
 * const source = fileSource('reads.bam');
 * const { size, version } = await source.stat();
 */
export function fileSource(path: string, options: FileSourceOptions = {}): FileSource {
  return new LocalFileSource(path, options);
}

/** Milliseconds after which an open, immutable file is checked again. */
const CHECK_MILLISECONDS = 30_000;

/** Base64 characters of a version: 132 bits of the hash. */
const VERSION_LENGTH = 22;

class LocalFileSource implements FileSource {
  readonly key: string;
  readonly #path: string;
  readonly #blockingBytes: number;
  readonly #idleMilliseconds: number;
  readonly #isImmutable: boolean;
  readonly #access: FileAccess;
  readonly #now: () => number;
  #descriptor: FileDescriptor | undefined;
  /** When the path of an immutable file was last checked. */
  #checkedAt = Number.NEGATIVE_INFINITY;
  /** The last stat, with the state that it describes. */
  #known: { readonly stat: BigIntStats; readonly state: FileState } | undefined;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(path: string, options: FileSourceOptions) {
    const { key, blockingBytes = 65_536, idleMilliseconds = 30_000, isImmutable = false } = options;
    this.#now = options.now ?? ((): number => performance.now());
    this.#path = resolve(path);
    this.#access = options.access ?? new FileAccess(this.#path);
    this.key = key ?? this.#path;
    this.#blockingBytes = blockingBytes;
    this.#idleMilliseconds = idleMilliseconds;
    this.#isImmutable = isImmutable;
  }

  /** The blocking calls, if calls may block now. */
  get #blockingCalls(): BlockingCalls | undefined {
    return this.#blockingBytes > 0 ? this.#access.blockingCalls : undefined;
  }

  get #calls(): FileCalls {
    return this.#blockingCalls ?? threadedCalls;
  }

  async stat(options: StatOptions = {}): Promise<SourceStat> {
    const calls = this.#calls;
    // A blocking call is over at once, and creating the signal of a request may take longer.
    if (calls === threadedCalls) checkNotAborted(options.signal, this.key);
    try {
      const { size, version, modifiedAt } = this.#toState(await calls.stat(this.#path));
      return { size, version, modifiedAt: Number(modifiedAt / 1_000_000n) };
    } catch (error) {
      throw toStorageError(error, this.key);
    }
  }

  async read(range: ByteRange, options: ReadOptions = {}): Promise<Uint8Array> {
    const bytes = this.#readAtOnce(range, options);
    if (bytes !== undefined) return bytes;
    try {
      const descriptor = await this.#acquire(range, options);
      try {
        const clipped = clipRange(range, descriptor.state.size);
        return await this.#readFrom(descriptor, clipped, { ...options, target: targetFor(clipped, options.into) });
      } finally {
        this.#release(descriptor);
      }
    } catch (error) {
      throw toStorageError(error, this.key);
    }
  }

  stream(range: ByteRange, options: ReadOptions = {}): ReadableStream<Uint8Array> {
    return toByteStream(this.#chunks(range, options), { signal: options.signal, key: this.key });
  }

  async close(): Promise<void> {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = undefined;
    const descriptor = this.#descriptor;
    this.#descriptor = undefined;
    await descriptor?.retire();
  }

  async *#chunks(range: ByteRange, options: ReadOptions): AsyncGenerator<Uint8Array, void> {
    try {
      const descriptor = await this.#acquire(range, options);
      try {
        const { start, end } = clipRange(range, descriptor.state.size);
        // New memory for each chunk makes the garbage collector run: a sixth of the time to read a BAM file as columns.
        const into = options.isBorrowed === true ? allocateUnset(Math.min(CHUNK_BYTES, end - start)) : undefined;
        for (let at = start; at < end; at += CHUNK_BYTES) {
          const chunk = { start: at, end: Math.min(at + CHUNK_BYTES, end) };
          yield await this.#readFrom(descriptor, chunk, { ...options, target: targetFor(chunk, into) });
        }
      } finally {
        this.#release(descriptor);
      }
    } catch (error) {
      throw toStorageError(error, this.key);
    }
  }

  /**
   * Reads a short range without a signal from the open file, and checks afterwards that the path still leads to it,
   * unchanged: one stat instead of two. Returns undefined in all other cases, failures included, for the general path.
   */
  #readAtOnce({ start, end }: ByteRange, { signal, version, into }: ReadOptions): Uint8Array | undefined {
    const open = this.#descriptor;
    const calls = end - start <= this.#blockingBytes ? this.#blockingCalls : undefined;
    if (calls === undefined || signal !== undefined || open === undefined || end > open.state.size) return undefined;
    if (version !== undefined && version !== open.state.version) return undefined;
    try {
      checkRange({ start, end }, this.key);
      const target = targetFor({ start, end }, into);
      const length = calls.read(open.fd, target, 0, start);
      if (length < target.length) return undefined;
      if (!this.#needsNoCheck() && !this.#isCurrent(this.#toState(calls.stat(this.#path)))) return undefined;
      this.#idleTimer?.refresh();
      return target;
    } catch {
      return undefined;
    }
  }

  /** Returns the descriptor of the file that the path leads to now. Throws CHANGED if it has another version. */
  async #acquire(range: ByteRange, { signal, version }: ReadOptions): Promise<FileDescriptor> {
    checkRange(range, this.key);
    checkNotAborted(signal, this.key);
    const open = this.#needsNoCheck() ? this.#descriptor?.state : undefined;
    const state = open ?? this.#toState(await this.#calls.stat(this.#path));
    this.#checkVersion(state, version);
    if (this.#descriptor !== undefined && (state === open || this.#isCurrent(state))) {
      this.#descriptor.acquire();
      return this.#descriptor;
    }
    return this.#open(version);
  }

  /** Whether the open descriptor may be read without checking the path. */
  #needsNoCheck(): boolean {
    return this.#isImmutable && this.#now() - this.#checkedAt < CHECK_MILLISECONDS;
  }

  /** Whether the open descriptor is still what the path leads to. Only opening the file again checks its permissions. */
  #isCurrent(state: FileState): boolean {
    const open = this.#descriptor?.state;
    const isCurrent = open?.version === state.version;
    if (isCurrent && this.#isImmutable) this.#checkedAt = this.#now();
    return isCurrent;
  }

  async #open(version: string | undefined): Promise<FileDescriptor> {
    const fd = await this.#calls.open(this.#path);
    try {
      const state = this.#toState(await this.#calls.fstat(fd));
      // The file may have been replaced since the stat of its path.
      this.#checkVersion(state, version);
      const descriptor = new FileDescriptor(fd, state);
      void this.#descriptor?.retire();
      this.#descriptor = descriptor;
      if (this.#isImmutable) this.#checkedAt = this.#now();
      return descriptor;
    } catch (error) {
      await closeDescriptor(fd);
      throw error;
    }
  }

  #release(descriptor: FileDescriptor): void {
    descriptor.release();
    this.#idleTimer ??= setTimeout(() => this.#closeIdle(), this.#idleMilliseconds).unref();
    this.#idleTimer.refresh();
  }

  #closeIdle(): void {
    if (this.#descriptor?.isIdle === true) void this.close();
  }

  /** Reads exactly the range, which lies within the size that the file had when it was opened. */
  async #readFrom(
    descriptor: FileDescriptor,
    range: ByteRange,
    { target, ...options }: ReadOptions & { readonly target: Uint8Array },
  ): Promise<Uint8Array> {
    const calls = (target.length <= this.#blockingBytes ? this.#blockingCalls : undefined) ?? threadedCalls;
    let length = 0;
    while (length < target.length) {
      checkNotAborted(options.signal, this.key);
      const readLength = await calls.read(descriptor.fd, target, length, range.start + length);
      if (readLength === 0) break;
      length += readLength;
    }
    // Only a file that is written in place can mix versions.
    if (options.version !== undefined) {
      const stat = await this.#calls.fstat(descriptor.fd);
      if (!isReplaced(descriptor.state, stat)) this.#checkVersion(this.#toState(stat), options.version);
    }
    if (length === target.length) return target;
    throw new StorageError('SHORT_READ', `expected ${target.length} bytes, found ${length}`, { key: this.key });
  }

  #checkVersion(state: FileState, version: string | undefined): void {
    if (version === undefined || state.version === version) return;
    throw new StorageError('CHANGED', 'the file has another version than requested', { key: this.key });
  }

  #toState(stat: BigIntStats): FileState {
    // To hash the facts and to write them as text takes as long as the rest of a short read.
    if (this.#known !== undefined && isUnchanged(this.#known.stat, stat)) return this.#known.state;
    // Opening a pipe or device would block, and a folder has no bytes.
    if (!stat.isFile()) throw new StorageError('NOT_FOUND', 'there is no such file', { key: this.key });
    const facts = `${stat.mtimeNs}-${stat.ctimeNs}-${stat.size}-${stat.ino}`;
    const version = createHash('sha256').update(facts).digest('base64url').slice(0, VERSION_LENGTH);
    const state = { size: Number(stat.size), version, modifiedAt: stat.mtimeNs };
    this.#known = { stat, state };
    return state;
  }
}

/** Returns memory for the bytes of a range: the start of `into` if that is long enough. */
function targetFor({ start, end }: ByteRange, into?: Uint8Array): Uint8Array {
  const byteLength = end - start;
  return into === undefined || into.length < byteLength ? allocateUnset(byteLength) : into.subarray(0, byteLength);
}

/** Whether an open file lost its last link, which changes its ctime, and is otherwise unchanged. It stays readable. */
function isReplaced({ size, modifiedAt }: FileState, stat: BigIntStats): boolean {
  return stat.nlink === 0n && stat.mtimeNs === modifiedAt && Number(stat.size) === size;
}

function isUnchanged(a: BigIntStats, b: BigIntStats): boolean {
  return a.mtimeNs === b.mtimeNs && a.size === b.size && a.ino === b.ino && a.ctimeNs === b.ctimeNs;
}
