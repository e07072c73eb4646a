import type { ByteRange, ByteSource, ReadOptions, SourceStat, StatOptions } from '@htskit/io';
import {
  CHUNK_BYTES,
  checkNotAborted,
  checkRange,
  clipRange,
  StorageError,
  toAbortedError,
  toByteStream,
} from '@htskit/io';
import { filehandleStatus, fromFilehandleError } from './filehandle-error.js';
import type { BufferFilehandle, Filehandle, FilehandleReadOptions, FilehandleStat } from './generic-filehandle.js';

export interface FilehandleSourceOptions {
  /** Default: a new one for every source. */
  readonly key?: string;
  /** Bytes that a stream reads at a time. Default 262,144; more saves requests to remote files. */
  readonly chunkBytes?: number;
}

/** The filehandle of either library, as what it does to a target. */
interface FilehandleCalls {
  stat(): Promise<FilehandleStat>;
  /** Reads to `target` from its byte `at` on, from the byte `position` on. Answers with the number of bytes. */
  read(target: Uint8Array, at: number, position: number, options: FilehandleReadOptions): Promise<number>;
}

let sourceCount = 0;

/**
 * A source over a filehandle of generic-filehandle2, which it does not close. Its version is the modification time, size
 * and inode where `stat` gives these, as for local files; otherwise there is none.
 * Throws RangeError for `chunkBytes` that are no positive whole number.
 */
export function fromFilehandle(filehandle: Filehandle, options: FilehandleSourceOptions = {}): ByteSource {
  const read: FilehandleCalls['read'] = async (target, at, position, readOptions) => {
    const bytes = await filehandle.read(target.length - at, position, readOptions);
    // What does not fit is reported by its length.
    if (bytes.length <= target.length - at) target.set(bytes, at);
    return bytes.length;
  };
  return new FilehandleSource({ read, stat: () => filehandle.stat() }, options);
}

/** As `fromFilehandle`, for a filehandle of generic-filehandle 3. */
export function fromBufferFilehandle(filehandle: BufferFilehandle, options: FilehandleSourceOptions = {}): ByteSource {
  const read: FilehandleCalls['read'] = async (target, at, position, readOptions) => {
    const { bytesRead } = await filehandle.read(target, at, target.length - at, position, readOptions);
    return bytesRead;
  };
  return new FilehandleSource({ read, stat: () => filehandle.stat() }, options);
}

class FilehandleSource implements ByteSource {
  readonly key: string;
  readonly #calls: FilehandleCalls;
  readonly #chunkBytes: number;

  constructor(calls: FilehandleCalls, { key, chunkBytes = CHUNK_BYTES }: FilehandleSourceOptions) {
    if (!Number.isSafeInteger(chunkBytes) || chunkBytes < 1) {
      throw new RangeError(`chunkBytes must be a positive whole number, found ${chunkBytes}`);
    }
    sourceCount++;
    this.key = key ?? `filehandle:${sourceCount}`;
    this.#calls = calls;
    this.#chunkBytes = chunkBytes;
  }

  async stat({ signal }: StatOptions = {}): Promise<SourceStat> {
    checkNotAborted(signal, this.key);
    return this.#stat(signal);
  }

  async read(range: ByteRange, options: ReadOptions = {}): Promise<Uint8Array> {
    const state = await this.#check(range, options);
    return this.#readFrom(state, clipRange(range, state.size), options.signal);
  }

  stream(range: ByteRange, options: ReadOptions = {}): ReadableStream<Uint8Array> {
    return toByteStream(this.#chunks(range, options), { signal: options.signal, key: this.key });
  }

  async *#chunks(range: ByteRange, options: ReadOptions): AsyncGenerator<Uint8Array, void> {
    const state = await this.#check(range, options);
    const { start, end } = clipRange(range, state.size);
    for (let at = start; at < end; at += this.#chunkBytes) {
      yield await this.#readFrom(state, { start: at, end: Math.min(at + this.#chunkBytes, end) }, options.signal);
    }
  }

  /** The state of the object before it is read; throws CHANGED where that is not the version asked for. */
  async #check(range: ByteRange, { signal, version }: ReadOptions): Promise<SourceStat> {
    checkRange(range, this.key);
    checkNotAborted(signal, this.key);
    const state = await this.#stat(signal);
    if (version === undefined || version === state.version) return state;
    throw new StorageError('CHANGED', 'the object is not the version asked for', { key: this.key });
  }

  /** Reads exactly the range, which lies within the object. Filehandles may open their file anew for each read. */
  async #readFrom(state: SourceStat, { start, end }: ByteRange, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const target = await this.#call(async () => new Uint8Array(end - start), signal);
    let length = 0;
    while (length < target.length) {
      const readLength = await this.#readOnce(target, { at: length, position: start + length }, signal);
      if (readLength === 0) break;
      length += readLength;
    }
    if (target.length > 0) await this.#checkUnchanged(state, signal);
    if (length === target.length) return target;
    throw new StorageError('SHORT_READ', `expected ${target.length} bytes, found ${length}`, { key: this.key });
  }

  async #readOnce(
    target: Uint8Array,
    { at, position }: { readonly at: number; readonly position: number },
    signal: AbortSignal | undefined,
  ): Promise<number> {
    const options = signal === undefined ? {} : { signal };
    const length = await this.#call(() => unlessBehindEnd(this.#calls.read(target, at, position, options), 0), signal);
    if (Number.isSafeInteger(length) && length >= 0 && length <= target.length - at) return length;
    const message = `expected at most ${target.length - at} bytes of the filehandle, found ${length}`;
    throw new StorageError('UNAVAILABLE', message, { key: this.key });
  }

  async #checkUnchanged(before: SourceStat, signal: AbortSignal | undefined): Promise<void> {
    const after = await this.#stat(signal);
    if (after.size === before.size && after.version === before.version) return;
    throw new StorageError('CHANGED', 'the object changed while it was read', { key: this.key });
  }

  async #stat(signal: AbortSignal | undefined): Promise<SourceStat> {
    const { size, mtimeMs, ino }: FilehandleStat = await this.#call(
      () => unlessBehindEnd(this.#calls.stat(), { size: 0 }),
      signal,
    );
    if (!Number.isSafeInteger(size) || size < 0) throw this.#unknownSize();
    // A RemoteFile also says 0 where the server hides the size.
    if (size === 0 && (await this.#readOnce(new Uint8Array(1), { at: 0, position: 0 }, signal)) > 0) {
      throw this.#unknownSize();
    }
    return { size, ...(mtimeMs !== undefined && { version: `${mtimeMs}-${size}-${ino ?? ''}` }) };
  }

  #unknownSize(): StorageError {
    return new StorageError('UNAVAILABLE', 'the filehandle does not tell the size of its object', { key: this.key });
  }

  async #call<T>(call: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    checkNotAborted(signal, this.key);
    try {
      return await call();
    } catch (error) {
      if (signal?.aborted === true) throw toAbortedError(signal, this.key);
      throw fromFilehandleError(error, this.key);
    }
  }
}

/** A RemoteFile may fail where the object ends before what it asks for; for `stat` that is its start (RFC 9110 §15.5.17). */
async function unlessBehindEnd<T>(call: Promise<T>, behindEnd: T): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (filehandleStatus(error) === 416) return behindEnd;
    throw error;
  }
}
