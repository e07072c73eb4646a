import {
  type ByteRange,
  type ByteSource,
  CHUNK_BYTES,
  checkNotAborted,
  checkRange,
  clipRange,
  type ReadOptions,
  type SourceStat,
  type StatOptions,
  StorageError,
  toByteStream,
} from '@htskit/io';
import { toAbortedError } from '@htskit/io/internal';
import { toStorageError } from '../file/system-error.js';
import { fromHttpStatus } from '../http/storage-failure.js';
import type { BufferFilehandle, Filehandle, FilehandleReadOptions, FilehandleStat } from './filehandle.js';

export interface FilehandleSourceOptions {
  /** Default: a new key for each source. */
  readonly key?: string;
  /** Bytes of one read of a stream. Default 262,144; more saves requests to remote files. */
  readonly chunkBytes?: number;
}

/** The filehandle of either library, reading into a target. */
interface FilehandleCalls {
  stat(): Promise<FilehandleStat>;
  /** Reads into `target` from its byte `at`, starting at the byte `position`. Returns the number of bytes. */
  read(target: Uint8Array, at: number, position: number, options: FilehandleReadOptions): Promise<number>;
}

let sourceCount = 0;

/**
 * Returns a source of a generic-filehandle2 filehandle, which the caller closes. Its version is made of modification time,
 * ctime, size and inode if `stat` returns them, as for local files; otherwise it has none. Throws RangeError unless `chunkBytes`
 * is a positive integer.
 *
 * @example
 * import { RemoteFile } from 'generic-filehandle2';
 *
 * const source = fromFilehandle(new RemoteFile('https://data.example.org/reads.bam'));
 */
export function fromFilehandle(filehandle: Filehandle, options: FilehandleSourceOptions = {}): ByteSource {
  const read: FilehandleCalls['read'] = async (target, at, position, readOptions) => {
    const bytes = await filehandle.read(target.length - at, position, readOptions);
    // Excess bytes are reported by their length.
    if (bytes.length <= target.length - at) target.set(bytes, at);
    return bytes.length;
  };
  return new FilehandleSource({ read, stat: () => filehandle.stat() }, options);
}

/**
 * Returns a source of a generic-filehandle 3 filehandle, as `fromFilehandle` does.
 *
 * @example
 * import { LocalFile } from 'generic-filehandle';
 *
 * const source = fromBufferFilehandle(new LocalFile('reads.bam'));
 */
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
      throw new RangeError(`chunkBytes must be a positive integer, found ${chunkBytes}`);
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

  /** Returns the state of the object before it is read. Throws CHANGED if it has another version than requested. */
  async #check(range: ByteRange, { signal, version }: ReadOptions): Promise<SourceStat> {
    checkRange(range, this.key);
    checkNotAborted(signal, this.key);
    const state = await this.#stat(signal);
    if (version === undefined || version === state.version) return state;
    throw new StorageError('CHANGED', 'the object has another version than requested', { key: this.key });
  }

  /** Reads exactly the range, which lies within the object. Filehandles may reopen their file for each read. */
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
    const length = await this.#call(() => unlessPastEnd(this.#calls.read(target, at, position, options), 0), signal);
    if (Number.isSafeInteger(length) && length >= 0 && length <= target.length - at) return length;
    const message = `expected at most ${target.length - at} bytes from the filehandle, found ${length}`;
    throw new StorageError('UNAVAILABLE', message, { key: this.key });
  }

  async #checkUnchanged(before: SourceStat, signal: AbortSignal | undefined): Promise<void> {
    const after = await this.#stat(signal);
    if (after.size === before.size && after.version === before.version) return;
    throw new StorageError('CHANGED', 'the object changed while it was read', { key: this.key });
  }

  async #stat(signal: AbortSignal | undefined): Promise<SourceStat> {
    const { size, mtimeMs, ctimeMs, ino }: FilehandleStat = await this.#call(
      () => unlessPastEnd(this.#calls.stat(), { size: 0 }),
      signal,
    );
    if (!Number.isSafeInteger(size) || size < 0) throw this.#unknownSize();
    // A RemoteFile also returns 0 if the server hides the size.
    if (size === 0 && (await this.#readOnce(new Uint8Array(1), { at: 0, position: 0 }, signal)) > 0) {
      throw this.#unknownSize();
    }
    return { size, ...(mtimeMs !== undefined && { version: `${mtimeMs}-${ctimeMs}-${size}-${ino}` }) };
  }

  #unknownSize(): StorageError {
    return new StorageError('UNAVAILABLE', 'the filehandle does not know the size of its object', { key: this.key });
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

/** A RemoteFile may fail for a range past the end; for `stat` of an empty object that is its start (RFC 9110 §15.5.17). */
async function unlessPastEnd<T>(call: Promise<T>, pastEnd: T): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (filehandleStatus(error) === 416) return pastEnd;
    throw error;
  }
}

/** Returns the StorageError of a filehandle's failure. A StorageError is returned as it is. */
export function fromFilehandleError(error: unknown, key: string): StorageError {
  const status = filehandleStatus(error);
  if (status !== undefined) return fromHttpStatus(status, { key, cause: error });
  if (isNetworkFailure(error)) {
    return new StorageError('UNAVAILABLE', 'cannot connect to the server', { key, isTransient: true, cause: error });
  }
  return toStorageError(error, key);
}

/** Returns the HTTP status of a RemoteFile's failure, which only its message contains. */
function filehandleStatus(error: unknown): number | undefined {
  const status = error instanceof Error ? /^HTTP (\d{3}) /.exec(error.message)?.[1] : undefined;
  return status === undefined ? undefined : Number(status);
}

/** Returns whether `fetch` failed to connect, or the connection broke: a TypeError, which a RemoteFile wraps. */
function isNetworkFailure(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof TypeError;
}
