import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Deferred, deferred } from './deferred.js';
import { answerRange, type RangeAnswer, type ServedObject, send } from './http-range.js';

/** What is wrong with the answer to one request. */
export type Fault =
  /** Nothing. */
  | { readonly kind: 'none' }
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** The connection breaks, or nothing more comes, behind `after` bytes of the body; without it, before any answer. */
  | { readonly kind: 'reset' | 'stall'; readonly after?: number }
  /** The body, of no declared length, has `bytes` bytes fewer or more than it should. */
  | { readonly kind: 'short' | 'long'; readonly bytes: number }
  /** Headers are not as they should be; undefined ones are left out. */
  | { readonly kind: 'headers'; readonly headers: Readonly<Record<string, string | undefined>> }
  /** The range is not looked at. */
  | { readonly kind: 'whole' };

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** Of the client: tells connections apart. */
  readonly port: number;
}

/** More than a client buffers before anybody reads it. */
const REFUSAL = Buffer.alloc(60_000, 'no ');

/** Serves one object at any path but `/missing`, by ranges, on loopback, and fails as it is told. */
export class FaultyServer {
  /** Replaced at any time: what is being sent stays as it is. */
  object: ServedObject;
  /** Those that came so far. */
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

  /** Settled when the first stall has begun. */
  get stalled(): Promise<void> {
    return this.#stalled.promise;
  }

  /** The next requests get these answers, one each. */
  fail(...faults: readonly Fault[]): void {
    this.#faults.push(...faults);
  }

  /** Forgets the faults that are left. */
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

  #fail(fault: Fault, { request, response, answer }: Exchange): void {
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

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly answer: RangeAnswer;
}

/** Sends the headers and `after` bytes of the body, or nothing at all, before it interrupts the answer. */
function interrupt(after: number | undefined, { response, answer }: Omit<Exchange, 'request'>, stop: () => void): void {
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
  { response, answer }: Omit<Exchange, 'request'>,
): void {
  const { body } = answer;
  const other = kind === 'short' ? body.subarray(0, body.length - bytes) : Buffer.concat([body, Buffer.alloc(bytes)]);
  const headers = replaceHeaders(answer.headers, { 'content-length': undefined });
  response.writeHead(answer.status, headers).write(other);
  // Written apart, so that no length is declared.
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
