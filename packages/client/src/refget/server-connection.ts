import type { Transport } from '@htskit/http';
import { parseHttpUrl } from '@htskit/http/internal';
import { DEFAULT_AUTHORITY, refgetJsonMediaType, refgetTextMediaType } from '@htskit/protocol';
import { ClientError, RefgetClientError } from '../client-error.js';
import { fetchDocument, toAccept } from '../document.js';
import { type ResourceAnswer, ResourceReader } from '../resource/resource-reader.js';
import { parseMetadata, parseServiceInfo, type RefgetCapabilities, type RefgetMetadata } from './documents.js';
import { checkBases, isSequence, type SequenceId } from './sequence.js';

/** A refget service. */
export interface RefgetServer {
  /** Base URL: sequences are at `{url}/sequence/{id}`. */
  readonly url: string;
  /** Sent to the origin of the server only, such as Authorization. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A part of a sequence in bases, 0-based and half-open. If start > end, it wraps around the origin of a circular sequence. */
export interface SequenceInterval {
  /** Default 0. */
  readonly start?: number;
  /** Default: the end of the sequence. */
  readonly end?: number;
}

const TEXT = toAccept(refgetTextMediaType, DEFAULT_AUTHORITY, ['text/plain;q=0.8', '*/*;q=0.1']);
const JSON_DOCUMENT = toAccept(refgetJsonMediaType, DEFAULT_AUTHORITY, ['application/json;q=0.8', '*/*;q=0.1']);
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** Sends requests to one server. */
export class ServerConnection {
  readonly #server: RefgetServer;
  readonly #base: string;
  #capabilities: Promise<RefgetCapabilities | undefined> | undefined;

  constructor(server: RefgetServer) {
    const url = parseHttpUrl(server.url);
    if (url === undefined || url.search !== '' || url.hash !== '') {
      const message = 'expected the URL of a server to be an HTTP(S) URL without query or credentials';
      throw new RefgetClientError('INVALID_QUERY', message);
    }
    this.#server = server;
    this.#base = `${url.href.replace(/\/+$/, '')}/sequence`;
  }

  async metadata({ path, digest }: SequenceId, transport: Transport): Promise<RefgetMetadata> {
    const metadata = parseMetadata(await this.#document(`${path}/metadata`, transport));
    const { md5, sha512t24u, trunc512 } = metadata;
    const digests = { ...(md5 && { md5 }), ...(sha512t24u && { sha512t24u }), ...(trunc512 && { trunc512 }) };
    if (isSequence({ path, digest }, digests)) return metadata;
    throw new RefgetClientError('INVALID_RESPONSE', 'the server sent the metadata of another sequence');
  }

  async serviceInfo(transport: Transport): Promise<RefgetCapabilities> {
    return parseServiceInfo(await this.#document('service-info', transport));
  }

  /**
   * Returns the bases of an interval, or of the whole sequence, which is verified. Splits requests that exceed the server's limit.
   * The bases are requested when they are read.
   */
  async bases(
    id: SequenceId,
    interval: SequenceInterval | undefined,
    transport: Transport,
  ): Promise<AsyncGenerator<Uint8Array, void>> {
    if (interval === undefined) {
      let declared: number | undefined;
      const onAnswer = ({ totalBytes }: ResourceAnswer): void => {
        declared = totalBytes;
      };
      const chunks = this.#read(`${this.#base}/${id.path}`, {}, transport, onAnswer);
      return checkBases(chunks, { length: undefined, wholeOf: id, declaredLength: () => declared });
    }
    const { start = 0, end } = interval;
    const capabilities = await this.#knownCapabilities(transport);
    const isWrapping = end !== undefined && start > end;
    if (isWrapping && capabilities?.isCircularSupported !== true) throw notCircular();
    // Without the expected length, a truncated response could not be recognised.
    const length = end === undefined || isWrapping ? (await this.metadata(id, transport)).length : undefined;
    const last = isWrapping ? end + (length ?? 0) : (end ?? length ?? 0);
    if (start > (length ?? start)) throw outOfBounds();
    const all = { start, end: last, length, hasQuery: capabilities !== undefined };
    const limit = capabilities?.subsequenceLimit ?? Infinity;
    return last - start <= limit ? this.#window(id, all, transport) : this.#windows(id, { ...all, limit }, transport);
  }

  async *#windows(
    id: SequenceId,
    { start, end, limit, ...known }: Window & { readonly limit: number },
    transport: Transport,
  ): AsyncGenerator<Uint8Array, void> {
    for (let position = start; position < end; position += limit) {
      yield* this.#window(id, { ...known, start: position, end: Math.min(end, position + limit) }, transport);
    }
  }

  /** Returns the capabilities, or undefined if the server does not report them, as plain file stores do not. */
  #knownCapabilities(transport: Transport): Promise<RefgetCapabilities | undefined> {
    // Not aborted with its first caller: others wait for the same response.
    this.#capabilities ??= this.serviceInfo({ ...transport, signal: undefined }).catch((error: unknown) => {
      const codes: readonly string[] = ['INVALID_RESPONSE', 'SERVER_ERROR'];
      if (error instanceof ClientError && !error.isTransient && codes.includes(error.code)) return undefined;
      this.#capabilities = undefined;
      throw error;
    });
    return this.#capabilities;
  }

  #window(
    id: SequenceId,
    { start, end, length = Infinity, hasQuery }: Window,
    transport: Transport,
  ): AsyncGenerator<Uint8Array, void> {
    const expected = { length: end - start, wholeOf: undefined };
    const url = `${this.#base}/${id.path}`;
    const [first, last] = [start < length ? start : start - length, end <= length ? end : end - length];
    if (hasQuery) return checkBases(this.#read(`${url}?start=${first}&end=${last}`, {}, transport), expected);
    if (start === end) return checkBases(nothing(), expected);
    return checkBases(this.#read(url, { range: `bytes=${start}-${end - 1}` }, transport), expected);
  }

  #read(
    url: string,
    headers: Readonly<Record<string, string>>,
    transport: Transport,
    onAnswer?: (answer: ResourceAnswer) => void,
  ): AsyncGenerator<Uint8Array, void> {
    const resource = { url, headers: { accept: TEXT, ...headers } };
    const part = { resource, start: 0, end: undefined, isSplit: false };
    return new ResourceReader(part, {
      transport,
      originHeaders: this.#server.headers,
      onAnswer,
    }).read();
  }

  #document(path: string, transport: Transport): Promise<string> {
    const headers = { accept: JSON_DOCUMENT };
    const request = { url: `${this.#base}/${path}`, headers, originHeaders: this.#server.headers };
    return fetchDocument(transport, request, MAX_DOCUMENT_BYTES);
  }
}

/** A part of an unrolled sequence: the end of a part that wraps around the origin exceeds the length. */
interface Window {
  readonly start: number;
  readonly end: number;
  readonly length: number | undefined;
  /** Whether the server understands `start` and `end`; otherwise it gets a Range header. */
  readonly hasQuery: boolean;
}

async function* nothing(): AsyncGenerator<Uint8Array, void> {}

function notCircular(): RefgetClientError {
  return new RefgetClientError('SERVER_ERROR', 'the server does not support circular sequences', { status: 501 });
}

function outOfBounds(): RefgetClientError {
  return new RefgetClientError('SERVER_ERROR', 'start lies past the end of the sequence', { status: 416 });
}
