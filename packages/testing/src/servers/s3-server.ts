import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerRange, type RangeAnswer, send } from './http-range.js';
import { checkSignature, type SigningKeys } from './s3-signature.js';

export interface S3ServerOptions {
  readonly keys: SigningKeys;
  /** Whether the bucket keeps versions that were overwritten. Default false. */
  readonly keepsVersions?: boolean;
  /** Keys per page of a list. Default 1,000. */
  readonly pageLength?: number;
}

/** Returns the response to a request, or undefined for the correct one. */
export type Interfere = (request: S3Request) => RangeAnswer | undefined;

export interface S3Request {
  readonly method: string;
  /** The path after the bucket. */
  readonly key: string;
  readonly query: URLSearchParams;
  readonly body: Uint8Array;
  readonly message: IncomingMessage;
}

interface StoredObject {
  readonly bytes: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

type Metadata = Readonly<Record<string, string>>;

/** An in-memory bucket with the part of the S3 API that htskit uses, on loopback. It checks all signatures. */
export class S3Server {
  readonly bucket = 'bucket';
  interfere: Interfere = () => undefined;
  /** The time, in milliseconds since 1970, at which objects are written. */
  now: () => number = Date.now;
  /** The parts, by number, of uploads that are neither completed nor aborted, by id. */
  readonly uploads: Map<string, Map<number, Uint8Array>> = new Map();
  /** The metadata of uploads, by id. */
  readonly #metadata = new Map<string, Metadata>();
  readonly #options: S3ServerOptions;
  readonly #server: Server;
  /** All versions of each key. The last one is current. */
  readonly #objects = new Map<string, StoredObject[]>();
  #count = 0;

  private constructor(options: S3ServerOptions) {
    this.#options = options;
    this.#server = createServer((message, response) => void this.#serve(message, response));
  }

  static async start(options: S3ServerOptions): Promise<S3Server> {
    const server = new S3Server(options);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get endpoint(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { method = '', url: target = '', headers } = message;
    const code = checkSignature({ method, target, headers, body }, this.#options.keys, Date.now());
    if (code !== undefined) return send(message, response, refuse(403, code));
    const { pathname, searchParams: query } = new URL(target, 'http://localhost');
    const [, bucket, ...segments] = pathname.split('/');
    if (bucket !== this.bucket) return send(message, response, refuse(404, 'NoSuchBucket'));
    const request = { method, key: decodeURIComponent(segments.join('/')), query, body, message };
    send(message, response, this.interfere(request) ?? this.#answer(request));
  }

  #answer(request: S3Request): RangeAnswer {
    const { method, key, query } = request;
    if (key === '') return this.#list(query);
    if (query.has('uploads')) return this.#startUpload(request);
    const uploadId = query.get('uploadId');
    if (uploadId !== null) return this.#answerUpload(uploadId, request);
    if (method === 'PUT') return this.#checkCondition(request) ?? this.#put(key, request.body, toMetadata(request));
    if (method === 'DELETE') {
      this.#objects.delete(key);
      return { status: 204, headers: {}, body: new Uint8Array() };
    }
    return this.#get(request);
  }

  #get({ key, query, message }: S3Request): RangeAnswer {
    const versions = this.#objects.get(key) ?? [];
    const id = query.get('versionId');
    const found = id === null ? versions.at(-1) : versions.find(({ headers }) => headers['x-amz-version-id'] === id);
    return found === undefined ? refuse(404, 'NoSuchKey') : answerRange(message, found);
  }

  #put(key: string, bytes: Uint8Array, metadata: Metadata): RangeAnswer {
    this.#count++;
    const etag = `"${createHash('md5').update(bytes).digest('hex')}"`;
    const { keepsVersions = false } = this.#options;
    const modified = new Date(this.now()).toUTCString();
    const versionId = keepsVersions && { 'x-amz-version-id': `version.${this.#count}` };
    const headers = { etag, 'last-modified': modified, ...metadata, ...versionId };
    const before = keepsVersions ? (this.#objects.get(key) ?? []) : [];
    this.#objects.set(key, [...before, { bytes, headers }]);
    return { status: 200, headers, body: new Uint8Array() };
  }

  /** Returns the refusal of a request whose condition is not met. */
  #checkCondition({ key, message }: S3Request): RangeAnswer | undefined {
    const current = this.#objects.get(key)?.at(-1)?.headers['etag'];
    const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = message.headers;
    if (ifMatch !== undefined && current === undefined) return refuse(404, 'NoSuchKey');
    const isMet =
      (ifMatch === undefined || ifMatch.replaceAll('"', '') === current?.replaceAll('"', '')) &&
      (ifNoneMatch !== '*' || current === undefined);
    return isMet ? undefined : refuse(412, 'PreconditionFailed');
  }

  #startUpload(request: S3Request): RangeAnswer {
    this.#count++;
    const id = `upload&${this.#count}`;
    this.uploads.set(id, new Map());
    this.#metadata.set(id, toMetadata(request));
    return answerXml(
      200,
      `<InitiateMultipartUploadResult><UploadId>${escapeXml(id)}</UploadId></InitiateMultipartUploadResult>`,
    );
  }

  #answerUpload(id: string, request: S3Request): RangeAnswer {
    const { method, key, query, body } = request;
    const parts = this.uploads.get(id);
    if (parts === undefined) return refuse(404, 'NoSuchUpload');
    if (method === 'PUT') {
      parts.set(Number(query.get('partNumber')), body);
      return { status: 200, headers: { etag: `"part & ${body.length}"` }, body: new Uint8Array() };
    }
    const refusal = method === 'POST' ? this.#checkCondition(request) : undefined;
    if (refusal !== undefined) return refusal;
    this.uploads.delete(id);
    if (method === 'DELETE') return { status: 204, headers: {}, body: new Uint8Array() };
    const named = Array.from(
      Buffer.from(body)
        .toString()
        .matchAll(/<PartNumber>(\d+)<.*?<ETag>([^<]*)</g),
    );
    const chunks = named.map(([, number, etag]) => {
      const part = parts.get(Number(number));
      return part !== undefined && etag === `"part &#38; ${part.length}"` ? part : undefined;
    });
    if (chunks.length === 0 || chunks.includes(undefined)) return refuse(400, 'InvalidPart');
    const bytes = Buffer.concat(chunks.filter((chunk) => chunk !== undefined));
    this.#put(key, bytes, this.#metadata.get(id) ?? {});
    return answerXml(200, '<CompleteMultipartUploadResult/>');
  }

  #list(query: URLSearchParams): RangeAnswer {
    const { pageLength = 1000 } = this.#options;
    const prefix = query.get('prefix') ?? '';
    const after = Buffer.from(query.get('continuation-token') ?? '', 'base64url').toString();
    const keys = Array.from(this.#objects.keys()).sort();
    const left = keys.filter((key) => key.startsWith(prefix) && key > after);
    const page = left.slice(0, pageLength);
    const isEncoded = query.get('encoding-type') === 'url';
    const toText = isEncoded ? encodeKey : toXmlText;
    const contents = page.map((key) => `<Contents><Key>${toText(key)}</Key><Size>1</Size></Contents>`).join('');
    const token = Buffer.from(page.at(-1) ?? '').toString('base64url');
    const next = `<NextContinuationToken>${token}</NextContinuationToken>`;
    const isTruncated = page.length < left.length;
    return answerXml(
      200,
      `<ListBucketResult>${isEncoded ? '<EncodingType>url</EncodingType>' : ''}<IsTruncated>${isTruncated}</IsTruncated>${contents}${isTruncated ? next : ''}</ListBucketResult>`,
    );
  }
}

/** Returns the headers of a request that every later response repeats. */
function toMetadata({ message }: S3Request): Metadata {
  const headers = Object.entries(message.headers).filter(([name]) => name.startsWith('x-amz-meta-'));
  return Object.fromEntries(headers.map(([name, value]) => [name, String(value)]));
}

function refuse(status: number, code: string): RangeAnswer {
  return answerXml(status, `<Error><Code>${code}</Code><Message>no</Message></Error>`);
}

function answerXml(status: number, xml: string): RangeAnswer {
  return { status, headers: { 'content-type': 'application/xml' }, body: Buffer.from(`<?xml version="1.0"?>\n${xml}`) };
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** Replaces the characters that XML 1.0 cannot hold, as the encoder of Go does, with which several stores are written. */
function toXmlText(key: string): string {
  return escapeXml(key).replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd');
}

/** Encodes a key as AWS does for `encoding-type=url`: a space is a plus sign. */
function encodeKey(key: string): string {
  return key.split('/').map(encodeURIComponent).join('/').replaceAll('%20', '+');
}
