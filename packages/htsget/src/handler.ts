import {
  corsHeaders,
  ifRangeMatches,
  type PlainResponse,
  parseRangeHeader,
  preflightHeaders,
  toAsciiJson,
  toContentRange,
  toResponse,
} from '@htskit/http';
import { startByteStream } from '@htskit/io';
import {
  type Authority,
  type Datatype,
  DEFAULT_AUTHORITY,
  HtsgetError,
  type HtsgetQuery,
  type HtsgetServiceInfo,
  htsgetMediaType,
  htsgetServiceInfo,
  negotiateAuthority,
  parseHtsgetGet,
  parseHtsgetPost,
  type Ticket,
  toHtsgetErrorBody,
} from '@htskit/protocol';
import { toHtsgetError } from './errors.js';
import type { HtsgetOptions, ObjectName } from './options.js';
import { checkPermission } from './permission.js';
import { readText } from './request-body.js';
import { HtsgetService } from './service.js';

/** What a path below the mount point means. */
type Route =
  | { readonly kind: 'ticket'; readonly datatype: Datatype; readonly id: string }
  | { readonly kind: 'service-info'; readonly datatype: Datatype }
  | { readonly kind: 'block'; readonly token: string }
  /** Nothing, whatever the method. */
  | { readonly kind: 'unknown'; readonly message: string };

const ALL_METHODS = ['GET', 'HEAD', 'POST'] as const;

const METHODS: Readonly<Record<Route['kind'], readonly string[]>> = {
  ticket: ALL_METHODS,
  'service-info': ['GET', 'HEAD'],
  block: ['GET', 'HEAD'],
  unknown: ALL_METHODS,
};

/**
 * A fetch-style handler of the htsget protocol 1.3.1: `/reads/…`, `/variants/…` and `/blocks/…` relative to where it
 * is mounted. Every answer is a Response, every failure has the protocol's error body.
 */
export function createHtsgetHandler(options: HtsgetOptions): (request: Request) => Promise<Response> {
  const handle = createPlainHtsgetHandler(options);
  return async (request) => toResponse(await handle(request));
}

/** As `createHtsgetHandler`, for servers that take plain answers: see `PlainResponse` of `@htskit/protocol`. */
export function createPlainHtsgetHandler(options: HtsgetOptions): (request: Request) => Promise<PlainResponse> {
  const service = new HtsgetService(options);
  return async (request) => {
    if (request.method === 'OPTIONS') return answerOptions(request);
    const context = { service, options, request };
    const response: PlainResponse = await answer(context).catch((error: unknown) => toErrorResponse(error, context));
    const { Vary, ...headers } = corsHeaders(request);
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    if (Vary !== undefined) response.headers.append('vary', Vary);
    return response;
  };
}

interface HandlerContext {
  readonly service: HtsgetService;
  readonly options: HtsgetOptions;
  readonly request: Request;
}

/** A preflight is accepted for every method and path, so that scripts can read the error that the request gets. */
function answerOptions(request: Request): Response {
  const { kind } = parseRoute(new URL(request.url).pathname);
  const headers = { allow: allow(METHODS[kind]), ...preflightHeaders(request, ALL_METHODS) };
  return new Response(null, { status: 204, headers });
}

async function answer(context: HandlerContext): Promise<PlainResponse> {
  const { service, options, request } = context;
  const url = new URL(request.url);
  const route = parseRoute(url.pathname);
  if (route.kind === 'unknown') throw new HtsgetError('NotFound', route.message);
  const methods = METHODS[route.kind];
  if (!methods.includes(request.method)) return methodNotAllowed(request.method, methods);
  if (route.kind === 'block') return answerBlock(route.token, context);
  const authority = negotiateAuthority(request.headers.get('accept'), options.authority ?? DEFAULT_AUTHORITY);
  const document =
    route.kind === 'service-info'
      ? toServiceInfo(service, options, { authority, datatype: route.datatype })
      : await answerTicket(route, url, context);
  return toJsonResponse(document, {
    method: request.method,
    contentType: htsgetMediaType(authority),
    // A ticket's URLs expire, and its media type is the one that Accept names.
    headers: { 'cache-control': 'no-store', vary: 'Accept' },
  });
}

function parseRoute(pathname: string): Route {
  const [, area = '', rest = ''] = /^\/([^/]*)\/(.+)$/.exec(pathname) ?? [];
  if (area === 'blocks') return { kind: 'block', token: rest };
  if (area !== 'reads' && area !== 'variants') return { kind: 'unknown', message: 'there is nothing at this path' };
  if (rest === 'service-info') return { kind: 'service-info', datatype: area };
  const id = decodeId(rest);
  return id === undefined
    ? { kind: 'unknown', message: 'there is no object with that id' }
    : { kind: 'ticket', datatype: area, id };
}

/** Undefined for what could leave a folder, before any storage sees it. */
function decodeId(encoded: string): string | undefined {
  let id: string;
  try {
    id = decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
  const isUnsafe = id.includes('\0') || id.split('/').some((segment) => ['', '.', '..'].includes(segment));
  return isUnsafe ? undefined : id;
}

function toServiceInfo(
  service: HtsgetService,
  options: HtsgetOptions,
  { authority, datatype }: { readonly authority: Authority; readonly datatype: Datatype },
): HtsgetServiceInfo {
  return htsgetServiceInfo({
    ...options.serviceInfo,
    authority,
    datatype,
    formats: service.formats(datatype),
    // Of BAM, VCF and BCF; a CRAM is always sent with everything.
    fieldsParameterEffective: datatype === 'reads',
    tagsParametersEffective: true,
  });
}

async function answerTicket(
  { id, datatype }: { readonly id: string; readonly datatype: Datatype },
  url: URL,
  { service, options, request }: HandlerContext,
): Promise<Ticket> {
  const permission =
    options.authorize === undefined
      ? 'all'
      : await options.authorize({ request, datatype, id, signal: request.signal });
  checkPermission(permission);
  let query: HtsgetQuery;
  try {
    query =
      request.method === 'POST'
        ? parseHtsgetPost(datatype, url.searchParams, await readText(request, service.limits.postBodyBytes))
        : parseHtsgetGet(datatype, url.searchParams);
  } catch (error) {
    // What breaks the syntax is told before an unknown id, an unknown format after it.
    if (!(error instanceof HtsgetError) || error.code !== 'UnsupportedFormat') throw error;
    const available = await service.availableFormats(id, datatype, request);
    throw new HtsgetError('UnsupportedFormat', `${error.message}; available: ${available.join(', ')}`);
  }
  return service.ticket(id, query, { permission, request });
}

async function answerBlock(token: string, context: HandlerContext): Promise<PlainResponse> {
  const { service, request } = context;
  const { byteLength, entityTag, bytes, checkVersion } = await service.block(token, request.signal);
  const isRanged = byteLength !== undefined && ifRangeMatches(request.headers.get('if-range'), entityTag);
  const asked = isRanged ? parseRangeHeader(request.headers.get('range'), byteLength) : undefined;
  if (byteLength !== undefined && asked?.kind === 'unsatisfiable') return rangeNotSatisfiable(byteLength, request);
  // A range that cannot be told apart, or is none, is answered by the whole (RFC 9110 §14.2).
  const range = asked?.kind === 'range' ? asked.range : undefined;
  const length = range === undefined ? byteLength : range.end - range.start;
  const headers = new Headers({
    'content-type': 'application/octet-stream',
    'cache-control': 'private, no-transform',
    'accept-ranges': byteLength === undefined ? 'none' : 'bytes',
    ...(entityTag !== undefined && { etag: entityTag }),
    ...(length !== undefined && { 'content-length': String(length) }),
    ...(range !== undefined && byteLength !== undefined && { 'content-range': toContentRange(range, byteLength) }),
  });
  const status = range === undefined ? 200 : 206;
  if (request.method === 'HEAD') {
    await checkVersion();
    return { status, headers, body: null };
  }
  const body = await startByteStream(bytes(range), (error) => {
    if (!request.signal.aborted) reportError(error, context);
  });
  return { status, headers, body };
}

function rangeNotSatisfiable(byteLength: number, { method }: Request): PlainResponse {
  const error = new HtsgetError('InvalidRange', `the block has ${byteLength} bytes`, { status: 416 });
  return toJsonResponse(toHtsgetErrorBody(error), {
    method,
    contentType: 'application/json',
    status: 416,
    headers: { 'content-range': toContentRange(undefined, byteLength) },
  });
}

function toErrorResponse(failure: unknown, context: HandlerContext): PlainResponse {
  const error = toHtsgetError(failure);
  if (error.status >= 500) reportError(failure, context);
  const { retryAfterSeconds, challenge } = error;
  return toJsonResponse(toHtsgetErrorBody(error), {
    method: context.request.method,
    contentType: 'application/json',
    status: error.status,
    headers: {
      ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
      ...(challenge !== undefined && { 'www-authenticate': challenge }),
    },
  });
}

function reportError(error: unknown, { service, options, request }: HandlerContext): void {
  const route = parseRoute(new URL(request.url).pathname);
  try {
    options.onError?.(error, route.kind === 'block' ? service.objectOf(route.token) : objectOf(route));
  } catch {
    // There is nobody left to tell.
  }
}

function objectOf(route: Route): ObjectName | undefined {
  return route.kind === 'ticket' ? { datatype: route.datatype, id: route.id } : undefined;
}

function methodNotAllowed(method: string, methods: readonly string[]): PlainResponse {
  const error = new HtsgetError('InvalidInput', `${method} is not answered here`, { status: 405 });
  return toJsonResponse(toHtsgetErrorBody(error), {
    contentType: 'application/json',
    status: 405,
    headers: { allow: allow(methods) },
  });
}

function allow(methods: readonly string[]): string {
  return [...methods, 'OPTIONS'].join(', ');
}

interface JsonResponseOptions {
  readonly contentType: string;
  readonly method?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

function toJsonResponse(
  document: object,
  { contentType, method, status = 200, headers }: JsonResponseOptions,
): PlainResponse {
  const body = toAsciiJson(document);
  return {
    status,
    headers: new Headers({ 'content-type': contentType, 'content-length': String(body.length), ...headers }),
    body: method === 'HEAD' ? null : body,
  };
}
