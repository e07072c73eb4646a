import { inapplicable, type Rule, type Verdict } from '../../engine/rule.js';
import { expectHeader, expectStatus } from '../expect-answer.js';
import { withBases } from '../known-bases.js';
import type { RefgetSubject } from '../refget-subject.js';

const RULE = { level: 'SHOULD', scope: 'object' } as const;
const urlOf = ({ endpoint, id }: RefgetSubject): string => `${endpoint}/${encodeURIComponent(id)}`;

export const METHOD_RULES: readonly Rule<RefgetSubject>[] = [
  {
    ...RULE,
    id: 'refget.methods.head',
    section: 'RFC 9110 §9.1',
    title: 'answers HEAD for a sequence with 200',
    run: async (subject) => expectStatus(await subject.probe.ask({ url: urlOf(subject), method: 'HEAD' }), 200),
  },
  {
    ...RULE,
    id: 'refget.methods.head-length',
    section: 'RFC 9110 §8.6',
    title: 'sends the number of bases as Content-Length for HEAD, if it sends one',
    run: withBases(async (subject, { length }): Promise<Verdict> => {
      const answer = await subject.probe.ask({ url: urlOf(subject), method: 'HEAD' });
      if (answer.status !== 200) return inapplicable('the service does not answer HEAD');
      const expected = String(length);
      const isExpected = (value: string | undefined): boolean => value === undefined || value === expected;
      return expectHeader(answer, 'Content-Length', { expected, isExpected });
    }),
  },
  {
    ...RULE,
    id: 'refget.methods.post',
    section: 'RFC 9110 §15.5.6',
    title: 'answers 405 or 501 for POST',
    run: async (subject) => expectStatus(await subject.probe.ask({ url: urlOf(subject), method: 'POST' }), 405, 501),
  },
  {
    ...RULE,
    id: 'refget.methods.allow',
    section: 'RFC 9110 §10.2.1',
    title: 'names the methods that it allows with 405',
    run: async (subject) => {
      const answer = await subject.probe.ask({ url: urlOf(subject), method: 'POST' });
      if (answer.status !== 405) return inapplicable('the service does not answer 405');
      return expectHeader(answer, 'Allow', { expected: 'GET', isExpected: (value) => /\bget\b/.test(value ?? '') });
    },
  },
];
