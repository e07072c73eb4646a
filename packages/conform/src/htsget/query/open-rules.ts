import { type Answer, describeAnswer } from '../../engine/answer.js';
import { broken, inapplicable, KEPT, type Rule, RuleEnd, type Verdict } from '../../engine/rule.js';
import { errorName } from '../errors/expect-error.js';
import { readAnswer } from '../file/whole-file.js';
import { askTicket, type HtsgetSubject, postTicket, ticketRequest } from '../htsget-subject.js';
import { answersPost, NO_POST } from '../post/answers-post.js';
import { findReference } from '../references.js';

/** A point that the specification leaves open: a request, and the answer of the first reading. */
interface OpenPoint {
  readonly name: string;
  readonly section: string;
  readonly title: string;
  readonly readings: readonly [string, string];
  readonly expected: string;
  readonly ask: (subject: HtsgetSubject) => Promise<Answer>;
  readonly isFirst: (answer: Answer, subject: HtsgetSubject) => boolean | Promise<boolean>;
}

const IGNORED = 'unknown parameters are ignored';
const REFUSED = 'the request is refused by InvalidInput';

function isTicket({ status }: Answer): boolean {
  return status === 200;
}

function isInvalidInput(answer: Answer): boolean {
  return answer.status === 400 && errorName(answer) === 'InvalidInput';
}

/** Returns whether an answer is a file without records. */
async function isEmptyFile(answer: Answer, subject: HtsgetSubject): Promise<boolean> {
  return answer.status === 200 && (await readAnswer(subject, answer)).decoded.records.length === 0;
}

const PARAMETER_POINTS: readonly OpenPoint[] = [
  {
    name: 'format-case',
    section: 'GET query parameters, format',
    title: 'accepts formats in lower case',
    readings: [
      'formats are recognised in any letter case, as the published example of POST has "bam"',
      'only as listed',
    ],
    expected: 'a ticket',
    ask: (subject) => askTicket(subject, { format: subject.format.toLowerCase(), class: 'header' }),
    isFirst: isTicket,
  },
  {
    name: 'unknown-parameter',
    section: 'GET query parameters',
    title: 'ignores parameters that the protocol does not have',
    readings: [IGNORED, REFUSED],
    expected: 'a ticket',
    ask: (subject) => askTicket(subject, { class: 'header', 'htskit-conform': '1' }),
    isFirst: isTicket,
  },
  {
    name: 'repeated-parameter',
    section: 'GET query parameters',
    title: 'refuses a parameter that is given twice',
    readings: [REFUSED, 'one of the values counts'],
    expected: '400 InvalidInput',
    async ask(subject) {
      const { url } = ticketRequest(subject, { format: subject.format, class: 'header' });
      return subject.probe.ask({ url: `${url}&class=header`, headers: {} });
    },
    isFirst: isInvalidInput,
  },
  {
    name: 'empty-start',
    section: 'GET query parameters, start',
    title: 'refuses a start without a value',
    readings: [REFUSED, 'an empty start counts as a missing one'],
    expected: '400 InvalidInput',
    ask: async (subject) => askTicket(subject, { referenceName: await findReference(subject), start: '' }),
    isFirst: isInvalidInput,
  },
  {
    name: 'unplaced-variants',
    section: 'GET query parameters, referenceName',
    title: 'answers NotFound for referenceName=* of variants',
    readings: ['* is the name of no reference', 'the answer is a file without records'],
    expected: '404 NotFound',
    async ask(subject) {
      if (subject.datatype !== 'variants') throw new RuleEnd(inapplicable('the rule is about variants'));
      return askTicket(subject, { referenceName: '*' });
    },
    isFirst: (answer) => answer.status === 404 && errorName(answer) === 'NotFound',
  },
];

const RANGE_POINTS: readonly OpenPoint[] = [
  {
    name: 'empty-region',
    section: 'GET query parameters, end',
    title: 'answers a start that is the end with a file without records',
    readings: [
      'InvalidRange is for a start after the end, so that the range is empty',
      'an empty range is an InvalidRange',
    ],
    expected: 'a file without records',
    ask: async (subject) => askTicket(subject, { referenceName: await findReference(subject), start: '7', end: '7' }),
    isFirst: isEmptyFile,
  },
  {
    name: 'start-after-reference',
    section: 'Result rules 2',
    title: 'answers a start after the last base with a file without records',
    readings: ['the result is empty', 'the range cannot be satisfied: InvalidRange'],
    expected: 'a file without records',
    ask: async (subject) => askTicket(subject, { referenceName: await findReference(subject), start: '2000000000' }),
    isFirst: isEmptyFile,
  },
  {
    name: 'end-after-reference',
    section: 'Limits',
    title: 'accepts an end after the last base',
    readings: ['the range is clamped to the reference', 'the range cannot be satisfied: InvalidRange'],
    expected: 'a ticket',
    ask: async (subject) =>
      askTicket(subject, { referenceName: await findReference(subject), start: '0', end: '2147483647' }),
    isFirst: isTicket,
  },
  {
    name: 'int64-end',
    section: 'Limits',
    title: 'accepts an end of 2^40',
    readings: [
      'positions are int64, as the machine-readable description has them',
      'unsigned integers of 32 bits, as the text has them',
    ],
    expected: 'a ticket',
    ask: async (subject) =>
      askTicket(subject, { referenceName: await findReference(subject), start: '0', end: `${2 ** 40}` }),
    isFirst: isTicket,
  },
];

const POST_POINTS: readonly OpenPoint[] = [
  {
    name: 'post-top-level-region',
    section: 'POST rules 1',
    title: 'refuses referenceName outside of regions',
    readings: [REFUSED, IGNORED],
    expected: '400 InvalidInput',
    ask: async (subject) => postTicket(subject, { class: 'header', referenceName: await findReference(subject) }),
    isFirst: isInvalidInput,
  },
  {
    name: 'post-unknown-member',
    section: 'POST request body',
    title: 'ignores members of a body that the protocol does not have',
    readings: [IGNORED, REFUSED],
    expected: 'a ticket',
    ask: (subject) => postTicket(subject, { class: 'header', 'htskit-conform': 1 }),
    isFirst: isTicket,
  },
];

function toRule(
  { name, section, title, readings, expected, ask, isFirst }: OpenPoint,
  isAsked: (subject: HtsgetSubject) => Promise<boolean>,
): Rule<HtsgetSubject> {
  const run = async (subject: HtsgetSubject): Promise<Verdict> => {
    if (!(await isAsked(subject))) return inapplicable(NO_POST);
    const answer = await ask(subject);
    return (await isFirst(answer, subject)) ? KEPT : broken(answer, { expected, found: describeAnswer(answer) });
  };
  return { id: `htsget.open.${name}`, section, level: 'MAY', scope: 'object', title, readings, run };
}

/** Rules about points that the specification leaves open. A service that follows the second reading is warned about. */
export const OPEN_RULES: readonly Rule<HtsgetSubject>[] = [
  ...[...PARAMETER_POINTS, ...RANGE_POINTS].map((point) => toRule(point, async () => true)),
  ...POST_POINTS.map((point) => toRule(point, answersPost)),
];
