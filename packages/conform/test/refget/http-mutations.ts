import { changeHeaders, withStatus } from '../service/faults.js';
import type { Mutation } from '../service/mutation-table.js';
import { accepts, type HeadFilter, isMetadata, isSequence, isServiceInfo, isWhole } from './requests.js';

const PLAIN = 'text/vnd.ga4gh.refget.v2.0.0+plain';
const JSON_TYPE = 'application/vnd.ga4gh.refget.v2.0.0+json';

const PLAIN_HEADERS: Readonly<Record<string, string>> = {
  full: `${PLAIN}; charset=us-ascii`,
  version: PLAIN,
  generic: 'text/plain',
  any: '*/*',
  'any-text': 'text/*',
  'upper-case': 'TEXT/PLAIN',
  'second-choice': 'image/png, text/plain;q=0.1',
  'old-version': 'text/vnd.ga4gh.refget.v1.0.0+plain',
};

const JSON_HEADERS: Readonly<Record<string, string>> = {
  full: `${JSON_TYPE}; charset=us-ascii`,
  version: JSON_TYPE,
  generic: 'application/json',
  'second-choice': 'image/png, application/json;q=0.1',
};

const UNACCEPTABLE: Readonly<Record<string, string>> = {
  'other-type': 'application/x-htskit-conform',
  'everything-excluded': '*/*;q=0',
};

const RESOURCES: Readonly<Record<string, HeadFilter>> = {
  sequence: isSequence,
  metadata: isMetadata,
  'service-info': isServiceInfo,
};

const NEGOTIATION_MUTATIONS: readonly Mutation[] = [
  ...Object.entries(PLAIN_HEADERS).map(
    ([name, accept]): Mutation => ({
      rule: `refget.negotiation.sequence-${name}`,
      fault: 'answers 406 for such an Accept header',
      break: withStatus(
        406,
        accepts(accept, (url) => url.search !== ''),
      ),
    }),
  ),
  ...Object.entries(JSON_HEADERS).flatMap(([name, accept]) =>
    (['metadata', 'service-info'] as const).map(
      (resource): Mutation => ({
        rule: `refget.negotiation.${resource}-${name}`,
        fault: 'answers 406 for such an Accept header',
        break: withStatus(406, accepts(accept, RESOURCES[resource] ?? isSequence)),
      }),
    ),
  ),
  ...Object.entries(UNACCEPTABLE).flatMap(([name, accept]) =>
    Object.entries(RESOURCES).map(
      ([resource, matches]): Mutation => ({
        rule: `refget.negotiation.${resource}-${name}`,
        fault: 'ignores the Accept header',
        break: withStatus(200, accepts(accept, matches)),
      }),
    ),
  ),
  {
    rule: 'refget.negotiation.plain-preferred',
    fault: 'sends JSON if it is listed first',
    break: changeHeaders(accepts('application/json;q=0.4, text/plain;q=0.5', isSequence), (headers) =>
      headers.set('content-type', JSON_TYPE),
    ),
  },
  {
    rule: 'refget.negotiation.json-preferred',
    fault: 'sends plain text whenever it is acceptable',
    break: changeHeaders(accepts('text/plain;q=0.4, application/json;q=0.5', isSequence), (headers) =>
      headers.set('content-type', PLAIN),
    ),
  },
  {
    rule: 'refget.negotiation.vary',
    fault: 'sends no Vary',
    break: changeHeaders(isSequence, (headers) => headers.delete('vary')),
  },
];

const CACHING_MUTATIONS: readonly Mutation[] = [
  {
    rule: 'refget.caching.etag',
    fault: 'sends no entity tag',
    break: changeHeaders(isWhole, (headers) => headers.delete('etag')),
  },
  {
    rule: 'refget.caching.same-etag',
    fault: 'sends an entity tag that depends on the time',
    break: changeHeaders(isWhole, (headers) => headers.set('etag', `"${count()}"`)),
  },
  {
    rule: 'refget.caching.not-modified',
    fault: 'ignores If-None-Match',
    break: withStatus(200, (_, request) => request.headers.has('if-none-match')),
  },
  {
    rule: 'refget.caching.not-modified-etag',
    fault: 'sends 304 without the entity tag',
    break: changeHeaders(
      (_, request) => request.headers.has('if-none-match'),
      (headers) => headers.delete('etag'),
    ),
  },
  {
    rule: 'refget.caching.modified',
    fault: 'answers 304 whatever the entity tag is',
    break: withEmptyStatus(304, (_, request) => request.headers.get('if-none-match') === '"htskit-conform"'),
  },
  {
    rule: 'refget.caching.if-range',
    fault: 'sends the whole sequence with If-Range',
    break: withStatus(200, (_, request) => request.headers.has('if-range')),
  },
  {
    rule: 'refget.caching.other-if-range',
    fault: 'ignores If-Range',
    break: withStatus(206, (_, request) => request.headers.has('if-range')),
  },
  {
    rule: 'refget.caching.other-media-type',
    fault: 'has one entity tag for all media types',
    break: changeHeaders(isSequence, (headers) => headers.set('etag', '"same"')),
  },
  {
    rule: 'refget.caching.cacheable',
    fault: 'forbids caches to store sequences',
    break: changeHeaders(isWhole, (headers) => headers.set('cache-control', 'private, no-store')),
  },
  {
    rule: 'refget.caching.lifetime',
    fault: 'states no lifetime',
    break: changeHeaders(isWhole, (headers) => headers.set('cache-control', 'public')),
  },
];

let requests = 0;
function count(): number {
  requests += 1;
  return requests;
}

/** Answers the requests that match with a status that has no body. */
function withEmptyStatus(status: number, matches: HeadFilter): Mutation['break'] {
  return (request, serve) =>
    matches(new URL(request.url), request) ? Promise.resolve(new Response(null, { status })) : serve(request);
}

const METHOD_MUTATIONS: readonly Mutation[] = [
  {
    rule: 'refget.methods.head',
    fault: 'answers 405 for HEAD',
    break: withStatus(405, (_, request) => request.method === 'HEAD'),
  },
  {
    rule: 'refget.methods.head-length',
    fault: 'sends Content-Length: 0 for HEAD',
    break: changeHeaders(
      (_, request) => request.method === 'HEAD',
      (headers) => headers.set('content-length', '0'),
    ),
  },
  {
    rule: 'refget.methods.post',
    fault: 'answers POST like GET',
    break: withStatus(200, (_, request) => request.method === 'POST'),
  },
  {
    rule: 'refget.methods.allow',
    fault: 'does not name the allowed methods',
    break: changeHeaders(
      (_, request) => request.method === 'POST',
      (headers) => headers.delete('allow'),
    ),
  },
];

const withOrigin =
  (matches: HeadFilter): HeadFilter =>
  (url, request) =>
    request.headers.has('origin') && matches(url, request);

const CORS_RESOURCES: Readonly<Record<string, HeadFilter>> = {
  ...RESOURCES,
  error: ({ pathname }) => pathname.includes('ffffffff'),
};

const CORS_MUTATIONS: readonly Mutation[] = [
  ...Object.entries(CORS_RESOURCES).map(
    ([name, matches]): Mutation => ({
      rule: `refget.cors.${name}`,
      fault: 'allows no other origin',
      break: changeHeaders(withOrigin(matches), (headers) => headers.delete('access-control-allow-origin')),
    }),
  ),
  {
    rule: 'refget.cors.preflight-range',
    fault: 'allows no header of a request',
    break: changeHeaders(
      (_, request) => request.method === 'OPTIONS',
      (headers) => headers.delete('access-control-allow-headers'),
    ),
  },
  {
    rule: 'refget.cors.preflight-authorization',
    fault: 'answers 405 for OPTIONS',
    break: withEmptyStatus(405, (_, request) => request.method === 'OPTIONS'),
  },
  {
    rule: 'refget.cors.exposed',
    fault: 'exposes no header',
    break: changeHeaders(withOrigin(isSequence), (headers) => headers.delete('access-control-expose-headers')),
  },
];

export const HTTP_MUTATIONS: readonly Mutation[] = [
  ...NEGOTIATION_MUTATIONS,
  ...CACHING_MUTATIONS,
  ...METHOD_MUTATIONS,
  ...CORS_MUTATIONS,
];
