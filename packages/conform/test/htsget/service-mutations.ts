import {
  changeHeaders,
  changeRequestHeaders,
  changeText,
  onRequests,
  type RequestFilter,
  withStatus,
} from '../service/faults.js';
import { GUARDED } from '../service/guarded-service.js';
import type { Mutation } from '../service/mutation-table.js';

const isInfo: RequestFilter = ({ pathname }) => /^\/(?:reads|variants)\/service-info$/.test(pathname);
const isOptions: RequestFilter = (_, { method }) => method === 'OPTIONS';
const hasNoToken: RequestFilter = (_, { headers }) => !headers.has('authorization');
const hasInvalidToken: RequestFilter = (_, { headers }) =>
  headers.get('authorization')?.includes('no-such-token') === true;

/** Replaces text of service-info documents: the name of the rule, what the broken service does, and the replacement. */
const INFO_FAULTS: readonly (readonly [rule: string, fault: string, from: RegExp, to: string])[] = [
  ['artifact', 'has another artifact', /"artifact":"htsget"/, '"artifact":"refget"'],
  ['group', 'has another group', /"org\.ga4gh"/, '"org.example"'],
  ['version', 'has a version of something else', /"version":"1\.3\.1"/, '"version":"latest"'],
  ['base-fields', 'has no name', /"name":"htskit htsget \w+",/, ''],
  ['base-fields', 'has an organization without a URL', /"url":/, '"link":'],
  ['times', 'has a time that is a word', /"createdAt":"[^"]*"/, '"createdAt":"yesterday"'],
  ['htsget', 'does not describe htsget', /"htsget":\{/, '"other":{'],
  ['datatype', 'names the other datatype', /"datatype":"reads"/, '"datatype":"variants"'],
  ['formats', 'lists a format that the protocol does not have', /"BAM"/, '"FASTQ"'],
  ['answered-formats', 'does not list a format that it answers', /,"CRAM"/, ''],
  ['effective', 'states a text instead of a boolean', /Effective":true/, 'Effective":"yes"'],
];

const SERVICE_INFO_MUTATIONS: readonly Mutation[] = [
  { rule: 'htsget.service-info.status', fault: 'has no service-info', break: withStatus(404, isInfo) },
  {
    rule: 'htsget.service-info.no-token',
    fault: 'needs a token for service-info',
    service: GUARDED,
    break: withStatus(401, (url, request, body) => isInfo(url, request, body) && hasNoToken(url, request, body)),
  },
  ...INFO_FAULTS.map(([name, fault, from, to]) => ({
    rule: `htsget.service-info.${name}`,
    fault,
    break: changeText(isInfo, (text) => text.replace(from, to)),
  })),
];

const allowOrigin = 'access-control-allow-origin';

const CORS_MUTATIONS: readonly Mutation[] = [
  {
    rule: 'htsget.cors.ticket',
    fault: 'allows another origin to read tickets',
    break: changeHeaders(
      ({ searchParams }) => searchParams.has('class'),
      (headers) => headers.set(allowOrigin, 'https://other.example'),
    ),
  },
  {
    rule: 'htsget.cors.error',
    fault: 'allows no origin to read errors',
    break: changeHeaders(
      ({ pathname }) => pathname.includes('no-such'),
      (headers) => headers.delete(allowOrigin),
    ),
  },
  {
    rule: 'htsget.cors.service-info',
    fault: 'allows no origin to read service-info',
    break: changeHeaders(isInfo, (headers) => headers.delete(allowOrigin)),
  },
  {
    rule: 'htsget.cors.preflight',
    fault: 'refuses preflights',
    break: onRequests(isOptions, async () => new Response('', { status: 405 })),
  },
  {
    rule: 'htsget.cors.preflight-origin',
    fault: 'does not copy Origin to preflights',
    break: changeHeaders(isOptions, (headers) => headers.delete(allowOrigin)),
  },
  {
    rule: 'htsget.cors.preflight-headers',
    fault: 'allows other request headers',
    break: changeHeaders(isOptions, (headers) => headers.set('access-control-allow-headers', 'accept')),
  },
  {
    rule: 'htsget.cors.preflight-max-age',
    fault: 'lets preflights expire after a day',
    break: changeHeaders(isOptions, (headers) => headers.set('access-control-max-age', '86400')),
  },
];

const AUTH_MUTATIONS: readonly Mutation[] = [
  {
    rule: 'htsget.auth.no-token',
    fault: 'answers 400 without a token',
    service: GUARDED,
    break: withStatus(400, hasNoToken),
  },
  {
    rule: 'htsget.auth.invalid-token',
    fault: 'accepts any token',
    service: GUARDED,
    break: changeRequestHeaders(hasInvalidToken, (headers) => headers.set('authorization', 'Bearer good')),
  },
  {
    rule: 'htsget.auth.invalid-token-body',
    fault: 'answers an invalid token as a missing permission',
    service: GUARDED,
    break: withStatus(403, hasInvalidToken),
  },
];

export const SERVICE_MUTATIONS: readonly Mutation[] = [...SERVICE_INFO_MUTATIONS, ...CORS_MUTATIONS, ...AUTH_MUTATIONS];
