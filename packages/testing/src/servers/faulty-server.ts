import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Deferred, deferred } from '../deferred.js';
import { answerRange, type RangeAnswer, type ServedObject, send } from './http-range.js';

/** A fault in the response to one request. */
export type Fault =
  /** No fault. */
  | { readonly kind: 'none' }
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** The connection is reset or stalls after `after` bytes of the body, or before the response if that is undefined. */
  | { readonly kind: 'reset' | 'stall'; readonly after?: number }
  /** The body has no declared length and is `bytes` bytes too short or too long. */
  | { readonly kind: 'short' | 'long'; readonly bytes: number }
  /** Headers are replaced, or removed if undefined. */
  | { readonly kind: 'headers'; readonly headers: Readonly<Record<string, string | undefined>> }
  /** The Range header is ignored. */
  | { readonly kind: 'whole' };

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** The client's port, which identifies the connection. */
  readonly port: number;
}

/** Longer than what a client buffers before it is read. */
const REFUSAL = Buffer.alloc(60_000, 'no ');

/** Serves one object with ranges at every path except `/missing`, on loopback, with the faults that a test requests. */
export class FaultyServer {
  /** May be replaced at any time. Responses that are in progress are not affected. */
  object: ServedObject;
  /** The requests received so far. */
  readonly requests: SeenRequest[] = [];
  readonly #server: Server;
  readonly #faults: Fault[] = [];
  readonly #stalled: Deferred<void> = deferred();

  private constructor(object: ServedObject) {
    this.object = object;
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  static async start(object: ServedObject): Promise<FaultyServer> {
    const server = new FaultyServer(object);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get origin(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  /** Resolves when the first stall has begun. */
  get stalled(): Promise<void> {
    return this.#stalled.promise;
  }

  /** Applies these faults to the next requests, one each. */
  fail(...faults: readonly Fault[]): void {
    this.#faults.push(...faults);
  }

  /** Drops the remaining faults. */
  recover(): void {
    this.#faults.length = 0;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url: path = '', headers, socket } = request;
    this.requests.push({ method, path, headers, port: socket.remotePort ?? 0 });
    const fault = this.#faults.shift() ?? { kind: 'none' };
    if (path === '/missing') send(request, response, { status: 404, headers: {}, body: Buffer.from('no such object') });
    else this.#fail(fault, { request, response, answer: answerRange(request, this.object) });
  }

  #fail(fault: Fault, { request, response, answer }: FaultyExchange): void {
    switch (fault.kind) {
      case 'none':
        send(request, response, answer);
        break;
      case 'status':
        send(request, response, { status: fault.status, headers: { ...fault.headers }, body: REFUSAL });
        break;
      case 'reset':
        interrupt(fault.after, { response, answer }, () => response.socket?.resetAndDestroy());
        break;
      case 'stall':
        interrupt(fault.after, { response, answer }, () => this.#stalled.resolve());
        break;
      case 'short':
      case 'long':
        sendOtherLength(fault, { response, answer });
        break;
      case 'headers':
        send(request, response, { ...answer, headers: replaceHeaders(answer.headers, fault.headers) });
        break;
      case 'whole':
        send(request, response, { status: 200, headers: { ...this.object.headers }, body: this.object.bytes });
        break;
    }
  }
}

interface FaultyExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly answer: RangeAnswer;
}

/** Sends the headers and `after` bytes of the body, or nothing at all, before it interrupts the answer. */
function interrupt(
  after: number | undefined,
  { response, answer }: Omit<FaultyExchange, 'request'>,
  stop: () => void,
): void {
  if (after === undefined) {
    stop();
    return;
  }
  response.writeHead(answer.status, { ...answer.headers });
  response.flushHeaders();
  if (after === 0) stop();
  else response.write(answer.body.subarray(0, after), stop);
}

function sendOtherLength(
  { kind, bytes }: { readonly kind: 'short' | 'long'; readonly bytes: number },
  { response, answer }: Omit<FaultyExchange, 'request'>,
): void {
  const { body } = answer;
  const other = kind === 'short' ? body.subarray(0, body.length - bytes) : Buffer.concat([body, Buffer.alloc(bytes)]);
  const headers = replaceHeaders(answer.headers, { 'content-length': undefined });
  response.writeHead(answer.status, headers).write(other);
  // Ending separately prevents Node from declaring the length.
  response.end();
}

function replaceHeaders(
  headers: RangeAnswer['headers'],
  replacements: Readonly<Record<string, string | undefined>>,
): Record<string, string | number> {
  const replaced: Record<string, string | number> = { ...headers };
  for (const [name, value] of Object.entries(replacements)) {
    if (value === undefined) delete replaced[name];
    else replaced[name] = value;
  }
  return replaced;
}
