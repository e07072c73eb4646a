import { type Answer, describeAnswer } from '../../engine/answer.js';
import { allKept, broken, inapplicable, KEPT, type Rule, RuleEnd, type Verdict } from '../../engine/rule.js';
import { expectBases, expectHeader, expectLength, expectStatus } from '../expect-answer.js';
import { isPlain, type KnownBases, middlePart, type Part, scatteredParts, withBases } from '../known-bases.js';
import { askSequence, type RefgetSubject } from '../refget-subject.js';

const RULE = { section: 'Range headers', level: 'MUST', scope: 'object' } as const;
const WHOLE = { isWhole: true } as const;

/** Returns the Range header of a part, whose last byte is included. */
const toRange = ({ start, end }: Part): string => `bytes=${start}-${end - 1}`;

/** Checks the bases that a Range selects. A service may ignore the header and send the whole sequence with 200. */
async function expectRange(subject: RefgetSubject, known: KnownBases, { range, part }: RangeRequest): Promise<Verdict> {
  const answer = await askSequence(subject, '', { range });
  if (answer.status === 200 && known.isWhole) return expectBases(answer, known.bases);
  if (answer.status === 200) return KEPT;
  return expectBases(answer, known.bases.subarray(part.start, part.end), 206);
}

interface RangeRequest {
  readonly range: string;
  readonly part: Part;
}

/** A request whose Range selects bases. */
interface SelectedRange {
  readonly name: string;
  readonly title: string;
  readonly select: (known: KnownBases) => RangeRequest;
  readonly isWhole?: boolean;
}

const SELECTED: readonly SelectedRange[] = [
  {
    name: 'bases',
    title: 'sends exactly the bases of a Range, the last one included, or the whole sequence',
    select: (known) => ({ range: toRange(middlePart(known)), part: middlePart(known) }),
  },
  {
    name: 'first-base',
    title: 'sends the first base for the Range bytes=0-0',
    select: () => ({ range: 'bytes=0-0', part: { start: 0, end: 1 } }),
  },
  {
    name: 'last-base',
    title: 'sends the last base for a Range of it',
    select: ({ length }) => ({ range: `bytes=${length - 1}-${length - 1}`, part: { start: length - 1, end: length } }),
    isWhole: true,
  },
  {
    name: 'open',
    title: 'sends the bases to the end of the sequence for a Range without a last byte',
    select: ({ length }) => {
      const start = Math.max(1, length - 1000);
      return { range: `bytes=${start}-`, part: { start, end: length } };
    },
    isWhole: true,
  },
  {
    name: 'suffix',
    title: 'sends the last bases for a Range that counts from the end',
    select: ({ length }) => ({ range: 'bytes=-2', part: { start: length - 2, end: length } }),
    isWhole: true,
  },
];

const SELECTED_RULES = SELECTED.map(
  ({ name, title, select, isWhole = false }): Rule<RefgetSubject> => ({
    ...RULE,
    id: `refget.range.${name}`,
    title,
    run: withBases((subject, known) => expectRange(subject, known, select(known)), { isWhole }),
  }),
);

/** Asks for a part by a Range. Ends the rule if the service sends the whole sequence or an error. */
async function askPartial(subject: RefgetSubject, part: Part): Promise<Answer> {
  const answer = await askSequence(subject, '', { range: toRange(part) });
  if (answer.status === 206) return answer;
  throw new RuleEnd(inapplicable('the service does not answer Range headers with 206'));
}

/** Makes a rule about the headers of an answer with 206. */
function withPartial(check: (answer: Answer, known: KnownBases, part: Part) => Verdict): Rule<RefgetSubject>['run'] {
  return withBases(async (subject, known) => {
    const part = middlePart(known);
    return check(await askPartial(subject, part), known, part);
  });
}

export const RANGE_RULES: readonly Rule<RefgetSubject>[] = [
  ...SELECTED_RULES,
  {
    ...RULE,
    id: 'refget.range.everywhere',
    title: 'sends the right bases everywhere in the sequence',
    run: withBases((subject, known) =>
      allKept(scatteredParts(known).map((part) => () => expectRange(subject, known, { range: toRange(part), part }))),
    ),
  },
  {
    ...RULE,
    id: 'refget.range.partial',
    section: 'Method: get sequence by ID, Response',
    level: 'SHOULD',
    title: 'answers a Range with 206',
    run: withBases(async (subject, known) =>
      expectStatus(await askSequence(subject, '', { range: toRange(middlePart(known)) }), 206),
    ),
  },
  {
    ...RULE,
    id: 'refget.range.content-range',
    section: 'RFC 9110 §15.3.7',
    title: 'sends the Content-Range of a part, in bases of the whole sequence',
    run: withPartial((answer, { length }, { start, end }) => {
      const expected = `bytes ${start}-${end - 1}/${length}`;
      return expectHeader(answer, 'Content-Range', { expected, isExpected: (value) => value === expected });
    }),
  },
  {
    ...RULE,
    id: 'refget.range.content-length',
    section: 'RFC 9110 §8.6',
    level: 'SHOULD',
    title: 'sends the Content-Length of a part',
    run: withPartial(expectLength),
  },
  {
    ...RULE,
    id: 'refget.range.content-type',
    section: 'Internet Media Types Handling',
    title: 'sends a part as text/plain or in the media type of the protocol',
    run: withPartial((answer) =>
      expectHeader(answer, 'Content-Type', {
        expected: 'text/vnd.ga4gh.refget.v2.0.0+plain',
        isExpected: () => isPlain(answer),
      }),
    ),
  },
  {
    ...RULE,
    id: 'refget.range.accept-ranges',
    section: 'RFC 9110 §14.3',
    level: 'MAY',
    title: 'announces Range headers with a whole sequence, if it answers them',
    run: withBases(async (subject, known) => {
      await askPartial(subject, middlePart(known));
      const isExpected = (value: string | undefined): boolean => value === 'bytes';
      return expectHeader(await askSequence(subject), 'Accept-Ranges', { expected: 'bytes', isExpected });
    }, WHOLE),
  },
  {
    ...RULE,
    id: 'refget.range.several-parts',
    title: 'does not send several parts in one answer',
    run: withBases(async (subject) => {
      const answer = await askSequence(subject, '', { range: 'bytes=0-0,2-2' });
      if (!answer.mediaType.startsWith('multipart/')) return KEPT;
      return broken(answer, { expected: 'an error, or one sequence', found: describeAnswer(answer) });
    }),
  },
];
