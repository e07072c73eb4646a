import {
  type ByteRange,
  type ByteSource,
  CHUNK_BYTES,
  checkNotAborted,
  checkRange,
  clipRange,
  type ReadOptions,
  readChunks,
  type SourceStat,
  type StatOptions,
  StorageError,
  toByteStream,
} from '@htskit/io';
import { decodeOrigin, ORIGIN_NAME } from '../bucket/origin.js';
import { toChangedError } from '../http/storage-failure.js';
import type { R2BucketBinding, R2Condition, R2StoredBody, R2StoredObject } from './r2-bucket.js';
import { type R2Context, toR2Error, withR2Errors } from './r2-errors.js';

/** An object of a bucket. */
interface R2Location {
  readonly bucket: R2BucketBinding;
  /** The key in the bucket. */
  readonly objectKey: string;
  /** The key of the source. */
  readonly key: string;
}

/** The body of a response, and how many bytes it must have. */
interface OpenedRange {
  readonly object: R2StoredBody;
  readonly byteLength: number;
}

/** Reads an object through a binding, by one request for each read. The version is the entity tag, as that of `s3Source` is. */
export class R2Source implements ByteSource {
  readonly key: string;
  readonly #bucket: R2BucketBinding;
  readonly #objectKey: string;

  constructor({ bucket, objectKey, key }: R2Location) {
    this.key = key;
    this.#bucket = bucket;
    this.#objectKey = objectKey;
  }

  async stat({ signal }: StatOptions = {}): Promise<SourceStat> {
    const object = await this.#head(signal);
    const origin = decodeOrigin(object.customMetadata?.[ORIGIN_NAME]);
    return {
      size: object.size,
      version: object.httpEtag,
      modifiedAt: object.uploaded.getTime(),
      ...(origin !== undefined && { origin }),
    };
  }

  async read(range: ByteRange, options: ReadOptions = {}): Promise<Uint8Array> {
    const opened = await this.#open(range, options);
    if (opened === undefined) return new Uint8Array(0);
    const { object, byteLength } = opened;
    const bytes = new Uint8Array(await withR2Errors(object.arrayBuffer(), this.#context(options.signal)));
    if (bytes.length < byteLength) throw this.#shortRead(bytes.length, byteLength);
    return bytes;
  }

  stream(range: ByteRange, options: ReadOptions = {}): ReadableStream<Uint8Array> {
    const { signal } = options;
    // Ends a request whose consumer has gone: the generator could be waiting for its next chunk.
    const ended = new AbortController();
    const chunks = this.#chunks(range, { ...options, signal: ended.signal });
    return toByteStream(chunks, { signal, key: this.key, onCancel: () => ended.abort() });
  }

  async *#chunks(range: ByteRange, options: ReadOptions): AsyncGenerator<Uint8Array, void> {
    const opened = await this.#open(range, options);
    if (opened === undefined) return;
    const { object, byteLength } = opened;
    let read = 0;
    try {
      for await (const chunk of readLargeChunks(object.body)) {
        read += chunk.length;
        for (let at = 0; at < chunk.length; at += CHUNK_BYTES) yield chunk.subarray(at, at + CHUNK_BYTES);
      }
    } catch (error) {
      throw toR2Error(error, this.#context(options.signal));
    }
    if (read < byteLength) throw this.#shortRead(read, byteLength);
  }

  /** Requests a range. Returns undefined if no byte of the object is in it. */
  async #open(range: ByteRange, { version, signal }: ReadOptions): Promise<OpenedRange | undefined> {
    const { start, end } = range;
    checkRange(range, this.key);
    checkNotAborted(signal, this.key);
    const onlyIf = version === undefined ? undefined : this.#condition(version);
    if (start === end) return this.#checkNoneLeft(range, { version, signal });
    const getting = this.#bucket.get(this.#objectKey, {
      range: { offset: start, length: end - start },
      ...(onlyIf && { onlyIf }),
    });
    let object: Awaited<typeof getting>;
    try {
      object = await withR2Errors(getting, this.#context(signal));
    } catch (error) {
      getting.then(cancelBody, () => undefined);
      if (!(error instanceof StorageError) || error.code !== 'UNAVAILABLE' || error.isTransient) throw error;
      // A range that begins at the end of the object, or after it, is an error of R2.
      return this.#checkNoneLeft(range, { version, signal, failure: error });
    }
    if (object === null) throw this.#notFound();
    if (!hasBody(object)) throw toChangedError({ key: this.key });
    const clipped = clipRange(range, object.size);
    return { object, byteLength: clipped.end - clipped.start };
  }

  /** Checks a read that has no bytes by the metadata of the object. Throws `failure` if the range does have some. */
  async #checkNoneLeft(
    { start, end }: ByteRange,
    { version, signal, failure }: ReadOptions & { readonly failure?: StorageError },
  ): Promise<undefined> {
    const { httpEtag, size } = await this.#head(signal);
    if (version !== undefined && version !== httpEtag) throw toChangedError({ key: this.key });
    if (failure !== undefined && start < Math.min(end, size)) throw failure;
  }

  async #head(signal: AbortSignal | undefined): Promise<R2StoredObject> {
    checkNotAborted(signal, this.key);
    const object = await withR2Errors(this.#bucket.head(this.#objectKey), this.#context(signal));
    if (object === null) throw this.#notFound();
    return object;
  }

  #condition(version: string): R2Condition {
    const etag = r2EtagOf(version);
    if (etag === undefined) throw toChangedError({ key: this.key });
    return { etagMatches: etag };
  }

  #context(signal: AbortSignal | undefined): R2Context {
    return { key: this.key, signal };
  }

  #notFound(): StorageError {
    return new StorageError('NOT_FOUND', 'there is no such object', { key: this.key });
  }

  #shortRead(found: number, expected: number): StorageError {
    return new StorageError('SHORT_READ', `expected ${expected} bytes, found ${found}`, {
      key: this.key,
      isTransient: true,
    });
  }
}

/** Returns the entity tag of a version as bindings take it, or undefined if no object of R2 has the version. */
export function r2EtagOf(version: string): string | undefined {
  return /^"([^"*]+)"$/.exec(version)?.[1];
}

function hasBody(object: R2StoredObject | R2StoredBody): object is R2StoredBody {
  return 'body' in object && object.body !== undefined;
}

/** Ends the response to a request whose caller is gone. */
function cancelBody(object: R2StoredObject | R2StoredBody | null): void {
  if (object !== null && hasBody(object)) object.body.cancel().catch(() => undefined);
}

/** Yields the chunks of a body. Those of a default reader in workerd have 4 KiB, which takes three times the CPU of 256 KiB. */
async function* readLargeChunks(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = byobReader(body);
  if (reader === undefined) {
    yield* readChunks(body);
    return;
  }
  try {
    for (;;) {
      const { done, value } = await reader.read(new Uint8Array(CHUNK_BYTES), { min: CHUNK_BYTES });
      if (value !== undefined && value.length > 0) yield value;
      if (done) return;
    }
  } finally {
    // Has no effect on a stream that has ended.
    await reader.cancel().catch(() => undefined);
  }
}

/** Returns the reader of a stream that fills buffers, or undefined for another stream, as the proxies of Node have them. */
function byobReader(body: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | undefined {
  try {
    return body.getReader({ mode: 'byob' });
  } catch {
    return undefined;
  }
}
