import { sha512t24u } from '@htskit/digest';
import { matchesIfNoneMatch, type PlainResponse, preflightHeaders, toResponse, withDataHeaders } from '@htskit/http';
import { queryParameters, toAsciiJson } from '@htskit/http/internal';
import { encodeText } from '@htskit/io';
import { RefgetError } from '@htskit/protocol';
import type { BaseRange, Sequence } from '@htskit/sequences';
import { cacheControl, methodNotAllowed, toRefgetError } from '../json-response.js';
import { type RefgetObject, type RefgetOptions, type RefgetSettings, withDefaults } from '../options.js';
import { METHODS } from '../route.js';
import { toSequenceBody } from '../slice/sequence-body.js';
import { SliceMemory } from '../slice/slice-memory.js';
import { findAlias } from './find-alias.js';
import { toSeqRepoMetadata } from './seqrepo-metadata.js';
import { parseSeqRepoPath, type SeqRepoPath } from './seqrepo-path.js';

/** Those of `createRefgetHandler`. The object that a hook gets is the sequence, by the alias that the client sent. */
export interface SeqRepoOptions extends Pick<RefgetOptions, 'authorize' | 'catalogue' | 'limits' | 'onError'> {
  /** Path that the handler is mounted at, which clients have in their URL. Default `/seqrepo`. */
  readonly prefix?: string;
  /** The version of the service, which `/1/ping` names. */
  readonly version?: string;
}

/** Answers a request. A caller that has classified the path already may pass it. */
export type PlainSeqRepoHandler = (request: Request, path?: SeqRepoPath) => Promise<PlainResponse>;

/**
 * Creates a fetch-style handler that answers as the REST service of SeqRepo does: `/seqrepo/1/ping`, `/seqrepo/1/sequence/{alias}` and
 * `/seqrepo/1/metadata/{alias}`. Sequences are found by their digests and by the names of their naming authorities.
 *
 * Throws RangeError for a limit that is not a whole number and for a prefix without a leading slash.
 *
 * @example
 * const sequences = await openFasta({ data: fileSource('transcripts.fa'), namingAuthority: 'refseq' });
 * const handle = createSeqRepoHandler({ catalogue: createCatalogue(sequences) });
 * Deno.serve(handle);
 */
export function createSeqRepoHandler(options: SeqRepoOptions): (request: Request) => Promise<Response> {
  const handle = createPlainSeqRepoHandler(options);
  return async (request) => toResponse(await handle(request));
}

/** Like `createSeqRepoHandler`, for servers that take a `PlainResponse`, as @htskit/adapters does. */
export function createPlainSeqRepoHandler(options: SeqRepoOptions): PlainSeqRepoHandler {
  const { prefix = '/seqrepo', version = '' } = options;
  const settings = withDefaults({ ...options, prefix });
  return async (request, knownPath) => {
    const path = knownPath ?? parseSeqRepoPath(new URL(request.url).pathname, prefix);
    if (request.method === 'OPTIONS') {
      const headers = { ...preflightHeaders(request, METHODS), allow: METHODS.join(', ') };
      return new Response(null, { status: 204, headers });
    }
    const object = path === undefined || path.kind === 'ping' ? undefined : toObject(path);
    const answered = await answer(path, { request, settings, version }).catch((failure: unknown) => {
      const error = toRefgetError(failure);
      if (error.status >= 500 && !request.signal.aborted) settings.onError(failure, object, request);
      return toErrorResponse(error);
    });
    const response = withDataHeaders(answered, request);
    return request.method === 'HEAD' ? { status: response.status, headers: response.headers, body: null } : response;
  };
}

interface Context {
  readonly request: Request;
  readonly settings: RefgetSettings;
  readonly version: string;
}

const toObject = ({ alias }: Extract<SeqRepoPath, { alias: string }>): RefgetObject => ({
  resource: 'sequence',
  id: alias,
});

async function answer(path: SeqRepoPath | undefined, { request, settings, version }: Context): Promise<PlainResponse> {
  if (path === undefined) return toProblem({ status: 404, title: 'Not Found', detail: 'no resource at this path' });
  if (!METHODS.includes(request.method)) throw methodNotAllowed(METHODS);
  if (path.kind === 'ping') {
    return toJson({ dependencies: {}, url: 'https://github.com/htskit/htskit', version });
  }
  const range = parseRange(request, path.kind === 'sequence' ? ['start', 'end'] : []);
  if ('problem' in range) return toProblem(range.problem);
  if (!settings.isPublic) await settings.authorize(request, toObject(path));
  const [sequence, ...others] = await findAlias(settings.catalogue, path.alias);
  if (sequence === undefined) throw new RefgetError('Not Found', 'there is no sequence with this alias');
  if (others.length > 0) return toProblem(unprocessable(`Multiple sequences exist for alias '${path.alias}'`));
  return path.kind === 'metadata'
    ? answerMetadata(sequence, { request, settings })
    : answerSequence(sequence, { request, settings, range, object: toObject(path) });
}

interface Problem {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
}

/** Half-open, as the client sent it. */
interface RequestedRange {
  readonly start: number;
  readonly end: number;
}

const unprocessable = (detail: string): Problem => ({ status: 422, title: 'Unprocessable Entity', detail });
const badRequest = (detail: string): Problem => ({ status: 400, title: 'Bad Request', detail });

/** Parses `start` and `end`. The last of several values counts. */
function parseRange(request: Request, known: readonly string[]): RequestedRange | { readonly problem: Problem } {
  const values = new Map(queryParameters(request));
  const extra = [...values.keys()].filter((name) => !known.includes(name));
  if (extra.length > 0) return { problem: badRequest(`Extra query parameter(s) ${extra.join(', ')} not in spec`) };
  for (const [name, value] of values) {
    if (!/^\d+$/.test(value)) return { problem: badRequest(`expected a whole number for query parameter '${name}'`) };
  }
  const [start, end] = [Number(values.get('start') ?? 0), Number(values.get('end') ?? Infinity)];
  return start > end ? { problem: unprocessable('Invalid coordinates: start > end') } : { start, end };
}

interface AnswerOptions extends Omit<Context, 'version'> {
  readonly range: RequestedRange;
  readonly object: RefgetObject;
}

/** Answers with the bases of a range, as far as the sequence has them. */
async function answerSequence(
  sequence: Sequence,
  { request, settings, range, object }: AnswerOptions,
): Promise<PlainResponse> {
  const { metadata } = sequence;
  const start = Math.min(range.start, metadata.length);
  const end = Math.min(range.end, metadata.length);
  const { subsequence } = settings.limits;
  if (subsequence > 0 && end - start > subsequence && end - start < metadata.length) {
    return toProblem(unprocessable(`more than ${subsequence} bases are requested`));
  }
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': String(end - start),
    ...cachingOf(metadata.sha512t24u, settings),
  };
  if (matchesIfNoneMatch(request.headers.get('if-none-match'), headers.etag))
    return { status: 304, headers, body: null };
  if (request.method === 'HEAD') return { status: 200, headers, body: null };
  const intervals: readonly BaseRange[] = start < end ? [{ start, end }] : [];
  const onError = (error: unknown): void => {
    if (!request.signal.aborted) settings.onError(error, object, request);
  };
  const memory = new SliceMemory();
  const body = await toSequenceBody(sequence, { intervals, frame: BARE, request, onError, memory });
  const onSent = memory.release;
  return { status: 200, headers, body, ...(onSent !== undefined && { onSent }) };
}

const BARE = { contentType: 'text/plain', prefix: '', suffix: '', lineBases: undefined };

function answerMetadata({ metadata }: Sequence, { request, settings }: Omit<Context, 'version'>): PlainResponse {
  const document = toSeqRepoMetadata(metadata);
  const headers = cachingOf(sha512t24u(encodeText(toAsciiJson(document))), settings);
  if (matchesIfNoneMatch(request.headers.get('if-none-match'), headers.etag))
    return { status: 304, headers, body: null };
  return toJson(document, headers);
}

/** An alias can be given to another sequence, and a sequence can get further aliases. */
function cachingOf(
  tag: string,
  { isPublic }: RefgetSettings,
): { readonly etag: string; readonly 'cache-control': string } {
  return { etag: `"${tag}"`, 'cache-control': cacheControl({ isImmutable: false, isPublic }) };
}

function toJson(document: object, headers: Readonly<Record<string, string>> = {}): PlainResponse {
  const body = toAsciiJson(document);
  const shared = { 'content-type': 'application/json', 'content-length': String(body.length) };
  return { status: 200, headers: { 'cache-control': 'no-cache', ...headers, ...shared }, body };
}

/** Returns an error as RFC 9457 has it. */
function toProblem(problem: Problem, headers: Readonly<Record<string, string>> = {}): PlainResponse {
  const body = toAsciiJson({ ...problem, type: 'about:blank' });
  const shared = { 'content-type': 'application/problem+json', 'content-length': String(body.length) };
  return { status: problem.status, headers: { 'cache-control': 'no-store', ...shared, ...headers }, body };
}

/** An unknown alias has an empty body in SeqRepo. */
function toErrorResponse(error: RefgetError): PlainResponse {
  const { status, code: title, message: detail, challenge, retryAfterSeconds } = error;
  if (status === 404) {
    return { status, headers: { 'cache-control': 'no-store', 'content-length': '0' }, body: null };
  }
  return toProblem(
    { status, title, detail },
    {
      ...(challenge !== undefined && { 'www-authenticate': challenge }),
      ...(status === 405 && { allow: METHODS.join(', ') }),
      ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    },
  );
}
