import {
  createTransport,
  type Fetch,
  HttpError,
  type HttpHeaders,
  readBytes,
  sendRequest,
  type Transport,
  toServerError,
  withRetries,
} from '@htskit/http';
import type { ClockOptions } from '@htskit/io';
import { ConformError } from '../conform-error.js';
import { Answer } from './answer.js';
import type { ProbeRequest } from './probe-request.js';

/** How a run sends its requests. */
export interface ProbeOptions extends ClockOptions {
  /** Default: the global `fetch`. A handler of a service can be called directly: `(url, init) => handler(new Request(url, init))`. */
  readonly fetch?: Fetch;
  /** The bearer token of the requests to the service. Block URLs do not get it. */
  readonly token?: string;
  /** The most bytes that all bodies of a run have together. Default 256 MiB. */
  readonly budgetBytes?: number;
  /** The most bytes of one file, compressed. Default 32 MiB. Of longer ones, a part is compared. */
  readonly fileBytes?: number;
  /** The most requests in a second. Default 20, and without a limit for a service on this machine. */
  readonly requestsPerSecond?: number;
  /** Milliseconds until an answer must begin, and between two parts of it. Default 30,000. */
  readonly timeoutMilliseconds?: number;
  readonly signal?: AbortSignal;
}

const DEFAULT_BUDGET_BYTES = 256 * 1024 * 1024;
const DEFAULT_FILE_BYTES = 32 * 1024 * 1024;
const DEFAULT_REQUESTS_PER_SECOND = 20;
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Sends the requests of a run: one at a time, at a bounded rate, within a byte budget, and each only once. */
export class Probe {
  readonly #transport: Transport;
  readonly #token: string | undefined;
  readonly #intervalMilliseconds: (url: string) => number;
  /** The most bytes of one file. */
  readonly fileBytes: number;
  readonly #answers = new Map<string, Promise<Answer>>();
  #bytesLeft: number;
  #nextTime = 0;

  constructor(options: ProbeOptions = {}) {
    const { token, budgetBytes = DEFAULT_BUDGET_BYTES, fileBytes = DEFAULT_FILE_BYTES, requestsPerSecond } = options;
    // The answer to a request that the service cannot handle is a result, so that only delays that it requests are waited for.
    this.#transport = createTransport({ ...options, retries: 2 });
    this.#token = token;
    this.#bytesLeft = budgetBytes;
    this.fileBytes = fileBytes;
    this.#intervalMilliseconds = (url) => {
      if (requestsPerSecond !== undefined) return 1000 / requestsPerSecond;
      return LOOPBACK.test(new URL(url).hostname) ? 0 : 1000 / DEFAULT_REQUESTS_PER_SECOND;
    };
  }

  /** Milliseconds since 1970-01-01 UTC. */
  now(): number {
    return this.#transport.now();
  }

  /** Whether requests to the service have a token. */
  get hasToken(): boolean {
    return this.#token !== undefined;
  }

  /** The bytes that the run may still receive. */
  get bytesLeft(): number {
    return this.#bytesLeft;
  }

  /**
   * Returns the answer to a request, whatever its status. The same request is sent only once. Fails with `ConformError` NO_ANSWER
   * or BUDGET.
   */
  ask(request: ProbeRequest): Promise<Answer> {
    const { url, method, headers, body, isAuthorized } = request;
    const key = JSON.stringify([url, method, headers ?? {}, body, isAuthorized]);
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const answer = this.#send(request);
    this.#answers.set(key, answer);
    return answer;
  }

  /** Sends a request again, even if its answer is known. */
  askAgain(request: ProbeRequest): Promise<Answer> {
    return this.#send(request);
  }

  async #send(request: ProbeRequest): Promise<Answer> {
    const { url, method = 'GET', headers = {}, body, isAuthorized = true, maxBytes = Infinity } = request;
    const token = isAuthorized ? this.#token : undefined;
    const originHeaders: HttpHeaders = token === undefined ? {} : { authorization: `Bearer ${token}` };
    try {
      return await withRetries(this.#transport, async () => {
        await this.#waitForTurn(url);
        const sent = { url, method, headers, originHeaders, ...(body !== undefined && { body }) };
        const response = await sendRequest(this.#transport, sent);
        if (isDelayed(response)) throw await toServerError(response, this.#transport);
        const limit = Math.min(this.#bytesLeft, maxBytes);
        // The Content-Length of an answer to HEAD is that of the body which GET would have.
        const bytes = method === 'HEAD' ? new Uint8Array() : await readBytes(response, limit, this.#transport);
        this.#bytesLeft -= bytes.length;
        return new Answer(request, response, new Uint8Array(bytes));
      });
    } catch (error) {
      throw toConformError(error, request);
    }
  }

  async #waitForTurn(url: string): Promise<void> {
    const { now, sleep, signal } = this.#transport;
    const time = now();
    const turn = Math.max(time, this.#nextTime);
    this.#nextTime = turn + this.#intervalMilliseconds(url);
    if (turn > time) await sleep(turn - time, signal);
  }
}

/** Returns whether the service asks to come back later. */
function isDelayed({ status, headers }: Response): boolean {
  return (status === 429 || status === 503) && headers.has('retry-after');
}

function toConformError(error: unknown, request: ProbeRequest): unknown {
  if (!(error instanceof HttpError)) return error;
  if (error.code === 'TOO_LARGE') return new ConformError('BUDGET', 'the answer is longer than the byte budget allows');
  // The cause of a failed fetch names the failure of the socket.
  const socket = error.cause instanceof Error && error.cause.cause instanceof Error ? error.cause.cause : undefined;
  const message = socket === undefined ? error.message : `${error.message}: ${socket.message}`;
  return new ConformError('NO_ANSWER', message, { cause: error, request });
}
