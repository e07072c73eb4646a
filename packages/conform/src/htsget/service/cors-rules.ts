import { type Answer, describeAnswer } from '../../engine/answer.js';
import type { ProbeRequest } from '../../engine/probe-request.js';
import { broken, KEPT, type Rule, type Verdict } from '../../engine/rule.js';
import { type HtsgetSubject, ticketRequest } from '../htsget-subject.js';
import { UNKNOWN_ID } from '../references.js';

/** The origin of a page that no service knows. */
export const ORIGIN = 'https://htskit-conform.example';
/** The headers that a page of a browser asks for. */
const REQUEST_HEADERS = 'authorization,range,x-htskit-conform';
const DAYS_30 = 30 * 24 * 60 * 60;

function preflight(request: ProbeRequest, method = 'GET'): ProbeRequest {
  const headers = {
    origin: ORIGIN,
    'access-control-request-method': method,
    'access-control-request-headers': REQUEST_HEADERS,
  };
  return { url: request.url, method: 'OPTIONS', headers, isAuthorized: false };
}

/** Checks that an answer allows the origin of its request. */
export function expectOrigin(answer: Answer): Verdict {
  const found = answer.headers.get('access-control-allow-origin');
  if (found === ORIGIN) return KEPT;
  return broken(answer, { expected: `Access-Control-Allow-Origin: ${ORIGIN}`, found: found ?? 'no such header' });
}

function rule(name: string, title: string, run: (subject: HtsgetSubject) => Promise<Verdict>): Rule<HtsgetSubject> {
  return { id: `htsget.cors.${name}`, section: 'CORS', level: 'SHOULD', scope: 'service', title, run };
}

/** The published text says that services "should" support CORS, and in detail what that is. */
export const CORS_RULES: readonly Rule<HtsgetSubject>[] = [
  rule('ticket', 'copies Origin to Access-Control-Allow-Origin of a ticket', async (subject) => {
    const request = ticketRequest(subject, { format: subject.format, class: 'header' }, { origin: ORIGIN });
    return expectOrigin(await subject.probe.ask(request));
  }),
  rule('error', 'copies Origin to Access-Control-Allow-Origin of an error', async ({ endpoint, probe }) =>
    expectOrigin(await probe.ask(ticketRequest({ endpoint, id: UNKNOWN_ID }, {}, { origin: ORIGIN }))),
  ),
  rule('service-info', 'copies Origin to Access-Control-Allow-Origin of service-info', async ({ info, probe }) =>
    expectOrigin(await probe.ask({ ...info.request, headers: { origin: ORIGIN } })),
  ),
  rule('preflight', 'accepts the preflight of a GET', async (subject) => {
    const answer = await subject.probe.ask(preflight(ticketRequest(subject)));
    if (answer.status >= 200 && answer.status < 300) return KEPT;
    return broken(answer, { expected: 'status 200 or 204', found: describeAnswer(answer) });
  }),
  rule('preflight-origin', 'copies Origin to the answer to a preflight', async (subject) =>
    expectOrigin(await subject.probe.ask(preflight(ticketRequest(subject)))),
  ),
  rule('preflight-headers', 'copies the requested headers to the answer to a preflight', async (subject) => {
    const answer = await subject.probe.ask(preflight(ticketRequest(subject)));
    const found = answer.headers.get('access-control-allow-headers') ?? '';
    const allowed = new Set(found.toLowerCase().split(/\s*,\s*/));
    if (REQUEST_HEADERS.split(',').every((name) => allowed.has(name))) return KEPT;
    return broken(answer, {
      expected: `Access-Control-Allow-Headers: ${REQUEST_HEADERS}`,
      found: found || 'no such header',
    });
  }),
  rule('preflight-max-age', 'lets browsers keep the answer to a preflight for 30 days', async (subject) => {
    const answer = await subject.probe.ask(preflight(ticketRequest(subject)));
    const found = answer.headers.get('access-control-max-age');
    if (Number(found) === DAYS_30) return KEPT;
    return broken(answer, { expected: `Access-Control-Max-Age: ${DAYS_30}`, found: found ?? 'no such header' });
  }),
];
