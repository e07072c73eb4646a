import { DEFAULT_AUTHORITY, refgetJsonMediaType, refgetTextMediaType } from '@htskit/protocol';
import { ClientError, RefgetClientError } from '../client-error.js';
import { ResourceReader } from '../resource/resource-reader.js';
import { toAccept } from '../transport/accept.js';
import { readBytes } from '../transport/body.js';
import { parseHttpUrl } from '../transport/http-url.js';
import { withRetries } from '../transport/retry.js';
import { send } from '../transport/send.js';
import { toServerError } from '../transport/server-error.js';
import type { Transport } from '../transport/transport.js';
import { checkBases } from './base-check.js';
import { parseMetadata, parseServiceInfo, type RefgetCapabilities, type RefgetMetadata } from './documents.js';
import { isSequence, type SequenceId } from './sequence-id.js';

/** Where sequences come from. */
export interface RefgetServer {
  /** Its sequences are at `{url}/sequence/{id}`. */
  readonly url: string;
  /** Sent to its origin only: Authorization, say. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Bases, 0-based and half-open. A start behind the end goes across the origin of a circular sequence. */
export interface BaseInterval {
  readonly start?: number | undefined;
  /** Undefined: to the last base. */
  readonly end?: number | undefined;
}

const TEXT = toAccept(refgetTextMediaType, DEFAULT_AUTHORITY, ['text/plain;q=0.8', '*/*;q=0.1']);
const JSON_DOCUMENT = toAccept(refgetJsonMediaType, DEFAULT_AUTHORITY, ['application/json;q=0.8', '*/*;q=0.1']);
const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** Asks one server. */
export class ServerConnection {
  readonly #server: RefgetServer;
  readonly #base: string;
  #capabilities: Promise<RefgetCapabilities | undefined> | undefined;

  constructor(server: RefgetServer) {
    const url = parseHttpUrl(server.url);
    if (url === undefined || url.search !== '' || url.hash !== '') {
      throw new RefgetClientError('INVALID_QUERY', 'a server is an absolute HTTP(S) URL without query and credentials');
    }
    this.#server = server;
    this.#base = `${url.href.replace(/\/+$/, '')}/sequence`;
  }

  async metadata({ path, digest }: SequenceId, transport: Transport): Promise<RefgetMetadata> {
    const metadata = parseMetadata(await this.#document(`${path}/metadata`, transport));
    const { md5, sha512t24u, trunc512 } = metadata;
    const digests = { ...(md5 && { md5 }), ...(sha512t24u && { sha512t24u }), ...(trunc512 && { trunc512 }) };
    if (isSequence({ path, digest }, digests)) return metadata;
    throw new RefgetClientError('INVALID_RESPONSE', 'the server sends the metadata of another sequence');
  }

  async serviceInfo(transport: Transport): Promise<RefgetCapabilities> {
    return parseServiceInfo(await this.#document('service-info', transport));
  }

  /** The bases of an interval, or of the whole sequence, which is verified. Several requests where the server limits one. */
  async *bases(
    id: SequenceId,
    interval: BaseInterval | undefined,
    transport: Transport,
  ): AsyncGenerator<Uint8Array, void> {
    if (interval === undefined) {
      yield* checkBases(this.#read(`${this.#base}/${id.path}`, {}, transport), { length: undefined, wholeOf: id });
      return;
    }
    const { start = 0, end } = interval;
    const capabilities = await this.#knownCapabilities(transport);
    const isWrapping = end !== undefined && start > end;
    if (isWrapping && capabilities?.isCircularSupported !== true) throw notCircular();
    // The length of the answer must be known, to tell it from one that was cut off or is of something else.
    const length = end === undefined || isWrapping ? (await this.metadata(id, transport)).length : undefined;
    const last = isWrapping ? end + (length ?? 0) : (end ?? length ?? 0);
    if (start > (length ?? start)) throw outOfBounds();
    for (const window of windows(start, last, capabilities?.subsequenceLimit)) {
      yield* this.#window(id, { ...window, length, hasQuery: capabilities !== undefined }, transport);
    }
  }

  /** What the server can do; undefined where it does not say, as plain stores of files do not. */
  #knownCapabilities(transport: Transport): Promise<RefgetCapabilities | undefined> {
    // Not ended with the caller that happens to be first: others wait for the same answer.
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
  ): AsyncGenerator<Uint8Array, void> {
    const resource = { url, headers: { accept: TEXT, ...headers } };
    const part = { resource, start: 0, end: undefined, isSplit: false };
    return new ResourceReader(part, { transport, originHeaders: this.#server.headers }).read();
  }

  #document(path: string, transport: Transport): Promise<string> {
    const headers = { accept: JSON_DOCUMENT };
    const request = { url: `${this.#base}/${path}`, headers, originHeaders: this.#server.headers };
    return withRetries(transport, async () => {
      const response = await send(transport, request);
      if (response.status !== 200) throw await toServerError(response, transport);
      return new TextDecoder().decode(await readBytes(response, MAX_DOCUMENT_BYTES, transport));
    });
  }
}

/** Of an unrolled sequence: what goes across the origin has an end beyond the length. */
interface Window {
  readonly start: number;
  readonly end: number;
  readonly length: number | undefined;
  /** Whether the server knows `start` and `end`; ranges otherwise. */
  readonly hasQuery: boolean;
}

function* windows(
  start: number,
  end: number,
  limit = Infinity,
): Generator<{ readonly start: number; readonly end: number }> {
  let at = start;
  do {
    const windowEnd = Math.min(end, at + limit);
    yield { start: at, end: windowEnd };
    at = windowEnd;
  } while (at < end);
}

async function* nothing(): AsyncGenerator<Uint8Array, void> {}

function notCircular(): RefgetClientError {
  return new RefgetClientError('SERVER_ERROR', 'the server does not support circular sequences', { status: 501 });
}

function outOfBounds(): RefgetClientError {
  return new RefgetClientError('SERVER_ERROR', 'start is beyond the end of the sequence', { status: 416 });
}
