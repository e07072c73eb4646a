import { type Answer, describeAnswer } from '../../engine/answer.js';
import { broken, inapplicable, KEPT, type Level, type Rule, type Verdict } from '../../engine/rule.js';
import { expectBasesAtStart, expectHeader, expectStatus } from '../expect-answer.js';
import { isPlain, withBases } from '../known-bases.js';
import { askSequence, type RefgetSubject } from '../refget-subject.js';

const MEDIA_TYPES = 'Internet Media Types Handling';
const ACCEPT = 'RFC 9110 §12.5.1';
const PLAIN = 'text/vnd.ga4gh.refget.v2.0.0+plain';
const JSON_TYPE = 'application/vnd.ga4gh.refget.v2.0.0+json';
/** The bases that the rules request. */
const PART = '?start=0&end=3';

/** An Accept header that a service can satisfy. */
interface Acceptable {
  readonly name: string;
  readonly section: string;
  readonly level: Level;
  readonly accept: string;
}

const PLAIN_HEADERS: readonly Acceptable[] = [
  { name: 'full', section: MEDIA_TYPES, level: 'MUST', accept: `${PLAIN}; charset=us-ascii` },
  { name: 'version', section: MEDIA_TYPES, level: 'MUST', accept: PLAIN },
  { name: 'generic', section: MEDIA_TYPES, level: 'MUST', accept: 'text/plain' },
  { name: 'any', section: ACCEPT, level: 'MUST', accept: '*/*' },
  { name: 'any-text', section: ACCEPT, level: 'SHOULD', accept: 'text/*' },
  { name: 'upper-case', section: 'RFC 9110 §8.3.1', level: 'SHOULD', accept: 'TEXT/PLAIN' },
  { name: 'second-choice', section: ACCEPT, level: 'SHOULD', accept: 'image/png, text/plain;q=0.1' },
  { name: 'old-version', section: MEDIA_TYPES, level: 'MAY', accept: 'text/vnd.ga4gh.refget.v1.0.0+plain' },
];

const PLAIN_RULES = PLAIN_HEADERS.map(
  ({ name, section, level, accept }): Rule<RefgetSubject> => ({
    id: `refget.negotiation.sequence-${name}`,
    section,
    level,
    scope: 'object',
    title: `sends plain text for Accept: ${accept}`,
    run: withBases(async (subject, { bases }) => {
      const answer = await askSequence(subject, PART, { accept });
      const verdict = expectBasesAtStart(answer, bases.subarray(0, 3));
      if (verdict.kind !== 'kept') return verdict;
      return expectHeader(answer, 'Content-Type', { expected: PLAIN, isExpected: () => isPlain(answer) });
    }),
  }),
);

/** The documents of a service and their paths after an id, or undefined for service-info. */
const DOCUMENTS = { metadata: '/metadata', 'service-info': undefined } as const;

function askDocument(subject: RefgetSubject, document: keyof typeof DOCUMENTS, accept: string): Promise<Answer> {
  const path = DOCUMENTS[document];
  if (path !== undefined) return askSequence(subject, path, { accept });
  return subject.probe.ask({ url: `${subject.endpoint}/service-info`, headers: { accept } });
}

const JSON_HEADERS: readonly Acceptable[] = [
  { name: 'full', section: MEDIA_TYPES, level: 'MUST', accept: `${JSON_TYPE}; charset=us-ascii` },
  { name: 'version', section: MEDIA_TYPES, level: 'MUST', accept: JSON_TYPE },
  { name: 'generic', section: MEDIA_TYPES, level: 'MUST', accept: 'application/json' },
  { name: 'second-choice', section: ACCEPT, level: 'SHOULD', accept: 'image/png, application/json;q=0.1' },
];

const DOCUMENT_RULES = (['metadata', 'service-info'] as const).flatMap((document) => [
  ...JSON_HEADERS.map(
    ({ name, section, level, accept }): Rule<RefgetSubject> => ({
      id: `refget.negotiation.${document}-${name}`,
      section,
      level,
      scope: document === 'metadata' ? 'object' : 'service',
      title: `sends ${document} as JSON for Accept: ${accept}`,
      run: async (subject) => {
        const answer = await askDocument(subject, document, accept);
        if (answer.status === 200 && answer.object !== undefined) return KEPT;
        return broken(answer, { expected: 'status 200 and a JSON object', found: describeAnswer(answer) });
      },
    }),
  ),
]);

/** An Accept header that no service can satisfy. */
const UNACCEPTABLE = {
  'other-type': 'application/x-htskit-conform',
  'everything-excluded': '*/*;q=0',
} as const;

const REFUSED_RULES = Object.entries(UNACCEPTABLE).flatMap(([name, accept]) =>
  (['sequence', 'metadata', 'service-info'] as const).map(
    (resource): Rule<RefgetSubject> => ({
      id: `refget.negotiation.${resource}-${name}`,
      section: name === 'other-type' ? 'Request parameters, Accept' : 'RFC 9110 §12.4.2',
      level: 'SHOULD',
      scope: resource === 'service-info' ? 'service' : 'object',
      title: `answers 406 for ${resource === 'sequence' ? 'a sequence' : resource} with Accept: ${accept}`,
      run: async (subject) => {
        const answer =
          resource === 'sequence'
            ? await askSequence(subject, PART, { accept })
            : await askDocument(subject, resource, accept);
        return expectStatus(answer, 406);
      },
    }),
  ),
);

/** Checks that a service which has sequences in JSON as well follows the qualities of the client. */
async function expectPreferred(
  subject: RefgetSubject,
  accept: string,
  isExpected: (answer: Answer) => boolean,
): Promise<Verdict> {
  const json = await askSequence(subject, PART, { accept: 'application/json' });
  if (json.status !== 200 || !isJson(json)) return inapplicable('the service does not send sequences as JSON');
  const answer = await askSequence(subject, PART, { accept });
  return expectHeader(answer, 'Content-Type', {
    expected: 'the preferred media type',
    isExpected: () => isExpected(answer),
  });
}

function isJson({ mediaType }: Answer): boolean {
  return /^application\/(?:.*\+)?json$/.test(mediaType);
}

export const NEGOTIATION_RULES: readonly Rule<RefgetSubject>[] = [
  ...PLAIN_RULES,
  ...DOCUMENT_RULES,
  ...REFUSED_RULES,
  {
    id: 'refget.negotiation.plain-preferred',
    section: ACCEPT,
    level: 'SHOULD',
    scope: 'object',
    title: 'sends plain text if its quality is higher than that of JSON',
    run: (subject) => expectPreferred(subject, 'application/json;q=0.4, text/plain;q=0.5', isPlain),
  },
  {
    id: 'refget.negotiation.json-preferred',
    section: ACCEPT,
    level: 'SHOULD',
    scope: 'object',
    title: 'sends JSON if its quality is higher than that of plain text',
    run: (subject) => expectPreferred(subject, 'text/plain;q=0.4, application/json;q=0.5', isJson),
  },
  {
    id: 'refget.negotiation.vary',
    section: 'RFC 9110 §12.5.5',
    level: 'SHOULD',
    scope: 'object',
    title: 'sends Vary: Accept if it has sequences in several media types',
    run: async (subject) => {
      const json = await askSequence(subject, PART, { accept: 'application/json' });
      if (json.status !== 200 || !isJson(json)) return inapplicable('the service does not send sequences as JSON');
      const isExpected = (value: string | undefined): boolean => value === '*' || /\baccept\b(?!-)/.test(value ?? '');
      return expectHeader(json, 'Vary', { expected: 'Accept', isExpected });
    },
  },
];
