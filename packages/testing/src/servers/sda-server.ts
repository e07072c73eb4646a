import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { send } from './http-range.js';

/** A file of the archive, whose header is stored apart from its encrypted segments. */
export interface ArchivedFile {
  readonly dataset: string;
  readonly path: string;
  readonly fileId: string;
  readonly header: Uint8Array;
  readonly content: Uint8Array;
  /** The number of bytes of the plaintext, and its SHA-256 in hexadecimal. */
  readonly decryptedSize: number;
  readonly sha256: string;
}

export interface SdaServerOptions {
  /** Encrypts a header for a public key of 32 bytes. */
  readonly reencrypt: (header: Uint8Array, publicKey: Uint8Array) => Uint8Array;
  /** The greatest number of items of a page. Default 1,000, as the archive has it. */
  readonly pageLength?: number;
}

/** A request that the archive received. */
export interface SdaRequest {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
  readonly status: number;
}

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: Uint8Array | object;
}

const NO_BYTES = new Uint8Array();
const PRIVATE = { 'cache-control': 'private, max-age=60, must-revalidate' };

/**
 * A double of the download API, version 2, of the NeIC Sensitive Data Archive, on loopback: datasets, files, headers and contents, as
 * its description of the API and its handlers have it. Each token may see some datasets.
 */
export class SdaServer {
  /** The datasets that each token may see. */
  readonly permissions: Map<string, Set<string>> = new Map();
  readonly files: ArchivedFile[] = [];
  /** The requests in the order in which they were answered. */
  readonly requests: SdaRequest[] = [];
  /** Returns the status of a failure to answer a request with, or undefined for the correct answer. */
  interfere: (request: IncomingMessage) => number | undefined = () => undefined;
  readonly #options: SdaServerOptions;
  readonly #server: Server;

  private constructor(options: SdaServerOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => this.#serve(request, response));
  }

  static async start(options: SdaServerOptions): Promise<SdaServer> {
    const server = new SdaServer(options);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const failure = this.interfere(request);
    const { status, headers = {}, body = NO_BYTES } = failure === undefined ? this.#answer(request) : problem(failure);
    const { method = '', url = '' } = request;
    this.requests.push({ method, url, authorization: request.headers.authorization, status });
    const bytes = body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body));
    const type = body instanceof Uint8Array ? 'application/octet-stream' : 'application/json; charset=utf-8';
    send(request, response, {
      status,
      headers: { 'content-type': type, 'content-length': bytes.length, ...headers },
      body: bytes,
    });
  }

  #answer(request: IncomingMessage): Answer {
    const { pathname, searchParams } = new URL(request.url ?? '', this.url);
    const [first, ...rest] = pathname.split('/').slice(1).map(decodeURIComponent);
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const datasets = this.permissions.get(token);
    if (datasets === undefined) return problem(401, 'access token must be provided');
    if (first === 'datasets' && rest.length === 0) {
      return this.#page('datasets', [...datasets].sort(), searchParams);
    }
    if (first === 'datasets' && rest[1] === 'files' && rest.length === 2)
      return this.#listFiles(rest[0] ?? '', datasets, searchParams);
    if (first === 'files') return this.#file(rest, datasets, request);
    return problem(404);
  }

  #listFiles(dataset: string, datasets: ReadonlySet<string>, query: URLSearchParams): Answer {
    if (!datasets.has(dataset)) return problem(403, 'access denied');
    const [filePath, pathPrefix] = [query.get('filePath') ?? '', query.get('pathPrefix') ?? ''];
    if (filePath.length > 4096 || pathPrefix.length > 4096) return problem(400, 'filter value too long');
    if (filePath !== '' && pathPrefix !== '')
      return problem(400, 'filePath and pathPrefix are mutually exclusive', 'FILTER_CONFLICT');
    const found = this.files
      .filter(
        (file) =>
          file.dataset === dataset && file.path.startsWith(pathPrefix) && (filePath === '' || file.path === filePath),
      )
      .map(({ fileId, path, content, decryptedSize, sha256 }) => ({
        fileId,
        filePath: path,
        size: content.length,
        decryptedSize,
        checksums: [{ type: 'sha256', checksum: sha256 }],
        downloadUrl: `/files/${fileId}`,
      }));
    return this.#page('files', found, query);
  }

  #page(name: string, items: readonly unknown[], query: URLSearchParams): Answer {
    const pageSize = Number(query.get('pageSize') ?? 100);
    if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > 1000)
      return problem(400, 'pageSize must be between 1 and 1000');
    const start = Number(query.get('pageToken')?.replace(/^ptk_/, '') ?? 0);
    if (!Number.isInteger(start)) return problem(400, 'malformed page token');
    const end = start + Math.min(pageSize, this.#options.pageLength ?? pageSize);
    const nextPageToken = end < items.length ? `ptk_${end}` : null;
    return { status: 200, headers: PRIVATE, body: { [name]: items.slice(start, end), nextPageToken } };
  }

  #file([fileId, part]: readonly string[], datasets: ReadonlySet<string>, request: IncomingMessage): Answer {
    const key = part === 'content' ? undefined : readPublicKey(request);
    if (key !== undefined && 'status' in key) return key;
    const file = this.files.find((each) => each.fileId === fileId);
    if (file === undefined || !datasets.has(file.dataset)) return problem(403, 'access denied');
    if (part === 'content') return answerContent(file, request);
    const header = this.#options.reencrypt(file.header, key?.publicKey ?? NO_BYTES);
    if (part !== 'header') return problem(404);
    return { status: 200, headers: { 'sda-content-etag': contentTag(file) }, body: header };
  }
}

/** Reads the recipient's key, which exactly one of two headers must have. */
function readPublicKey({ headers }: IncomingMessage): { readonly publicKey: Uint8Array } | Answer {
  const given = [headers['x-c4gh-public-key'], headers['htsget-context-public-key']].filter(
    (value) => value !== undefined,
  );
  if (given.length > 1) return problem(400, 'only one public key header may be provided', 'KEY_CONFLICT');
  const [text] = given;
  if (text === undefined) return problem(400, 'a public key header is required', 'KEY_MISSING');
  const publicKey = Buffer.from(String(text), 'base64');
  return publicKey.length === 32 ? { publicKey } : problem(500, 'failed to prepare file for download');
}

/** The stable entity tag of the segments. */
function contentTag({ fileId, content }: ArchivedFile): string {
  return `"${createHash('sha256').update(`${fileId}:${content.length}`).digest('hex')}"`;
}

/** Answers with the segments, or with one range of them. As the archive does, it ignores `If-Match`. */
function answerContent(file: ArchivedFile, { headers }: IncomingMessage): Answer {
  const { content } = file;
  const etag = contentTag(file);
  const common = { ...PRIVATE, 'accept-ranges': 'bytes', etag };
  const ifRange = headers['if-range'];
  const range = ifRange === undefined || ifRange === etag ? headers.range : undefined;
  if (range === undefined) return { status: 200, headers: common, body: content };
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
  if (first === '' && last === '') return problem(400, 'invalid range header', 'RANGE_INVALID');
  const start = first === '' ? Math.max(0, content.length - Number(last)) : Number(first);
  const end = first === '' || last === '' ? content.length : Math.min(Number(last) + 1, content.length);
  if (start >= content.length || start >= end) {
    const refusal = problem(416, 'range not satisfiable');
    return { ...refusal, headers: { ...refusal.headers, 'content-range': `bytes */${content.length}` } };
  }
  const contentRange = `bytes ${start}-${end - 1}/${content.length}`;
  return { status: 206, headers: { ...common, 'content-range': contentRange }, body: content.subarray(start, end) };
}

/** Problem details (RFC 9457). */
function problem(status: number, detail = '', errorCode?: string): Answer {
  const body = { title: `Error ${status}`, status, detail, ...(errorCode !== undefined && { errorCode }) };
  return { status, headers: { 'content-type': 'application/problem+json' }, body };
}
