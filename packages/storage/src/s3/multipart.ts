import { StorageError } from '@htskit/io';
import type { Bucket, BucketContext } from './bucket.js';
import { unexpectedAnswer } from './refusal.js';
import { escapeXml, readElement } from './xml.js';

/** The most parts that an object can be uploaded in. */
export const MAX_PARTS = 10_000;

/** Pieces of `partBytes` bytes, but for the last: at least one, which may be empty. */
export async function* toParts(
  chunks: AsyncIterable<Uint8Array>,
  partBytes: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  let part = new Uint8Array(partBytes);
  let length = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      if (length === partBytes) {
        yield part;
        part = new Uint8Array(partBytes);
        length = 0;
      }
      const piece = chunk.subarray(at, at + partBytes - length);
      part.set(piece, length);
      length += piece.length;
      at += piece.length;
    }
  }
  yield part.subarray(0, length);
}

/** An object that is stored part by part, and is not there before `complete`. */
export class MultipartUpload {
  readonly #bucket: Bucket;
  readonly #url: URL;
  readonly #context: BucketContext;
  readonly #etags: string[] = [];
  #id = '';

  private constructor(bucket: Bucket, url: URL, context: BucketContext) {
    this.#bucket = bucket;
    this.#url = url;
    this.#context = context;
  }

  static async start(bucket: Bucket, url: URL, context: BucketContext): Promise<MultipartUpload> {
    const upload = new MultipartUpload(bucket, url, context);
    const { text } = await bucket.call({ method: 'POST', url: withQuery(url, { uploads: '' }) }, context);
    const id = readElement(text, 'UploadId');
    if (id === undefined || id === '') throw unexpectedAnswer(context.key);
    upload.#id = id;
    return upload;
  }

  async put(part: Uint8Array<ArrayBuffer>): Promise<void> {
    const partNumber = this.#etags.length + 1;
    if (partNumber > MAX_PARTS) {
      const message = `the object needs more than ${MAX_PARTS} parts: make partBytes larger`;
      throw new StorageError('INVALID_CONTENT', message, { key: this.#context.key });
    }
    const url = withQuery(this.#url, { partNumber: String(partNumber), uploadId: this.#id });
    const { etag } = await this.#bucket.call({ method: 'PUT', url, body: part }, this.#context);
    if (etag === null) throw unexpectedAnswer(this.#context.key);
    this.#etags.push(etag);
  }

  async complete(): Promise<void> {
    const parts = this.#etags.map(
      (etag, rank) => `<Part><PartNumber>${rank + 1}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`,
    );
    const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
    const url = withQuery(this.#url, { uploadId: this.#id });
    try {
      await this.#bucket.call(
        { method: 'POST', url, body, headers: { 'content-type': 'application/xml' } },
        this.#context,
      );
    } catch (error) {
      if (!(error instanceof StorageError) || error.code !== 'NOT_FOUND') throw error;
      // It may have been completed by an attempt whose answer was lost; to write it again does no harm.
      const message = 'the upload is gone: the object may have been stored, or not';
      throw new StorageError('UNAVAILABLE', message, { key: error.key, isTransient: true, cause: error });
    }
  }

  /**
   * Removes the parts, also when the caller has given up: then there is one attempt. Where that fails, too, it is left to
   * the bucket's lifecycle.
   */
  async abort(): Promise<void> {
    const { key, signal } = this.#context;
    const url = withQuery(this.#url, { uploadId: this.#id });
    const { attempts } = this.#bucket.transport;
    const context = { key, signal: undefined, attempts: signal?.aborted === true ? 1 : attempts };
    await this.#bucket.call({ method: 'DELETE', url }, context).catch(() => undefined);
  }
}

function withQuery(url: URL, query: Readonly<Record<string, string>>): URL {
  const result = new URL(url);
  for (const [name, value] of Object.entries(query)) result.searchParams.set(name, value);
  return result;
}
