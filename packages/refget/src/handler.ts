import { parseSequenceIdentifier } from '@htskit/digest';
import { type PlainResponse, preflightHeaders, toResponse, withDataHeaders } from '@htskit/http';
import {
  AUTHORITIES,
  type Authority,
  negotiateAuthority,
  negotiateRefgetFormat,
  RefgetError,
  type RefgetFormat,
  refgetJsonMediaType,
  refgetServiceInfo,
  refgetTextMediaType,
} from '@htskit/protocol';
import type { Sequence } from '@htskit/sequences';
import { answerMetadata } from './catalogue/metadata-response.js';
import { answerCollections } from './collection/answer-collections.js';
import { cacheControl, methodNotAllowed, toErrorResponse, toJsonResponse, toRefgetError } from './json-response.js';
import { type RefgetObject, type RefgetOptions, type RefgetSettings, withDefaults } from './options.js';
import {
  METHODS,
  methodsOf,
  parseRefgetPath,
  type RefgetPath,
  refgetObjectOf,
  type SequenceRoute,
  unknownPath,
} from './route.js';
import { answerSequence } from './slice/sequence-response.js';

/** The formats of each resource, the default first. */
const FORMATS: Readonly<Record<SequenceRoute['kind'], readonly RefgetFormat[]>> = {
  'service-info': ['json'],
  metadata: ['json'],
  sequence: ['plain', 'json', 'fasta'],
};

interface Context {
  readonly request: Request;
  readonly authority: Authority;
  /** The object that the request names. */
  readonly object: RefgetObject | undefined;
}

/**
 * Creates a fetch-style handler of refget 2.0.0: `/sequence/{id}`, `/sequence/{id}/metadata` and `/sequence/service-info`
 * relative to where it is mounted. With collections it also handles sequence collections 1.0.0: `/collection`, `/comparison`,
 * `/list`, `/attribute` and `/service-info`. Every failure is a Response with a JSON body.
 *
 * Throws RangeError for a limit that is not a whole number and for a prefix without a leading slash.
 *
 * @example
 * const sequences = await openFasta({ data: fileSource('genome.fa.gz') });
 * const handle = createRefgetHandler({ catalogue: createCatalogue(sequences) });
 * Deno.serve(handle);
 */
export function createRefgetHandler(options: RefgetOptions): (request: Request) => Promise<Response> {
  const handle = createPlainRefgetHandler(options);
  return async (request) => toResponse(await handle(request));
}

/** Answers a request. A caller that has classified the path already may pass it. */
export type PlainRefgetHandler = (request: Request, path?: RefgetPath) => Promise<PlainResponse>;

/**
 * Like `createRefgetHandler`, for servers that take a `PlainResponse`, as @htskit/adapters does. On Node this halves the CPU
 * time of short responses.
 */
export function createPlainRefgetHandler(options: RefgetOptions): PlainRefgetHandler {
  const settings = withDefaults(options);
  return async (request, knownPath) => {
    const target = knownPath ?? parseRefgetPath(pathOf(request), settings.prefix);
    if (request.method === 'OPTIONS') return answerOptions(request, methodsOf(target));
    const authority = negotiateAuthority(request.headers.get('accept'), settings.authority);
    const context = { request, authority, object: target && refgetObjectOf(target) };
    const answered: PlainResponse = await answer(settings, target, context).catch((failure: unknown) => {
      const error = toRefgetError(failure);
      if (error.status >= 500 && !request.signal.aborted) settings.onError(failure, context.object, request);
      return toErrorResponse(error, { authority, methods: methodsOf(target) });
    });
    const response = withDataHeaders(answered, request);
    return request.method === 'HEAD' ? { status: response.status, headers: response.headers, body: null } : response;
  };
}

function pathOf({ url }: Request): string {
  return new URL(url).pathname;
}

function answerOptions(request: Request, methods: readonly string[]): Response {
  const headers = { ...preflightHeaders(request, methods), allow: methods.join(', ') };
  return new Response(null, { status: 204, headers });
}

async function answer(
  settings: RefgetSettings,
  target: RefgetPath | undefined,
  context: Context,
): Promise<PlainResponse> {
  const { request, authority, object } = context;
  const { collections, prefix } = settings;
  if (target === undefined) throw unknownPath(pathOf(request), prefix);
  if (target.area === 'collection') {
    if (collections === undefined) throw unknownPath(pathOf(request), prefix);
    return answerCollections(target, { ...context, collections, settings });
  }
  if (!METHODS.includes(request.method)) throw methodNotAllowed(METHODS);
  const { route } = target;
  if (route.kind === 'service-info' || object === undefined) {
    negotiateFormat(context, 'service-info');
    return toJsonResponse(describeService(settings, authority), { authority });
  }
  if (!settings.isPublic) await settings.authorize(request, object);
  return answerId(settings, { context, route });
}

/** Checks in the order of the errors: 404, 406, 400, 416 or 501. */
async function answerId(
  settings: RefgetSettings,
  { context, route }: { readonly context: Context; readonly route: Exclude<SequenceRoute, { kind: 'service-info' }> },
): Promise<PlainResponse> {
  const identifier = parseSequenceIdentifier(route.id, { authorities: AUTHORITIES });
  const sequences = identifier === undefined ? [] : await settings.catalogue.find(identifier);
  const [sequence] = sequences;
  if (identifier === undefined || sequence === undefined) {
    throw new RefgetError('Not Found', 'there is no sequence with this id');
  }
  if (sequences.length > 1) return answerAmbiguous(sequences, settings, context.authority);
  const format = negotiateFormat(context, route.kind);
  const { isPublic } = settings;
  if (route.kind === 'metadata') {
    // Not immutable, because a sequence can get further aliases.
    const caching = cacheControl({ isImmutable: false, isPublic });
    return answerMetadata(sequence.metadata, { ...context, id: route.id, cacheControl: caching });
  }
  // A name can be given to another sequence, a digest cannot.
  const caching = cacheControl({ isImmutable: identifier.kind !== 'curie', isPublic });
  const { request, authority, object } = context;
  return answerSequence(sequence, settings, { request, authority, object, format, cacheControl: caching });
}

/** Answers refget 2.0.0, "GET /sequence/{id}" 9, which does not specify the shape of the list. */
function answerAmbiguous(
  sequences: readonly Sequence[],
  { ambiguousIdentifier }: RefgetSettings,
  authority: Authority,
): Response {
  if (ambiguousIdentifier === 409) {
    throw new RefgetError('Conflict', `the identifier names ${sequences.length} different sequences`);
  }
  const candidates = sequences.map(({ metadata }) => `${authority}:${metadata.sha512t24u}`);
  return toJsonResponse(candidates, { authority, status: 300, headers: { 'cache-control': 'no-cache' } });
}

function negotiateFormat({ request, authority }: Context, kind: SequenceRoute['kind']): RefgetFormat {
  const format = negotiateRefgetFormat(request.headers.get('accept'), FORMATS[kind]);
  if (format !== undefined) return format;
  const json = `${refgetJsonMediaType(authority)}, application/json`;
  const supported = kind === 'sequence' ? `${refgetTextMediaType(authority)}, text/plain, text/x-fasta, ${json}` : json;
  throw new RefgetError('Not Acceptable', `supported media types: ${supported}`);
}

function describeService(settings: RefgetSettings, authority: Authority): object {
  const { catalogue, circularSupported, limits, serviceInfo } = settings;
  return refgetServiceInfo({
    identifierTypes: catalogue.namingAuthorities ?? [],
    ...serviceInfo,
    authority,
    circularSupported,
    subsequenceLimit: limits.subsequence,
  });
}
