import type { ByteRange, ByteSource, ReadOptions, SourceStat, StatOptions } from '@htskit/io';
import { CHUNK_BYTES, checkNotAborted, checkRange, StorageError, toByteStream } from '@htskit/io';
import { Exchange, type ReadRefusal } from './exchange.js';
import { RangeBody } from './range-body.js';
import type { HttpRequest } from './redirects.js';
import { Retries, withRetries } from './retries.js';
import { readSize, readSizeOfRange, refusesHead } from './size.js';
import type { Transport } from './transport.js';
import type { ReadHeader } from './version.js';

/** An object behind HTTP. */
export interface HttpObject {
  /** Of its source. */
  readonly key: string;
  /** Makes a request for it; called for each attempt, so that signatures and tokens are fresh. */
  request(method: 'GET' | 'HEAD', headers: Readonly<Record<string, string>>): Promise<HttpRequest>;
  /** The version that an answer is of. */
  version(header: ReadHeader, size: number): string | undefined;
  /** The entity-tag of a version, where `If-Match` can ask for it. */
  etagOf(version: string): string | undefined;
  /** Default: its status alone. */
  readonly readRefusal?: ReadRefusal;
}

/** What is still to be sent. */
interface Transfer {
  at: number;
  end: number;
  /** Of all bytes: as asked for, or as the first answer has it. */
  version: string | undefined;
  /** Bytes of the whole object, as the first answer has it. */
  size: number | undefined;
}

/** A source that reads an object by requests for ranges. */
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
    return withRetries(this.#transport, { key: this.key, signal }, () => this.#stat(signal));
  }

  async read(range: ByteRange, options: ReadOptions = {}): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    let byteLength = 0;
    for await (const chunk of this.#chunks(range, options)) {
      chunks.push(chunk);
      byteLength += chunk.length;
    }
    return concatenate(chunks, byteLength);
  }

  stream(range: ByteRange, options: ReadOptions = {}): ReadableStream<Uint8Array> {
    const { signal } = options;
    // Ends the request at once where the consumer is gone: the generator could wait for its next chunk.
    const ended = new AbortController();
    const chunks = this.#chunks(range, { ...options, signal: ended.signal });
    return toByteStream(chunks, { signal, key: this.key, onCancel: () => ended.abort() });
  }

  async *#chunks(range: ByteRange, { version, signal }: ReadOptions): AsyncGenerator<Uint8Array, void> {
    checkRange(range, this.key);
    const transfer: Transfer = { at: range.start, end: range.end, version, size: undefined };
    const retries = new Retries(this.#transport, { key: this.key, signal });
    for (;;) {
      const error = yield* this.#attempt(transfer, { retries, signal });
      if (error === undefined) return;
      // The rest may be that of another object.
      if (transfer.at > range.start && transfer.version === undefined) throw error;
      await retries.wait(error);
    }
  }

  /** Sends what is left of a transfer as far as it goes; returns why it broke off. */
  async *#attempt(
    transfer: Transfer,
    { retries, signal }: { readonly retries: Retries; readonly signal: AbortSignal | undefined },
  ): AsyncGenerator<Uint8Array, unknown> {
    let body: RangeBody | undefined;
    try {
      checkNotAborted(signal, this.key);
      body = await this.#open(transfer, signal);
      for (let chunk = await body?.next(); chunk !== undefined; chunk = await body?.next()) {
        transfer.at += chunk.length;
        retries.progress(chunk.length);
        for (let at = 0; at < chunk.length; at += CHUNK_BYTES) yield chunk.subarray(at, at + CHUNK_BYTES);
      }
      return undefined;
    } catch (error) {
      return error;
    } finally {
      body?.end();
    }
  }

  /** What is left of the object; undefined where that is nothing. */
  async #open(transfer: Transfer, signal: AbortSignal | undefined): Promise<RangeBody | undefined> {
    const { at, end, version } = transfer;
    if (at === end) return this.#checkNoneLeft(transfer, signal);
    const etag = version === undefined ? undefined : this.#object.etagOf(version);
    const headers = { range: `bytes=${at}-${end - 1}`, ...(etag !== undefined && { 'if-match': etag }) };
    const exchange = await this.#start('GET', headers, signal);
    try {
      if (exchange.status === 416) {
        await exchange.discard();
        return await this.#checkNoneLeft(transfer, signal);
      }
      if (exchange.status !== 200 && exchange.status !== 206) throw await this.#refusal(exchange);
      const body = new RangeBody(exchange, { range: { start: at, end }, key: this.key });
      this.#checkUnchanged(transfer, this.#toStat(exchange, body.size));
      transfer.end = body.range.end;
      return body;
    } catch (error) {
      exchange.end();
      throw error;
    }
  }

  /** Throws CHANGED unless an answer is of the object that the transfer began with; the first one says which that is. */
  #checkUnchanged(transfer: Transfer, { version, size }: SourceStat): void {
    transfer.version ??= version;
    transfer.size ??= size;
    if (transfer.version === version && transfer.size === size) return;
    throw new StorageError('CHANGED', 'the object is not the version asked for', { key: this.key });
  }

  /** Asks for the size where a range has no bytes: the answer to it may name neither size nor version. */
  async #checkNoneLeft(transfer: Transfer, signal: AbortSignal | undefined): Promise<undefined> {
    const stat = await this.#stat(signal);
    this.#checkUnchanged(transfer, stat);
    if (transfer.at === transfer.end || transfer.at >= stat.size) return undefined;
    throw new StorageError('UNAVAILABLE', 'the store refuses a range within the object', { key: this.key });
  }

  async #stat(signal: AbortSignal | undefined): Promise<SourceStat> {
    const head = await this.#start('HEAD', {}, signal);
    try {
      if (head.status !== 200 && !refusesHead(head.status)) throw await this.#refusal(head);
      const size = head.status === 200 ? readSize(head, this.key) : undefined;
      if (size !== undefined) return this.#toStat(head, size);
      await head.discard();
    } finally {
      head.end();
    }
    return this.#statByRange(signal);
  }

  async #statByRange(signal: AbortSignal | undefined): Promise<SourceStat> {
    const exchange = await this.#start('GET', { range: 'bytes=0-0' }, signal);
    try {
      const size = readSizeOfRange(exchange, this.key);
      if (size === undefined) throw await this.#refusal(exchange);
      await exchange.discard();
      return this.#toStat(exchange, size);
    } finally {
      exchange.end();
    }
  }

  #refusal(exchange: Exchange): Promise<StorageError> {
    return exchange.refusal(this.#object.readRefusal);
  }

  #toStat(exchange: Exchange, size: number): SourceStat {
    const version = this.#object.version((name) => exchange.header(name), size);
    return { size, ...(version !== undefined && { version }) };
  }

  async #start(
    method: 'GET' | 'HEAD',
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<Exchange> {
    const context = { transport: this.#transport, key: this.key, signal };
    return Exchange.start(() => this.#object.request(method, headers), context);
  }
}

function concatenate(chunks: readonly Uint8Array[], byteLength: number): Uint8Array {
  const [first] = chunks;
  if (first?.length === byteLength) return first;
  const bytes = new Uint8Array(byteLength);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
