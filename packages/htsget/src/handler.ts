import {
  ifRangeMatches,
  type PlainResponse,
  parseRangeHeader,
  preflightHeaders,
  toContentRange,
  toResponse,
  withDataHeaders,
} from '@htskit/http';
import { queryParameters, RequestBodyError, readJsonBody } from '@htskit/http/internal';
import { loopTurns, startByteStream } from '@htskit/io/internal';
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
} from '@htskit/protocol';
import { AccessRecorder } from './access/access-recorder.js';
import { checkPermission } from './access/permission.js';
import { readRecipient } from './encrypt/recipient.js';
import { answeredFormats } from './file/stored-file.js';
import type { ObjectName } from './hooks.js';
import type { HtsgetOptions } from './options.js';
import { type HtsgetPath, parseHtsgetPath } from './path.js';
import {
  errorResponse,
  formatAllow,
  jsonResponse,
  methodNotAllowed,
  rangeNotSatisfiable,
  toHtsgetError,
} from './response.js';
import { HtsgetService } from './service.js';

/** QUERY is answered as POST, which it is the safe form of (RFC 10008; proposed as hts-specs 866). */
const ALL_METHODS = ['GET', 'HEAD', 'POST', 'QUERY'] as const;

const METHODS: Readonly<Record<HtsgetPath['kind'], readonly string[]>> = {
  ticket: ALL_METHODS,
  'service-info': ['GET', 'HEAD'],
  block: ['GET', 'HEAD'],
  unknown: ALL_METHODS,
};

/**
 * Creates a fetch-style handler of htsget 1.3.1: `/reads/…`, `/variants/…` and `/blocks/…` relative to where it is mounted.
 * Every answer is a Response, and every failure has the protocol's error body. Throws RangeError for invalid options.
 *
 * @example
 * const handler = createHtsgetHandler({
 *   publicUrl: 'https://data.example.org',
 *   resolve: async (id) => {
 *     if (id !== 'NA12878') return undefined;
 *     return [{ format: 'BAM', data: fileSource('NA12878.bam'), index: fileSource('NA12878.bam.bai') }];
 *   },
 * });
 * const response = await handler(new Request('http://localhost/reads/NA12878?referenceName=chr1'));
 */
export function createHtsgetHandler(options: HtsgetOptions): (request: Request) => Promise<Response> {
  const handle = createPlainHtsgetHandler(options);
  return async (request) => toResponse(await handle(request));
}

/** Answers a request. A caller that has classified the path already may pass it. */
export type PlainHtsgetHandler = (request: Request, path?: HtsgetPath) => Promise<PlainResponse>;

/** Like `createHtsgetHandler`, for servers that take plain responses: see `PlainResponse` of `@htskit/http`. */
export function createPlainHtsgetHandler(options: HtsgetOptions): PlainHtsgetHandler {
  const service = new HtsgetService(options);
  return async (request, knownPath) => {
    const path = knownPath ?? parseHtsgetPath(new URL(request.url).pathname, options.prefix);
    if (request.method === 'OPTIONS') return answerOptions(request, methodsOf(path, options));
    const recorder = createRecorder(service, request, path);
    const context = { service, options, request, path, recorder };
    const response: PlainResponse = await answer(context).catch((error: unknown) => answerError(error, context));
    recorder?.respond(response.status, { isStream: response.body instanceof ReadableStream });
    return withDataHeaders(response, request);
  };
}

interface HandlerContext {
  readonly service: HtsgetService;
  readonly options: HtsgetOptions;
  readonly request: Request;
  readonly path: HtsgetPath;
  readonly recorder: AccessRecorder | undefined;
}

/** Creates the recorder of a request for a ticket or a block, if the embedder listens to events. */
function createRecorder({ hooks }: HtsgetService, request: Request, path: HtsgetPath): AccessRecorder | undefined {
  if (!hooks.hasListener || (path.kind !== 'ticket' && path.kind !== 'block')) return undefined;
  const recorder = new AccessRecorder(path.kind, request, (event) => hooks.event(event));
  if (path.kind === 'ticket') recorder.object = { datatype: path.datatype, id: path.id };
  return recorder;
}

/** A preflight is accepted for every method and path, so that scripts can read the error that the request gets. */
function answerOptions(request: Request, methods: readonly string[]): Response {
  const headers = { allow: formatAllow(methods), ...preflightHeaders(request, ALL_METHODS) };
  return new Response(null, { status: 204, headers });
}

async function answer(context: HandlerContext): Promise<PlainResponse> {
  const { options, request, path } = context;
  if (path.kind === 'unknown') throw new HtsgetError('NotFound', path.message);
  const methods = methodsOf(path, options);
  if (!methods.includes(request.method)) return methodNotAllowed(request.method, methods);
  if (path.kind === 'block') return answerBlock(path.token, context);
  const authority = negotiateAuthority(request.headers.get('accept'), options.authority ?? DEFAULT_AUTHORITY);
  const document =
    path.kind === 'service-info'
      ? createServiceInfo(path.datatype, authority, options)
      : await createTicket(path, context);
  return jsonResponse(document, {
    method: request.method,
    contentType: htsgetMediaType(authority),
    // A ticket's URLs expire, and its media type depends on Accept.
    headers: { 'cache-control': 'no-store', vary: 'Accept' },
  });
}

function methodsOf({ kind }: HtsgetPath, { extensions = true }: HtsgetOptions): readonly string[] {
  return extensions ? METHODS[kind] : METHODS[kind].filter((method) => method !== 'QUERY');
}

function createServiceInfo(
  datatype: Datatype,
  authority: Authority,
  { serviceInfo, extensions = true }: HtsgetOptions,
): HtsgetServiceInfo {
  return htsgetServiceInfo({
    ...serviceInfo,
    // A registry of services has one entry for each id.
    ...(serviceInfo?.id !== undefined && { id: `${serviceInfo.id}.${datatype}` }),
    authority,
    datatype,
    formats: answeredFormats(datatype),
    // Effective for BAM, VCF and BCF. CRAM is always sent with everything.
    fieldsParameterEffective: datatype === 'reads',
    tagsParametersEffective: true,
    ...(extensions && {
      samplesParameterEffective: true,
      readFiltersEffective: datatype === 'reads',
      filteredFormats: answeredFormats(datatype).filter((format) => format !== 'CRAM'),
      encryptionSchemes: ['crypt4gh'],
    }),
  });
}

async function createTicket(
  { id, datatype }: ObjectName,
  { service, options, request, recorder }: HandlerContext,
): Promise<Ticket> {
  const allowed =
    options.authorize === undefined
      ? 'all'
      : await options.authorize({ request, datatype, id, signal: request.signal });
  const { grant: permission, formats, subject, visas } = checkPermission(allowed);
  if (recorder !== undefined) {
    recorder.subject = subject;
    recorder.visas = visas;
    recorder.isRestricted = permission !== 'all';
  }
  let query: HtsgetQuery;
  try {
    query =
      request.method === 'POST' || request.method === 'QUERY'
        ? await parsePost(datatype, { request, service, options })
        : parseHtsgetGet(datatype, queryParameters(request), { extensions: options.extensions });
  } catch (error) {
    // A syntax error precedes an unknown id, and an unknown format follows it.
    if (!(error instanceof HtsgetError) || error.code !== 'UnsupportedFormat') throw error;
    const available = await service.availableFormats(id, datatype, request);
    throw new HtsgetError('UnsupportedFormat', `${error.message}; available: ${available.join(', ')}`);
  }
  if (recorder !== undefined) {
    recorder.format = query.format;
    recorder.regions = query.regions;
  }
  const recipient = query.encryptionScheme === undefined ? undefined : readRecipient(request.headers);
  const client = options.clientOf?.(request);
  return service.ticket(id, query, { permission, formats, subject, visas, recorder, request, client, recipient });
}

/** Parses the body of a POST when the event loop has time: one of the greatest length takes 10 ms. */
async function parsePost(
  datatype: Datatype,
  { request, service, options: { extensions } }: Pick<HandlerContext, 'request' | 'service' | 'options'>,
): Promise<HtsgetQuery> {
  const { postBodyBytes, regions: maxRegions } = service.limits;
  const body = await readBody(request, postBodyBytes);
  await loopTurns.next();
  return parseHtsgetPost(datatype, queryParameters(request), body, { maxRegions, extensions });
}

/** Returns the body as text. Throws PayloadTooLarge beyond `maxBytes`, and InvalidInput if it is not JSON in UTF-8. */
async function readBody(request: Request, maxBytes: number): Promise<string> {
  try {
    return await readJsonBody(request, maxBytes);
  } catch (cause) {
    if (!(cause instanceof RequestBodyError)) throw cause;
    throw new HtsgetError(cause.code === 'TOO_LARGE' ? 'PayloadTooLarge' : 'InvalidInput', cause.message, { cause });
  }
}

const PRIVATE_HEADERS = { 'cache-control': 'private, no-transform' } as const;

/** The headers of a block that everybody may see, until its URL expires. Its bytes never change. */
function publicHeaders(seconds: number): Readonly<Record<string, string>> {
  return {
    'cache-control': `public, max-age=${seconds}, immutable, no-transform`,
    // An answer that varied by origin would be kept once for each site that uses the service.
    'access-control-allow-origin': '*',
  };
}

async function answerBlock(token: string, context: HandlerContext): Promise<PlainResponse> {
  const { service, options, request } = context;
  const client = options.clientOf?.(request);
  const { recorder } = context;
  const { stream, publicSeconds } = await service.block(token, request, { client, recorder });
  const { byteLength, entityTag, bytes, checkVersion } = stream;
  const isRangeable = byteLength !== undefined && ifRangeMatches(request.headers.get('if-range'), entityTag);
  const requested = isRangeable ? parseRangeHeader(request.headers.get('range'), byteLength) : undefined;
  if (byteLength !== undefined && requested?.kind === 'unsatisfiable') {
    return rangeNotSatisfiable(byteLength, request.method);
  }
  // A malformed Range, and one of several ranges, is ignored (RFC 9110 §14.2).
  const range = requested?.kind === 'range' ? requested.range : undefined;
  const length = range === undefined ? byteLength : range.end - range.start;
  const headers = {
    'content-type': 'application/octet-stream',
    ...(publicSeconds === undefined ? PRIVATE_HEADERS : publicHeaders(publicSeconds)),
    'accept-ranges': byteLength === undefined ? 'none' : 'bytes',
    ...(entityTag !== undefined && { etag: entityTag }),
    ...(length !== undefined && { 'content-length': String(length) }),
    ...(range !== undefined && byteLength !== undefined && { 'content-range': toContentRange(range, byteLength) }),
  };
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

function answerError(failure: unknown, context: HandlerContext): PlainResponse {
  const error = toHtsgetError(failure);
  if (error.status >= 500) reportError(failure, context);
  return errorResponse(error, { method: context.request.method });
}

function reportError(error: unknown, { service, path, request }: HandlerContext): void {
  service.hooks.error(error, objectOf(path, service), request.headers.get('x-request-id') ?? undefined);
}

function objectOf(path: HtsgetPath, service: HtsgetService): ObjectName | undefined {
  if (path.kind === 'block') return service.objectOf(path.token);
  return path.kind === 'ticket' ? { datatype: path.datatype, id: path.id } : undefined;
}
