import { sha512t24u } from '@htskit/digest';
import type { AccessEvent } from '@htskit/htsget';
import {
  AccessRecorder,
  checkPermission,
  errorResponse,
  formatAllow,
  Hooks,
  methodNotAllowed,
  toHtsgetError,
  toTransientError,
} from '@htskit/htsget/internal';
import {
  ifRangeMatches,
  matchesIfNoneMatch,
  type PlainResponse,
  parseRangeHeader,
  preflightHeaders,
  toContentRange,
  toResponse,
  withDataHeaders,
} from '@htskit/http';
import { isHeaders, queryParameters } from '@htskit/http/internal';
import { type ByteSource, readChunks } from '@htskit/io';
import { startByteStream } from '@htskit/io/internal';
import { type Datatype, HtsgetError, negotiateMediaType } from '@htskit/protocol';
import type { CoverageOptions } from './coverage-options.js';
import { type CoveragePath, parseCoveragePath } from './coverage-path.js';
import { datatypeOf, parseCoverageQuery } from './coverage-query.js';
import { type CoverageDocument, type CoverageObject, CoverageService, toProtocolError } from './coverage-service.js';

const METHODS = ['GET', 'HEAD'] as const;
const [JSON_TYPE, FLOATS_TYPE] = ['application/json', 'application/octet-stream'];
/** The headers of answers, which depend on the token of the request. */
const CACHE_HEADERS = { 'cache-control': 'private, no-cache', vary: 'Accept, Authorization' };

/**
 * Creates a fetch-style handler of the coverage of objects: `/coverage/ID?referenceName=…&start=…&end=…&bins=…` and `/coverage/ID.bw`
 * relative to where it is mounted. Failures have the error bodies of htsget.
 *
 * @example
 * ```ts
 * import { createCoverageHandler } from '@htskit/coverage/handler';
 * import { fileSource } from '@htskit/storage/file';
 *
 * const handler = createCoverageHandler({
 *   resolve: async (id) =>
 *     id === 'NA12878'
 *       ? [{ format: 'BAM', data: fileSource('NA12878.bam'), index: fileSource('NA12878.bam.bai') }]
 *       : undefined,
 * });
 * const response = await handler(new Request('http://localhost/coverage/NA12878?referenceName=chr1&bins=500'));
 * ```
 */
export function createCoverageHandler(options: CoverageOptions): (request: Request) => Promise<Response> {
  const handle = createPlainCoverageHandler(options);
  return async (request) => toResponse(await handle(request));
}

/** Answers a request. A caller that has classified the path already may pass it. */
export type PlainCoverageHandler = (request: Request, path?: CoveragePath) => Promise<PlainResponse>;

/** Like `createCoverageHandler`, for servers that take plain responses: see `PlainResponse` of `@htskit/http`. */
export function createPlainCoverageHandler(options: CoverageOptions): PlainCoverageHandler {
  const { onEvent, onError } = options;
  const hooks = new Hooks({
    ...(onEvent !== undefined && { onEvent: (event) => onEvent(event as AccessEvent) }),
    ...(onError !== undefined && { onError }),
  });
  const service = new CoverageService(options, (error) => hooks.error(error, undefined, undefined));
  return async (request, knownPath) => {
    const path = knownPath ?? parseCoveragePath(new URL(request.url).pathname, options.prefix);
    if (request.method === 'OPTIONS') {
      const headers = { allow: formatAllow(METHODS), ...preflightHeaders(request, METHODS) };
      return new Response(null, { status: 204, headers });
    }
    const recorder = new AccessRecorder('coverage', request, (event) => hooks.event(event));
    const context = { service, options, hooks, request, path, recorder };
    const response = await answer(context)
      .catch(toTransientError)
      .catch((error: unknown) => answerError(error, context));
    if (path.kind !== 'unknown') recorder.respond(response.status, { isStream: false });
    return withDataHeaders(response, request);
  };
}

interface HandlerContext {
  readonly service: CoverageService;
  readonly options: CoverageOptions;
  readonly hooks: Hooks;
  readonly request: Request;
  readonly path: CoveragePath;
  readonly recorder: AccessRecorder;
}

async function answer(context: HandlerContext): Promise<PlainResponse> {
  const { service, request, path, recorder } = context;
  if (path.kind === 'unknown') throw new HtsgetError('NotFound', path.message);
  if (!METHODS.some((method) => method === request.method)) return methodNotAllowed(request.method, METHODS);
  const parameters = queryParameters(request);
  const datatype = path.kind === 'bigWig' ? 'reads' : datatypeOf(parameters);
  const object = await authorize({ id: path.id, datatype }, context);
  if (path.kind === 'bigWig') return answerBigWig(object, context);
  const query = parseCoverageQuery(parameters, service.limits.bins);
  recorder.regions = [query.region];
  return recordLength(answerBins(await service.bins(object, query), request), recorder);
}

/** Returns the object with what the request may see of it. Throws `HtsgetError` if it may see nothing of it. */
async function authorize(
  { id, datatype }: { readonly id: string; readonly datatype: Datatype },
  { options, request, recorder }: HandlerContext,
): Promise<CoverageObject> {
  const { signal, headers } = request;
  recorder.object = { datatype, id };
  const { authorize } = options;
  const allowed = authorize === undefined ? 'all' : await authorize({ request, datatype, id, signal });
  const { grant: permission, subject, visas } = checkPermission(allowed);
  recorder.subject = subject;
  recorder.visas = visas;
  recorder.isRestricted = permission !== 'all';
  return { id, datatype, permission, signal, headers };
}

/** Records the number of bytes of the body. */
function recordLength(response: PlainResponse, recorder: AccessRecorder): PlainResponse {
  const { headers, body } = response;
  recorder.plannedBytes = body === null || isHeaders(headers) ? 0 : Number(headers['content-length'] ?? 0);
  return response;
}

interface EncodedDocument {
  readonly body: Uint8Array;
  readonly entityTag: string;
}

/** The encoded documents that are cached: to encode one of 500 bins takes longer than everything else. */
const encoded = { json: new WeakMap<object, EncodedDocument>(), floats: new WeakMap<object, EncodedDocument>() };

function encode(document: CoverageDocument, isBinary: boolean): EncodedDocument {
  const cache = isBinary ? encoded.floats : encoded.json;
  const known = cache.get(document);
  if (known !== undefined) return known;
  const body = isBinary ? toFloats(document) : new TextEncoder().encode(JSON.stringify(document, roundValues));
  const result = { body, entityTag: `"${sha512t24u(body)}"` };
  cache.set(document, result);
  return result;
}

function answerBins(document: CoverageDocument, { headers, method }: Request): PlainResponse {
  const isBinary = negotiateMediaType(headers.get('accept'), [JSON_TYPE, FLOATS_TYPE]) === FLOATS_TYPE;
  const { body, entityTag } = encode(document, isBinary);
  const common = { ...CACHE_HEADERS, etag: entityTag };
  if (matchesIfNoneMatch(headers.get('if-none-match'), entityTag)) return { status: 304, headers: common, body: null };
  const contentType = isBinary ? `${FLOATS_TYPE}; estimated=${document.estimated}` : JSON_TYPE;
  const described = { ...common, 'content-type': contentType, 'content-length': String(body.length) };
  return { status: 200, headers: described, body: method === 'HEAD' ? null : body };
}

/** Returns the means or counts as 32-bit floating-point numbers, little-endian. */
function toFloats({ mean, counts }: CoverageDocument): Uint8Array {
  const values = mean ?? counts ?? [];
  const view = new DataView(new ArrayBuffer(4 * values.length));
  for (let i = 0; i < values.length; i++) view.setFloat32(4 * i, values[i] ?? 0, true);
  return new Uint8Array(view.buffer);
}

/** Depths have six digits: a 32-bit number has no more, and its exact decimal digits take twice as long. */
function roundValues(_: string, value: unknown): unknown {
  if (!ArrayBuffer.isView(value)) return value;
  return Array.from(value as Float32Array, (number) => Number(number.toPrecision(6)));
}

async function answerBigWig(object: CoverageObject, context: HandlerContext): Promise<PlainResponse> {
  const { service, request, recorder } = context;
  if (object.permission !== 'all') {
    throw new HtsgetError(
      'PermissionDenied',
      'access is limited to a part of this object, and the coverage of the whole file shows the rest',
    );
  }
  const summary = await service.summary(object);
  if (summary === undefined) throw new HtsgetError('NotFound', 'the coverage of this object is not computed');
  return recordLength(await sendSource(summary, request, (error) => reportError(error, context)), recorder);
}

/** Sends a source, or the range of it that is requested. */
async function sendSource(
  source: ByteSource,
  { headers, method, signal }: Request,
  onError: (error: unknown) => void,
): Promise<PlainResponse> {
  const { size, version } = await source.stat({ signal });
  const entityTag =
    version === undefined ? undefined : `"${sha512t24u(new TextEncoder().encode(`${source.key}\n${version}`))}"`;
  const common = { ...CACHE_HEADERS, 'accept-ranges': 'bytes', ...(entityTag !== undefined && { etag: entityTag }) };
  if (entityTag !== undefined && matchesIfNoneMatch(headers.get('if-none-match'), entityTag)) {
    return { status: 304, headers: common, body: null };
  }
  const applies = ifRangeMatches(headers.get('if-range'), entityTag);
  const requested = applies ? parseRangeHeader(headers.get('range'), size) : undefined;
  if (requested?.kind === 'unsatisfiable') {
    const error = new HtsgetError('InvalidRange', `the file has ${size} bytes`, { status: 416 });
    return errorResponse(error, { method, headers: { 'content-range': toContentRange(undefined, size) } });
  }
  const range = requested?.kind === 'range' ? requested.range : undefined;
  const { start, end } = range ?? { start: 0, end: size };
  const described = {
    ...common,
    'content-type': FLOATS_TYPE,
    'content-length': String(end - start),
    ...(range !== undefined && { 'content-range': toContentRange(range, size) }),
  };
  const status = range === undefined ? 200 : 206;
  if (method === 'HEAD') return { status, headers: described, body: null };
  return {
    status,
    headers: described,
    body: await startByteStream(readChunks(source.stream({ start, end }, { version, signal })), onError),
  };
}

function answerError(failure: unknown, context: HandlerContext): PlainResponse {
  const error = toHtsgetError(toProtocolError(failure));
  if (error.status >= 500) reportError(failure, context);
  return errorResponse(error, { method: context.request.method });
}

function reportError(error: unknown, { hooks, request, recorder }: HandlerContext): void {
  if (!request.signal.aborted) hooks.error(error, recorder.object, request.headers.get('x-request-id') ?? undefined);
}
