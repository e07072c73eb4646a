import { describeAnswer } from '../../engine/answer.js';
import { allKept, broken, KEPT, type Rule, type Verdict } from '../../engine/rule.js';
import { expectBases, expectStatus } from '../expect-answer.js';
import { type KnownBases, withBases } from '../known-bases.js';
import { askSequence, type RefgetSubject } from '../refget-subject.js';

const HEADERS = 'Method: get sequence by ID, Request parameters';

/** Range headers that select no bases. */
interface InvalidRange {
  readonly name: string;
  readonly section: string;
  readonly title: string;
  readonly ranges: (known: KnownBases) => readonly string[];
  readonly status: number;
  readonly readings: readonly [string, string];
}

const INVALID: readonly InvalidRange[] = [
  {
    name: 'beyond-end',
    section: HEADERS,
    title: 'answers 400 for a Range that begins after the last base',
    ranges: ({ length }) => [`bytes=${length}-${length + 4}`, `bytes=${length + 100}-${length + 200}`],
    status: 400,
    readings: [
      'a range that is out of bounds is a Bad Request: 400, as the specification says',
      'it cannot be satisfied: 416, as RFC 9110 says and the compliance suite expects',
    ],
  },
  {
    name: 'reversed',
    section: 'Range headers',
    title: 'answers 416 for a Range whose first byte is after its last one',
    ranges: () => ['bytes=2-0'],
    status: 416,
    readings: [
      'it cannot be satisfied: 416, as the compliance suite expects',
      'it is invalid, and ignored or rejected with 400',
    ],
  },
  {
    name: 'several',
    section: 'Range headers',
    title: 'answers 400 for a Range header with several ranges',
    ranges: () => ['bytes=0-0,2-2'],
    status: 400,
    readings: [
      'several ranges do not adhere to the specification: 400',
      'the header is ignored: 200 with the whole sequence',
    ],
  },
  {
    name: 'unit',
    section: 'Range headers',
    title: 'answers 400 for a Range in another unit than bytes',
    ranges: () => ['bases=0-1'],
    status: 400,
    readings: [
      'only bytes are defined: 400, as the compliance suite expects',
      'unknown units are ignored, as RFC 9110 says',
    ],
  },
  {
    name: 'malformed',
    section: 'Errors',
    title: 'answers 400 for a malformed Range header',
    ranges: () => ['bytes=ab-19', 'bytes=10--19', 'bytes=-10-', 'bytes==10-19'],
    status: 400,
    readings: [
      'a malformed request: 400, as the compliance suite expects',
      'invalid ranges are ignored, as RFC 9110 allows',
    ],
  },
];

const INVALID_RULES = INVALID.map(
  ({ name, section, title, ranges, status, readings }): Rule<RefgetSubject> => ({
    id: `refget.range.${name}`,
    section,
    level: 'MUST',
    scope: 'object',
    title,
    readings,
    run: withBases((subject, known) =>
      allKept(
        ranges(known).map((range) => async () => expectStatus(await askSequence(subject, '', { range }), status)),
      ),
    ),
  }),
);

export const RANGE_ERROR_RULES: readonly Rule<RefgetSubject>[] = [
  ...INVALID_RULES,
  {
    id: 'refget.range.clipped',
    section: 'RFC 9110 §14.1.2',
    level: 'MUST',
    scope: 'object',
    title: 'sends the bases up to the last one if the last byte of a Range is after it',
    readings: [
      'the range is clipped: 206, as RFC 9110 says and the compliance suite expects',
      'it is partly out of bounds: 400',
    ],
    run: withBases(
      async (subject, { bases, length }) => {
        const answer = await askSequence(subject, '', { range: `bytes=${length - 2}-${length + 100}` });
        return answer.status === 200 ? KEPT : expectBases(answer, bases.subarray(length - 2), 206);
      },
      { isWhole: true },
    ),
  },
  {
    id: 'refget.range.no-wrap',
    section: 'Method: get sequence by ID',
    level: 'MUST',
    scope: 'object',
    title: 'does not send bases across the origin of a circular sequence for a Range',
    run: withBases(async (subject, { length }): Promise<Verdict> => {
      const answer = await askSequence(subject, '', { range: `bytes=${length - 1}-0` });
      if (answer.status !== 206) return KEPT;
      return broken(answer, { expected: 'an error, or the whole sequence with 200', found: describeAnswer(answer) });
    }),
  },
];
