import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';

type Fields = OutgoingHttpHeaders | OutgoingHttpHeader[];
type Callback = (error?: Error | null) => void;

/** The response to a request that passes the gate. It counts the bytes of its body and has headers of the gate. */
export class GatedResponse extends ServerResponse {
  /** The bytes of the body that were written to the connection. */
  bodyBytes = 0;
  /** The time of the first write, as `performance.now` has it. */
  firstWritten: number | undefined;
  /** The id of the request, which the response has unless a cache may send it to other clients. */
  requestId: string | undefined;
  /**
   * Headers of the response, as alternating names and values. `setHeader` would make Node copy and check all other headers
   * twice.
   */
  gateHeaders: readonly string[] = [];

  override writeHead(status: number, reason?: string | Fields, last?: Fields): this {
    const fields = typeof reason === 'string' ? last : reason;
    const given = toList(fields);
    const isForAll = String(this.getHeader('cache-control') ?? cacheControlOf(given)).startsWith('public');
    const id = this.requestId === undefined || isForAll ? [] : ['x-request-id', this.requestId];
    const headers = [...this.gateHeaders, ...id, ...given];
    return typeof reason === 'string' ? super.writeHead(status, reason, headers) : super.writeHead(status, headers);
  }

  override write(chunk: unknown, encoding?: BufferEncoding | Callback, callback?: Callback): boolean {
    this.#count(chunk, typeof encoding === 'string' ? encoding : undefined);
    return super.write(chunk, encoding as BufferEncoding, callback);
  }

  override end(chunk?: unknown, encoding?: BufferEncoding | (() => void), callback?: () => void): this {
    this.#count(chunk, typeof encoding === 'string' ? encoding : undefined);
    return super.end(chunk, encoding as BufferEncoding, callback);
  }

  #count(chunk: unknown, encoding: BufferEncoding | undefined): void {
    this.firstWritten ??= performance.now();
    // Node drops the body of a response to HEAD.
    if (this.req.method === 'HEAD') return;
    if (typeof chunk === 'string') this.bodyBytes += Buffer.byteLength(chunk, encoding);
    else if (chunk instanceof Uint8Array) this.bodyBytes += chunk.byteLength;
  }
}

/** Returns alternating names and values, which Node writes without a copy. */
function toList(fields: Fields = []): OutgoingHttpHeader[] {
  if (Array.isArray(fields)) return fields;
  const list: OutgoingHttpHeader[] = [];
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) list.push(name, value);
  return list;
}

function cacheControlOf(headers: readonly OutgoingHttpHeader[]): OutgoingHttpHeader | undefined {
  const at = headers.findIndex((name, index) => index % 2 === 0 && /^cache-control$/i.test(String(name)));
  return at === -1 ? undefined : headers[at + 1];
}

/** A listener of a server with such responses. */
export type GatedListener = (incoming: IncomingMessage, outgoing: GatedResponse) => void;
