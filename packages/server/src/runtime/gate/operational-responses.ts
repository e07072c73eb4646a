import type { ServerResponse } from 'node:http';
import type { PlainResponse } from '@htskit/http';
import {
  type Authority,
  HtsgetError,
  RefgetError,
  refgetJsonMediaType,
  toHtsgetErrorBody,
  toRefgetErrorBody,
} from '@htskit/protocol';
import type { Metrics } from '../metrics/metrics.js';
import type { RouteOwner } from '../request-route.js';
import { type CorsOrigins, originHeaders } from '../service/handlers.js';
import type { InFlightRequest } from './in-flight-request.js';

/** A short response of the server itself, rather than of a protocol. */
export interface TextResponse extends PlainResponse {
  readonly body: string;
}

/** Sends a response with its length. The body is left out for HEAD. */
export function sendText({ status, headers, body }: TextResponse, outgoing: ServerResponse): void {
  outgoing.writeHead(status, { ...Object.fromEntries(headers), 'content-length': String(Buffer.byteLength(body)) });
  outgoing.end(outgoing.req.method === 'HEAD' ? undefined : body);
}

/** Creates a plain-text response, which is never cached. */
export function toTextResponse(status: number, text: string): TextResponse {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
  return { status, headers: new Headers(headers), body: `${text}\n` };
}

/** Creates the response to `/openapi.json`. */
export function toJsonResponse(body: string, cors: Readonly<Record<string, string>>): TextResponse {
  return { status: 200, headers: new Headers({ 'content-type': 'application/json', ...cors }), body };
}

/** Reads all metrics as the response to `/metrics`. */
export async function readMetrics(metrics: Metrics): Promise<TextResponse> {
  const body = await metrics.read();
  const headers = { 'content-type': metrics.contentType, 'cache-control': 'no-store' };
  return { status: 200, headers: new Headers(headers), body };
}

/** Supervisors request these all the time, so that only failures are logged. */
export const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** The settings of the operational paths. */
export interface OperationalOptions {
  readonly metrics?: Metrics | undefined;
  /** Whether `/metrics` is a path of this server. Default: whether there are metrics. */
  readonly isMetricsPath?: boolean | undefined;
  /** The document that `/openapi.json` returns. Without it, that path is passed to the listener. */
  readonly openApi?: object | undefined;
}

/** The state that the responses depend on. */
interface OperationalState {
  readonly origins: CorsOrigins;
  /** Which limit of load is exceeded. */
  readonly fault: string | undefined;
}

/** Answers probes, `/metrics` and `/openapi.json`, which are never shed. */
export class OperationalPaths {
  state: 'starting' | 'ready' | 'draining' = 'starting';
  /** The JSON that `/openapi.json` returns. */
  openApi: string | undefined;
  readonly #metrics: Metrics | undefined;
  readonly #isMetricsPath: boolean;

  constructor({ metrics, isMetricsPath = true, openApi }: OperationalOptions) {
    this.#metrics = metrics;
    this.#isMetricsPath = isMetricsPath;
    this.openApi = openApi && JSON.stringify(openApi);
  }

  /** Returns undefined for every other request. */
  answer(
    { method, route, outgoing }: InFlightRequest,
    gate: OperationalState,
  ): TextResponse | Promise<TextResponse> | undefined {
    if (route.owner !== 'operation' || (method !== 'GET' && method !== 'HEAD')) return undefined;
    switch (route.template) {
      case '/healthz':
        return toTextResponse(200, 'ok');
      case '/readyz': {
        const fault = this.state === 'ready' ? gate.fault : this.state;
        return fault === undefined ? toTextResponse(200, 'ok') : toTextResponse(503, fault);
      }
      case '/metrics':
        return this.#metrics !== undefined && this.#isMetricsPath ? readMetrics(this.#metrics) : undefined;
      case '/openapi.json':
        if (this.openApi === undefined) return undefined;
        return toJsonResponse(this.openApi, originHeaders(outgoing.req.headers.origin, gate.origins));
      default:
        return undefined;
    }
  }
}

export interface RefusalInput {
  readonly owner: RouteOwner;
  readonly authority: Authority;
  /** CORS headers: a script must be able to read `Retry-After`. */
  readonly cors: Readonly<Record<string, string>>;
  readonly retryAfterSeconds: number;
}

const BUSY = 'the server is busy; try again in a moment';

/** Creates the 503 response to a request that is shed, with the error body of its protocol. */
export function toRefusal({ owner, authority, cors, retryAfterSeconds }: RefusalInput): TextResponse {
  const options = { status: 503, retryAfterSeconds };
  const isRefget = owner === 'refget';
  const body = isRefget
    ? toRefgetErrorBody(new RefgetError('Service Unavailable', BUSY, options))
    : toHtsgetErrorBody(new HtsgetError('InternalServerError', BUSY, options));
  return {
    status: 503,
    headers: new Headers({
      'content-type': isRefget ? refgetJsonMediaType(authority) : 'application/json',
      'cache-control': 'no-store',
      'retry-after': String(retryAfterSeconds),
      ...cors,
    }),
    body: JSON.stringify(body),
  };
}
