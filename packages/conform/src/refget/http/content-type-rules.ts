import type { Answer } from '../../engine/answer.js';
import { broken, KEPT, type Rule, type Verdict } from '../../engine/rule.js';
import { askIdentifier } from '../ask.js';
import { expectHeader } from '../expect-answer.js';
import { askSequence, type RefgetSubject } from '../refget-subject.js';

const JSON_TYPE = 'application/vnd.ga4gh.refget.v2.0.0+json; charset=us-ascii';
const FULL_TYPE = /^application\/vnd\.(?:ga4gh|std)\.refget\.v2\.0\.0\+json$/;
const UNKNOWN_ID = 'f'.repeat(32);

/** A document in JSON and how to fetch it. */
interface JsonDocument {
  readonly name: string;
  readonly scope: 'object' | 'service';
  readonly ask: (subject: RefgetSubject) => Promise<Answer>;
}

const DOCUMENTS: readonly JsonDocument[] = [
  { name: 'metadata', scope: 'object', ask: (subject) => askSequence(subject, '/metadata') },
  { name: 'service-info', scope: 'service', ask: async ({ info }) => info },
];

const DOCUMENT_RULES = DOCUMENTS.flatMap(({ name, scope, ask }): readonly Rule<RefgetSubject>[] => [
  {
    id: `refget.content-type.${name}`,
    section: 'Internet Media Types Handling',
    level: 'MUST',
    scope,
    title: `sends ${name} in the fully specified media type of the protocol`,
    run: async (subject) => {
      const answer = await ask(subject);
      return expectHeader(answer, 'Content-Type', {
        expected: JSON_TYPE,
        isExpected: () => FULL_TYPE.test(answer.mediaType),
      });
    },
  },
  {
    id: `refget.content-type.${name}-charset`,
    section: 'Protocol essentials',
    level: 'MUST',
    scope,
    title: `names the encoding of ${name} in its Content-Type`,
    run: async (subject) =>
      expectHeader(await ask(subject), 'Content-Type', {
        expected: JSON_TYPE,
        isExpected: (value) => /;\s*charset=/.test(value ?? ''),
      }),
  },
  {
    id: `refget.content-type.${name}-ascii`,
    section: 'RFC 9110 §8.3.2',
    level: 'MUST',
    scope,
    title: `sends ${name} in the encoding that its Content-Type names`,
    run: async (subject): Promise<Verdict> => {
      const answer = await ask(subject);
      const isAscii = /charset="?us-ascii/i.test(answer.headers.get('content-type') ?? '');
      const at = isAscii ? answer.body.findIndex((byte) => byte > 0x7f) : -1;
      return at < 0
        ? KEPT
        : broken(answer, { expected: 'US-ASCII', found: `the byte ${answer.body[at]} at offset ${at}` });
    },
  },
]);

/** Asks for a sequence that does not exist. */
const askUnknown = (subject: RefgetSubject): Promise<Answer> => askIdentifier(subject, UNKNOWN_ID);

export const CONTENT_TYPE_RULES: readonly Rule<RefgetSubject>[] = [
  ...DOCUMENT_RULES,
  {
    id: 'refget.content-type.error',
    section: 'Protocol essentials',
    level: 'MUST',
    scope: 'service',
    title: 'sends a Content-Type with an error, if it has a body',
    run: async (subject) => {
      const answer = await askUnknown(subject);
      const isExpected = (value: string | undefined): boolean => answer.body.length === 0 || value !== undefined;
      return expectHeader(answer, 'Content-Type', { expected: 'the type of the body', isExpected });
    },
  },
  {
    id: 'refget.content-type.error-not-plain',
    section: 'Protocol essentials',
    level: 'SHOULD',
    scope: 'service',
    title: 'does not send an error as text/plain, which is reserved for sequences',
    run: async (subject) => {
      const answer = await askUnknown(subject);
      const isExpected = (): boolean => answer.body.length === 0 || answer.mediaType !== 'text/plain';
      return expectHeader(answer, 'Content-Type', { expected: 'another type than text/plain', isExpected });
    },
  },
];
