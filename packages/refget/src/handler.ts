import { parseSequenceIdentifier, type SequenceIdentifier } from '@htskit/digest';
import { corsHeaders, type PlainResponse, preflightHeaders, toResponse } from '@htskit/http';
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
import { cacheControl } from './cache-control.js';
import { answerCollections } from './collection/answer-collections.js';
import { collectionMethods, parseCollectionRoute } from './collection/collection-route.js';
import { toRefgetError } from './errors.js';
import { METHODS, toErrorResponse, toJsonResponse } from './json-response.js';
import { answerMetadata } from './metadata-response.js';
import { type RefgetOptions, type RefgetSettings, withDefaults } from './options.js';
import { parseRoute, type Route } from './route.js';
import { answerSequence } from './sequence-response.js';

/** How each resource can be formatted, the default first. */
const FORMATS: Readonly<Record<Route['kind'], readonly RefgetFormat[]>> = {
  'service-info': ['json'],
  metadata: ['json'],
  sequence: ['plain', 'json', 'fasta'],
};

interface Context {
  readonly request: Request;
  readonly url: URL;
  readonly authority: Authority;
}

/**
 * A fetch-style handler of the refget protocol 2.0.0: `/sequence/{id}`, `/sequence/{id}/metadata` and
 * `/sequence/service-info` relative to where it is mounted; with collections, also of sequence collections 1.0.0:
 * `/collection`, `/comparison`, `/list`, `/attribute` and `/service-info`. Every answer is a Response, every failure a JSON
 * body. Throws RangeError for a limit that is not a whole number.
 */
export function createRefgetHandler(options: RefgetOptions): (request: Request) => Promise<Response> {
  const handle = createPlainRefgetHandler(options);
  return async (request) => toResponse(await handle(request));
}

/** As `createRefgetHandler`, for servers that take plain answers: see `PlainResponse`. */
export function createPlainRefgetHandler(options: RefgetOptions): (request: Request) => Promise<PlainResponse> {
  const settings = withDefaults(options);
  return async (request) => {
    if (request.method === 'OPTIONS') return answerOptions(request);
    const accept = request.headers.get('accept');
    const authority = acceptsAnything(accept) ? settings.authority : negotiateAuthority(accept, settings.authority);
    const context = { request, url: new URL(request.url), authority };
    const response: PlainResponse = await answer(settings, context).catch((failure: unknown) => {
      const error = toRefgetError(failure);
      if (error.status >= 500 && !request.signal.aborted) settings.onError(failure);
      return toErrorResponse(error, { authority });
    });
    for (const [name, value] of Object.entries(corsHeaders(request))) response.headers.append(name, value);
    return request.method === 'HEAD' ? { status: response.status, headers: response.headers, body: null } : response;
  };
}

function answerOptions(request: Request): Response {
  const methods = collectionMethods(parseCollectionRoute(new URL(request.url).pathname));
  const headers = { ...preflightHeaders(request, methods), allow: methods.join(', ') };
  return new Response(null, { status: 204, headers });
}

async function answer(settings: RefgetSettings, context: Context): Promise<PlainResponse> {
  const { request, url, authority } = context;
  const { collections } = settings;
  const collectionRoute = collections && parseCollectionRoute(url.pathname);
  if (collections !== undefined && collectionRoute !== undefined) {
    return answerCollections(collectionRoute, { ...context, collections, settings });
  }
  const route = parseRoute(url.pathname);
  if (route === undefined) throw new RefgetError('Not Found', 'there is nothing at this path');
  if (!METHODS.includes(request.method)) {
    throw new RefgetError('Method Not Allowed', `${request.method} is not answered here`);
  }
  if (route.kind === 'service-info') {
    negotiateFormat(context, route.kind);
    return toJsonResponse(describeService(settings, authority), { authority });
  }
  await settings.authorize?.(request);
  return answerId(settings, { context, route });
}

/** The order of the checks is that of the errors: 404, 406, 400, 416 or 501. */
async function answerId(
  settings: RefgetSettings,
  { context, route }: { readonly context: Context; readonly route: Exclude<Route, { kind: 'service-info' }> },
): Promise<PlainResponse> {
  const identifier = parseSequenceIdentifier(route.id, { authorities: AUTHORITIES });
  const sequences = identifier === undefined ? [] : await settings.catalogue.find(identifier);
  const [sequence] = sequences;
  if (identifier === undefined || sequence === undefined) {
    throw new RefgetError('Not Found', 'there is no sequence with that id');
  }
  if (sequences.length > 1) return answerAmbiguous(sequences, settings, context.authority);
  const format = negotiateFormat(context, route.kind);
  const isPublic = settings.authorize === undefined;
  if (route.kind === 'metadata') {
    // Not immutable: a sequence can get further aliases.
    const caching = cacheControl({ isImmutable: false, isPublic });
    return answerMetadata(sequence.metadata, { ...context, id: route.id, cacheControl: caching });
  }
  const caching = cacheControl({ isImmutable: isDigest(identifier), isPublic });
  const { request, url, authority } = context;
  return answerSequence(sequence, settings, { request, url, authority, format, cacheControl: caching });
}

function isDigest(identifier: SequenceIdentifier): boolean {
  return identifier.kind !== 'curie';
}

/** refget 2.0.0, "GET /sequence/{id}" 9; the shape of the list is not specified. */
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

/** What htslib, curl and fetch send: to negotiate it takes a tenth of the time of a short answer. */
function acceptsAnything(accept: string | null): boolean {
  return accept === null || accept === '*/*';
}

function negotiateFormat({ request, authority }: Context, kind: Route['kind']): RefgetFormat {
  const accept = request.headers.get('accept');
  const format = acceptsAnything(accept) ? FORMATS[kind][0] : negotiateRefgetFormat(accept, FORMATS[kind]);
  if (format !== undefined) return format;
  const json = `${refgetJsonMediaType(authority)}, application/json`;
  const supported = kind === 'sequence' ? `${refgetTextMediaType(authority)}, text/plain, text/x-fasta, ${json}` : json;
  throw new RefgetError('Not Acceptable', `supported media types: ${supported}`);
}

function describeService(settings: RefgetSettings, authority: Authority): object {
  const { catalogue, circularSupported, subsequenceLimit, serviceInfo } = settings;
  return refgetServiceInfo({
    identifierTypes: catalogue.namingAuthorities ?? [],
    ...serviceInfo,
    authority,
    circularSupported,
    subsequenceLimit,
  });
}
