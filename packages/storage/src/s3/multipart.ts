import type { HttpHeaders } from '@htskit/http';
import { StorageError } from '@htskit/io';
import type { Bucket, BucketContext } from './bucket.js';
import { escapeXml, readElement, unexpectedResponse } from './s3-response.js';

/** The largest number of parts of an upload. */
export const MAX_PARTS = 10_000;

/** Yields the bytes in parts of `partBytes` bytes. The last one may be shorter; there is at least one, which may be empty. */
export async function* toParts(
  chunks: AsyncIterable<Uint8Array>,
  partBytes: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  let part = new Uint8Array(partBytes);
  let length = 0;
  for await (const chunk of chunks) {
    for (let offset = 0; offset < chunk.length; ) {
      if (length === partBytes) {
        yield part;
        part = new Uint8Array(partBytes);
        length = 0;
      }
      const piece = chunk.subarray(offset, offset + partBytes - length);
      part.set(piece, length);
      length += piece.length;
      offset += piece.length;
    }
  }
  yield part.subarray(0, length);
}

/** An object that is uploaded in parts. It does not exist before `complete`. */
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

  static async start(
    bucket: Bucket,
    { url, metadata }: { readonly url: URL; readonly metadata: HttpHeaders },
    context: BucketContext,
  ): Promise<MultipartUpload> {
    const upload = new MultipartUpload(bucket, url, context);
    const { text } = await bucket.call(
      { method: 'POST', url: withQuery(url, { uploads: '' }), headers: metadata },
      context,
    );
    const id = readElement(text, 'UploadId');
    if (id === undefined || id === '') throw unexpectedResponse(context.key);
    upload.#id = id;
    return upload;
  }

  async put(part: Uint8Array<ArrayBuffer>): Promise<void> {
    const partNumber = this.#etags.length + 1;
    if (partNumber > MAX_PARTS) {
      const message = `the object needs more than ${MAX_PARTS} parts; increase partBytes`;
      throw new StorageError('INVALID_CONTENT', message, { key: this.#context.key });
    }
    const url = withQuery(this.#url, { partNumber: String(partNumber), uploadId: this.#id });
    const { etag } = await this.#bucket.call({ method: 'PUT', url, body: part }, this.#context);
    if (etag === null) throw unexpectedResponse(this.#context.key);
    this.#etags.push(etag);
  }

  /** Creates the object if the condition is met: the headers of a conditional request. */
  async complete(condition: HttpHeaders): Promise<void> {
    const parts = this.#etags.map(
      (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`,
    );
    const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
    const url = withQuery(this.#url, { uploadId: this.#id });
    const headers = { 'content-type': 'application/xml', ...condition };
    try {
      await this.#bucket.call({ method: 'POST', url, body, headers }, this.#context);
    } catch (error) {
      // With a condition, the object that was to be replaced may be missing as well.
      const isLost = error instanceof StorageError && error.code === 'NOT_FOUND' && condition['if-match'] === undefined;
      if (!isLost) throw error;
      // An attempt whose response was lost may have completed it. Writing the object again does no harm.
      const message = 'the upload no longer exists; the object may or may not be stored';
      throw new StorageError('UNAVAILABLE', message, { key: error.key, isTransient: true, cause: error });
    }
  }

  /**
   * Removes the parts, even if the signal is aborted: then in one attempt. If that fails as well, a lifecycle rule of the
   * bucket must remove them.
   */
  async abort(): Promise<void> {
    const { key, signal } = this.#context;
    const url = withQuery(this.#url, { uploadId: this.#id });
    const context = { key, signal: undefined, ...(signal?.aborted === true && { retries: 0 }) };
    await this.#bucket.call({ method: 'DELETE', url }, context).catch(() => undefined);
  }
}

function withQuery(url: URL, query: Readonly<Record<string, string>>): URL {
  const result = new URL(url);
  for (const [name, value] of Object.entries(query)) result.searchParams.set(name, value);
  return result;
}
