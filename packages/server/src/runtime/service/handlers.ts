import { createPlainHtsgetHandler, type HtsgetOptions } from '@htskit/htsget';
import { corsHeaders, type PlainResponse } from '@htskit/http';
import { type Authority, RefgetError, type ServiceInfoOptions } from '@htskit/protocol';
import { createPlainRefgetHandler, type RefgetOptions } from '@htskit/refget';
import { describeError } from '../../errors.js';
import type { RouteOwner } from '../request-route.js';
import type { ServedFiles } from './retirable-service.js';

type Handler = (request: Request) => PlainResponse | Promise<PlainResponse>;

/** The handler of each owner of a path: see `routeOf`. */
export type Handlers = Readonly<Record<RouteOwner, Handler>>;

/** How the files are served over both protocols. */
export interface ProtocolOptions {
  readonly authority: Authority;
  /** How closely regions are cut. Default `auto`. */
  readonly precision?: HtsgetOptions['precision'] | undefined;
  /** What to do with a file that lacks its end marker. Default `warn`. */
  readonly truncated?: HtsgetOptions['truncated'] | undefined;
  readonly limits?: HtsgetOptions['limits'] | undefined;
  /** The rules of refget for subsequences. */
  readonly sequenceRules?: Pick<RefgetOptions, 'circularSupported' | 'limits' | 'rangeOutOfBounds'> | undefined;
  readonly serviceInfo?: ServiceInfoOptions | undefined;
  /** The origins whose scripts may read the responses. Default: all. */
  readonly origins?: CorsOrigins | undefined;
  readonly authorizeHtsget?: HtsgetOptions['authorize'] | undefined;
  readonly authorizeRefget?: RefgetOptions['authorize'] | undefined;
  readonly onHtsgetEvent?: HtsgetOptions['onEvent'] | undefined;
}

export interface HandlersOptions extends ProtocolOptions {
  readonly publicUrl: string;
  readonly signingKeys: readonly [Uint8Array, ...Uint8Array[]];
  /** Receives messages for the operator. */
  readonly log: (message: string) => void;
}

const OVERVIEW = `htskit: genomic data over htsget 1.3.1, refget 2.0.0 and sequence collections 1.0.0

/reads/{id}               ticket for regions of an alignment file: BAM, CRAM
/variants/{id}            ticket for regions of a variant file: VCF, BCF, VCFTEXT
/reads/service-info       htsget service-info; also /variants/service-info
/sequence/{digest}        a reference sequence, or part of it
/sequence/service-info    refget service-info
/list/collection          the sequence collections, one per file of sequences
/collection/{digest}      names, lengths and sequences of a collection; ?level=1 for digests
/comparison/{a}/{b}       comparison of two collections; POST your own to /comparison/{a}
/service-info             sequence collections service-info
/healthz  /readyz         probes for a supervisor; /metrics for Prometheus
/openapi.json             the OpenAPI document of this server
`;

/** Creates the handlers of a server's paths. Throws RangeError for an invalid public URL. */
export function createHandlers(options: HandlersOptions, files: ServedFiles): Handlers {
  const { origins = '*' } = options;
  const htsget = createHtsget(options, files);
  return {
    htsget: withOrigins(htsget, origins),
    refget: withOrigins(createRefget(options, files), origins),
    operation: withOrigins(createOperational(htsget), origins),
  };
}

function createHtsget(options: HandlersOptions, { objects }: ServedFiles): Handler {
  const { publicUrl, signingKeys, authority, precision, truncated, limits, log } = options;
  const { serviceInfo, authorizeHtsget, onHtsgetEvent } = options;
  return createPlainHtsgetHandler({
    resolve: (id, datatype) => objects.resolve(id, datatype),
    publicUrl,
    signingKeys,
    authority,
    ...(precision !== undefined && { precision }),
    ...(truncated !== undefined && { truncated }),
    ...(limits !== undefined && { limits }),
    ...(serviceInfo !== undefined && { serviceInfo }),
    ...(authorizeHtsget !== undefined && { authorize: authorizeHtsget }),
    ...(onHtsgetEvent !== undefined && { onEvent: onHtsgetEvent }),
    onError: (error, object) =>
      log(object === undefined ? describeError(error) : `${object.datatype}/${object.id}: ${describeError(error)}`),
    onWarning: ({ message }, { datatype, id }) => log(`${datatype}/${id}: ${message}`),
  });
}

function createRefget(options: HandlersOptions, { sequences }: ServedFiles): Handler {
  const { authority, sequenceRules, serviceInfo, authorizeRefget, log } = options;
  return createPlainRefgetHandler({
    catalogue: sequences,
    collections: sequences.collections,
    authority,
    ...sequenceRules,
    ...(serviceInfo !== undefined && { serviceInfo }),
    ...(authorizeRefget !== undefined && { authorize: authorizeRefget }),
    onError: (error, object) => {
      // A sequence that is still being digested is not a failure.
      if (error instanceof RefgetError) return;
      const name = [object?.resource, object?.id].filter((part) => part !== undefined).join('/');
      log(name === '' ? describeError(error) : `${name}: ${describeError(error)}`);
    },
  });
}

/** Answers `GET /` with the overview. Other requests for operational paths get htsget's error bodies. */
function createOperational(htsget: Handler): Handler {
  return (request) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || new URL(request.url).pathname !== '/') return htsget(request);
    return answerOverview();
  };
}

/** Returns the response to `GET /`, which lists the paths of the server. */
export function answerOverview(): Response {
  return new Response(OVERVIEW, { headers: { 'content-type': 'text/plain; charset=utf-8' } });
}

/** The origins whose scripts may read the responses. */
export type CorsOrigins = '*' | readonly string[];

/** Returns a handler that removes the CORS headers from responses to other origins. */
export function withOrigins(handler: Handler, origins: CorsOrigins): Handler {
  if (origins === '*') return handler;
  return async (request) => {
    const response = await handler(request);
    const origin = request.headers.get('origin');
    if (mayRead(origin, origins)) return response;
    for (const name of [...response.headers.keys()]) {
      if (name.startsWith('access-control-')) response.headers.delete(name);
    }
    return response;
  };
}

/** Returns the CORS headers of a response to a request from an origin, if there is one. */
export function originHeaders(origin: string | undefined, origins: CorsOrigins): Readonly<Record<string, string>> {
  const isAllowed = origin !== undefined && mayRead(origin, origins);
  return corsHeaders({ headers: new Headers(isAllowed ? { origin } : {}) });
}

/** A request without an origin does not come from a script. */
function mayRead(origin: string | null, origins: CorsOrigins): boolean {
  return origin === null || origins === '*' || origins.includes(origin);
}
