import type { ServerResponse } from 'node:http';
import type { PlainResponse } from '@htskit/http';
import { DATA_HEADERS } from '@htskit/http/internal';
import {
  type Authority,
  HtsgetError,
  RefgetError,
  refgetJsonMediaType,
  toHtsgetErrorBody,
  toRefgetErrorBody,
} from '@htskit/protocol';
import type { StoreGuard } from '@htskit/storage/guard';
import type { RouteOwner } from '../request-route.js';

/** A short response of the server itself, rather than of a protocol. */
export interface TextResponse extends PlainResponse {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends a response with its length. The body is left out for HEAD. */
export function sendText({ status, headers, body }: TextResponse, outgoing: ServerResponse): void {
  outgoing.writeHead(status, { ...DATA_HEADERS, ...headers, 'content-length': String(Buffer.byteLength(body)) });
  outgoing.end(outgoing.req.method === 'HEAD' ? undefined : body);
}

/** Creates a plain-text response, which is never cached. */
export function toTextResponse(status: number, text: string): TextResponse {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
  return { status, headers, body: `${text}\n` };
}

/** Creates the response to `/openapi.json`. */
export function toJsonResponse(body: string, cors: Readonly<Record<string, string>>): TextResponse {
  return { status: 200, headers: { 'content-type': 'application/json', ...cors }, body };
}

/** Reads all metrics as the response to `/metrics`. */
export async function readMetrics(metrics: {
  readonly contentType: string;
  read(): Promise<string>;
}): Promise<TextResponse> {
  const body = await metrics.read();
  const headers = { 'content-type': metrics.contentType, 'cache-control': 'no-store' };
  return { status: 200, headers, body };
}

/** The buckets and web servers that hold files, as `/readyz` and the metrics report them. */
export interface StoresReport {
  readonly stores: readonly Pick<StoreGuard, 'name' | 'state' | 'waitingCount' | 'refusals'>[];
  /** Whether the server can answer anything while no store responds. */
  readonly hasLocal: boolean;
}

/** Creates the response to `/readyz`. Stores that do not respond are named, and fail it only if there is nothing else to serve. */
export function toReadyResponse(
  fault: string | undefined,
  { stores, hasLocal }: StoresReport,
  accept = '',
): TextResponse {
  const down = stores.filter(({ state }) => state === 'open').map(({ name }) => name);
  const isAllDown = !hasLocal && down.length > 0 && down.length === stores.length;
  const reason = fault ?? (isAllDown ? 'no store responds' : undefined);
  const status = reason === undefined ? 200 : 503;
  if (accept.includes('application/json')) {
    const states = stores.map(({ name, state }) => ({ name, state }));
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
    return { status, headers, body: JSON.stringify({ status: reason ?? 'ok', stores: states }) };
  }
  const detail = down.length === 0 ? '' : `; these stores do not respond: ${down.join(', ')}`;
  return toTextResponse(status, `${reason ?? 'ok'}${detail}`);
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
  const { contentType, body } = toBusyBody(owner, authority);
  return {
    status: 503,
    headers: {
      'content-type': contentType,
      'cache-control': 'no-store',
      'retry-after': String(retryAfterSeconds),
      ...cors,
    },
    body: JSON.stringify(body),
  };
}

function toBusyBody(owner: RouteOwner, authority: Authority): { readonly contentType: string; readonly body: object } {
  if (owner === 'refget') {
    const body = toRefgetErrorBody(new RefgetError('Service Unavailable', BUSY));
    return { contentType: refgetJsonMediaType(authority), body };
  }
  if (owner === 'drs') return { contentType: 'application/json', body: { msg: BUSY, status_code: 503 } };
  if (owner === 'seqrepo') {
    const body = { status: 503, title: 'Service Unavailable', detail: BUSY, type: 'about:blank' };
    return { contentType: 'application/problem+json', body };
  }
  const body = toHtsgetErrorBody(new HtsgetError('InternalServerError', BUSY, { status: 503 }));
  return { contentType: 'application/json', body };
}
