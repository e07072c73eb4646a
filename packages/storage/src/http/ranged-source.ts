import {
  cancelBody,
  discardBody,
  type HttpHeaders,
  type HttpRequest,
  parsePartialContent,
  readBody,
  readWithRetries,
  sendRequest,
  type Transport,
  toServerError,
  withRetries,
} from '@htskit/http';
import { contentLength } from '@htskit/http/internal';
import type { ByteRange, ByteSource, ReadOptions, SourceStat, StatOptions } from '@htskit/io';
import { CHUNK_BYTES, checkRange, clipRange, concatBytes, StorageError, toByteStream } from '@htskit/io';
import {
  type ReadRefusal,
  type StorageContext,
  toChangedError,
  toContextError,
  toStorageTransport,
  withStorageErrors,
} from './storage-failure.js';

/** An object on a server that answers range requests. */
export interface HttpObject {
  /** The key of the source. */
  readonly key: string;
  /** Creates a request for the object. Called for each attempt, so that signatures and tokens are fresh. */
  request(method: 'GET' | 'HEAD', headers: HttpHeaders): Promise<HttpRequest>;
  /** Returns the version in the headers of a response. `size` is the size of the object in bytes. */
  version(headers: Headers, size: number): string | undefined;
  /** Returns the version of the object that this one was made of, if its metadata has it. */
  readonly origin?: (headers: Headers) => string | undefined;
  /** Returns the entity tag of a version, or undefined if `If-Match` cannot request it. */
  etagOf(version: string): string | undefined;
  /** Creates the reader of the refusals of one operation. */
  readonly createReadRefusal?: () => ReadRefusal;
}

/** The progress of a read. */
interface Transfer {
  /** The next byte. */
  position: number;
  end: number;
  /** The requested version, or that of the first response. */
  version: string | undefined;
  /** Size of the object in bytes according to the first response. */
  size: number | undefined;
}

/** A response with the requested bytes. */
interface RangeResponse {
  readonly response: Response;
  /** The clipped range, and the size of the whole object. */
  readonly range: ByteRange;
  readonly size: number;
}

/** Statuses of servers that do not support HEAD, and of URLs that are signed for GET. */
const HEAD_REFUSALS: ReadonlySet<number> = new Set([400, 401, 403, 405, 501]);

/** Reads an object by range requests. */
export class RangedSource implements ByteSource {
  readonly key: string;
  readonly #object: HttpObject;
  readonly #transport: Transport;

  constructor(object: HttpObject, transport: Transport) {
    this.key = object.key;
    this.#object = object;
    this.#transport = transport;
  }

  async stat({ signal }: StatOptions = {}): Promise<SourceStat> {
    return withStorageErrors(this.#transport, this.#context(signal), (transport) =>
      withRetries(transport, () => this.#stat(transport)),
    );
  }

  async read(range: ByteRange, options: ReadOptions = {}): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.#chunks(range, options)) chunks.push(chunk);
    return concatBytes(chunks);
  }

  stream(range: ByteRange, options: ReadOptions = {}): ReadableStream<Uint8Array> {
    const { signal } = options;
    // Ends a request whose consumer has gone: the generator could be waiting for its next chunk.
    const ended = new AbortController();
    const chunks = this.#chunks(range, { ...options, signal: ended.signal });
    return toByteStream(chunks, { signal, key: this.key, onCancel: () => ended.abort() });
  }

  #context(signal: AbortSignal | undefined): StorageContext {
    return { key: this.key, signal, readRefusal: this.#object.createReadRefusal?.() };
  }

  async *#chunks(range: ByteRange, { version, signal }: ReadOptions): AsyncGenerator<Uint8Array, void> {
    checkRange(range, this.key);
    const context = this.#context(signal);
    const transport = toStorageTransport(this.#transport, context);
    const transfer: Transfer = { position: range.start, end: range.end, version, size: undefined };
    // Without a version, the rest may belong to another object.
    const canContinue = (): boolean => transfer.position === range.start || transfer.version !== undefined;
    try {
      yield* readWithRetries(transport, () => this.#attempt(transfer, transport), canContinue);
    } catch (error) {
      throw toContextError(error, context);
    }
  }

  async *#attempt(transfer: Transfer, transport: Transport): AsyncGenerator<Uint8Array, void> {
    const found = await this.#open(transfer, transport);
    if (found === undefined) return;
    const { response, range } = found;
    for await (const chunk of readBody(response, transport, range.end - range.start)) {
      transfer.position += chunk.length;
      for (let at = 0; at < chunk.length; at += CHUNK_BYTES) yield chunk.subarray(at, at + CHUNK_BYTES);
    }
  }

  /** Requests the rest of a transfer. Returns undefined if no byte is left. */
  async #open(transfer: Transfer, transport: Transport): Promise<RangeResponse | undefined> {
    const { position: start, end, version } = transfer;
    if (start === end) return this.#checkNoneLeft(transfer, transport);
    const etag = version === undefined ? undefined : this.#object.etagOf(version);
    const headers = { range: `bytes=${start}-${end - 1}`, ...(etag !== undefined && { 'if-match': etag }) };
    const response = await this.#send('GET', headers, transport);
    if (response.status === 416) {
      await discardBody(response, transport);
      return this.#checkNoneLeft(transfer, transport);
    }
    if (response.status !== 200 && response.status !== 206) throw await toServerError(response, transport);
    try {
      const { range, size } = await this.#checkRange(response, transfer, transport);
      this.#checkUnchanged(transfer, this.#toStat(response, size));
      transfer.end = range.end;
      return { response, range, size };
    } catch (error) {
      cancelBody(response);
      throw error;
    }
  }

  /** Throws UNAVAILABLE unless a response has the rest of a transfer, clipped at the end of the object. */
  async #checkRange(
    response: Response,
    transfer: Transfer,
    transport: Transport,
  ): Promise<Omit<RangeResponse, 'response'>> {
    if (response.status === 200) {
      // Some servers do not support ranges of empty objects.
      if (contentLength(response.headers) === 0) return { range: { start: 0, end: 0 }, size: 0 };
      throw this.#ignoresRange();
    }
    const { start, end, size: declared } = parsePartialContent(response, transport);
    if (start === undefined || end === undefined) throw this.#hidesContentRange();
    const size = declared ?? (await this.#findSize(transfer, transport));
    const range = clipRange({ start: transfer.position, end: transfer.end }, size);
    if (start === range.start && end === range.end) return { range, size };
    throw this.#unavailable(`expected bytes [${range.start}, ${range.end}), found bytes [${start}, ${end})`);
  }

  /** Returns the size of an object whose partial responses do not declare it: `bytes 0-9/*` (RFC 9110 §14.4). */
  async #findSize(transfer: Transfer, transport: Transport): Promise<number> {
    if (transfer.size !== undefined) return transfer.size;
    const stat = await this.#stat(transport);
    this.#checkUnchanged(transfer, stat);
    return stat.size;
  }

  /** Throws CHANGED unless a response belongs to the object that the transfer began with, which the first one defines. */
  #checkUnchanged(transfer: Transfer, { version, size }: SourceStat): void {
    transfer.version ??= version;
    transfer.size ??= size;
    if (transfer.version !== version || transfer.size !== size) throw toChangedError({ key: this.key });
  }

  /** Checks a transfer without further bytes by `stat`: the response to an empty range may have neither size nor version. */
  async #checkNoneLeft(transfer: Transfer, transport: Transport): Promise<undefined> {
    const stat = await this.#stat(transport);
    this.#checkUnchanged(transfer, stat);
    if (transfer.position === transfer.end || transfer.position >= stat.size) return undefined;
    throw this.#unavailable('the store refuses a range within the object');
  }

  async #stat(transport: Transport): Promise<SourceStat> {
    const response = await this.#send('HEAD', {}, transport);
    if (response.status !== 200 && !HEAD_REFUSALS.has(response.status)) throw await toServerError(response, transport);
    await discardBody(response, transport);
    const size = response.status === 200 ? contentLength(response.headers) : undefined;
    return size === undefined ? this.#statByRange(transport) : this.#toStat(response, size);
  }

  /** Requests the first byte, for servers that refuse HEAD or hide the size. */
  async #statByRange(transport: Transport): Promise<SourceStat> {
    const response = await this.#send('GET', { range: 'bytes=0-0' }, transport);
    if (response.status !== 200 && response.status !== 206 && response.status !== 416) {
      throw await toServerError(response, transport);
    }
    try {
      const size = this.#sizeOf(response, transport);
      await discardBody(response, transport);
      return size === undefined ? await this.#statByWhole(transport) : this.#toStat(response, size);
    } catch (error) {
      cancelBody(response);
      throw error;
    }
  }

  /** Requests the whole object for nothing but the headers, for servers whose partial responses do not declare the size. */
  async #statByWhole(transport: Transport): Promise<SourceStat> {
    const response = await this.#send('GET', {}, transport);
    if (response.status !== 200) throw await toServerError(response, transport);
    cancelBody(response);
    const size = contentLength(response.headers);
    if (size === undefined) throw this.#unavailable('the store does not report the size of the object');
    return this.#toStat(response, size);
  }

  /** Returns the size that the response to a range declares, or undefined if it is unknown. */
  #sizeOf(response: Response, transport: Transport): number | undefined {
    const { status, headers } = response;
    if (status === 206) {
      const { start, size } = parsePartialContent(response, transport);
      if (start === undefined) throw this.#hidesContentRange();
      return size;
    }
    // RFC 9110 §15.5.17: an empty object has no satisfiable range.
    const isEmpty =
      status === 200 ? contentLength(headers) === 0 : /^bytes \*\/0$/i.test(headers.get('content-range') ?? '');
    if (isEmpty) return 0;
    throw status === 200 ? this.#ignoresRange() : this.#unavailable(`the store answered HTTP ${status}`);
  }

  #ignoresRange(): StorageError {
    return this.#unavailable('the store ignores the Range header');
  }

  #hidesContentRange(): StorageError {
    return this.#unavailable('the store does not report the Content-Range of a partial response');
  }

  #unavailable(message: string): StorageError {
    return new StorageError('UNAVAILABLE', message, { key: this.key });
  }

  #toStat(response: Response, size: number): SourceStat {
    const version = this.#object.version(response.headers, size);
    const modifiedAt = Date.parse(response.headers.get('last-modified') ?? '');
    const origin = this.#object.origin?.(response.headers);
    return {
      size,
      ...(version !== undefined && { version }),
      ...(origin !== undefined && { origin }),
      ...(!Number.isNaN(modifiedAt) && { modifiedAt }),
    };
  }

  #send(method: 'GET' | 'HEAD', headers: HttpHeaders, transport: Transport): Promise<Response> {
    return sendRequest(transport, () => this.#object.request(method, headers));
  }
}
