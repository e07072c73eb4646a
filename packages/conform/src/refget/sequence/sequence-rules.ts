import { describeAnswer, excerpt } from '../../engine/answer.js';
import { broken, KEPT, type Rule, type Verdict } from '../../engine/rule.js';
import { askSequence, type RefgetSubject } from '../refget-subject.js';

/** A well-formed MD5 of no known sequence. */
const UNKNOWN_ID = 'ffffffffffffffffffffffffffffffff';

export const SEQUENCE_RULES: readonly Rule<RefgetSubject>[] = [
  {
    id: 'refget.sequence.whole-status',
    section: 'GET /sequence/{id}',
    level: 'MUST',
    scope: 'object',
    title: 'answers 200 for a whole sequence',
    run: async (subject) => {
      const answer = await askSequence(subject);
      return answer.status === 200 ? KEPT : broken(answer, { expected: 'status 200', found: describeAnswer(answer) });
    },
  },
  {
    id: 'refget.sequence.letters',
    section: 'GET /sequence/{id}',
    level: 'MUST',
    scope: 'object',
    title: 'sends a sequence as letters without line ends',
    run: async (subject): Promise<Verdict> => {
      const answer = await askSequence(subject);
      if (/^[A-Z]*$/.test(answer.text)) return KEPT;
      const strange = /[^A-Z]/.exec(answer.text)?.[0] ?? '';
      return broken(answer, { expected: 'only letters A to Z', found: JSON.stringify(excerpt(strange) || strange) });
    },
  },
  {
    id: 'refget.errors.unknown-id',
    section: 'Errors',
    level: 'MUST',
    scope: 'service',
    title: 'answers 404 for an unknown digest',
    run: async ({ endpoint, probe }) => {
      const answer = await probe.ask({ url: `${endpoint}/${UNKNOWN_ID}` });
      return answer.status === 404 ? KEPT : broken(answer, { expected: 'status 404', found: describeAnswer(answer) });
    },
  },
];
