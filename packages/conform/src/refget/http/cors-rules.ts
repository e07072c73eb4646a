import type { Answer } from '../../engine/answer.js';
import { describeAnswer } from '../../engine/answer.js';
import { broken, inapplicable, type Rule, type Verdict } from '../../engine/rule.js';
import { expectHeader } from '../expect-answer.js';
import type { RefgetSubject } from '../refget-subject.js';

const RULE = { section: 'CORS', level: 'SHOULD' } as const;
const ORIGIN = 'https://browser.example';

/** The resources that pages of other origins read, by the path after the endpoint. */
const RESOURCES: readonly (readonly [name: string, title: string, path: (id: string) => string])[] = [
  ['sequence', 'a sequence', (id) => `${id}?start=0&end=1`],
  ['metadata', 'metadata', (id) => `${id}/metadata`],
  ['service-info', 'service-info', () => 'service-info'],
  ['error', 'an error', () => 'f'.repeat(32)],
];

function allowsOrigin(answer: Answer): Verdict {
  const isExpected = (value: string | undefined): boolean => value === '*' || value === ORIGIN;
  return expectHeader(answer, 'Access-Control-Allow-Origin', { expected: `* or ${ORIGIN}`, isExpected });
}

/** Asks whether a page of another origin may send a header. */
function askPreflight({ endpoint, id, probe }: RefgetSubject, header: string): Promise<Answer> {
  const headers = {
    origin: ORIGIN,
    'access-control-request-method': 'GET',
    'access-control-request-headers': header,
  };
  const url = `${endpoint}/${encodeURIComponent(id)}`;
  return probe.ask({ url, method: 'OPTIONS', headers, isAuthorized: false });
}

export const CORS_RULES: readonly Rule<RefgetSubject>[] = [
  ...RESOURCES.map(
    ([name, title, path]): Rule<RefgetSubject> => ({
      ...RULE,
      id: `refget.cors.${name}`,
      scope: name === 'sequence' || name === 'metadata' ? 'object' : 'service',
      title: `allows pages of any origin to read ${title}`,
      run: async ({ endpoint, id, probe }) =>
        allowsOrigin(
          await probe.ask({ url: `${endpoint}/${path(encodeURIComponent(id))}`, headers: { origin: ORIGIN } }),
        ),
    }),
  ),
  ...(['range', 'authorization'] as const).map(
    (header): Rule<RefgetSubject> => ({
      ...RULE,
      id: `refget.cors.preflight-${header}`,
      scope: 'service',
      title: `allows pages of any origin to send the header ${header}`,
      run: async (subject) => {
        const answer = await askPreflight(subject, header);
        if (answer.status > 299)
          return broken(answer, { expected: 'status 200 or 204', found: describeAnswer(answer) });
        const origin = allowsOrigin(answer);
        if (origin.kind !== 'kept') return origin;
        const isExpected = (value: string | undefined): boolean =>
          (value ?? '')
            .split(/\s*,\s*/)
            .some((name) => name === header || (name === '*' && header !== 'authorization'));
        return expectHeader(answer, 'Access-Control-Allow-Headers', { expected: header, isExpected });
      },
    }),
  ),
  {
    ...RULE,
    id: 'refget.cors.exposed',
    section: 'Fetch standard, CORS-safelisted response-header name',
    level: 'MAY',
    scope: 'object',
    title: 'lets pages of any origin read Content-Range, if it answers Range headers with 206',
    run: async ({ endpoint, id, probe }) => {
      const url = `${endpoint}/${encodeURIComponent(id)}`;
      const answer = await probe.ask({ url, headers: { origin: ORIGIN, range: 'bytes=0-0' } });
      if (answer.status !== 206) return inapplicable('the service does not answer Range headers with 206');
      const isExpected = (value: string | undefined): boolean => /\bcontent-range\b|\*/.test(value ?? '');
      return expectHeader(answer, 'Access-Control-Expose-Headers', { expected: 'Content-Range', isExpected });
    },
  },
];
