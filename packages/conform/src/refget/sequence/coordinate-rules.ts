import { allKept, inapplicable, type Rule, type Verdict } from '../../engine/rule.js';
import { expectBases, expectHeader, expectLength, expectStatus } from '../expect-answer.js';
import { isPlain, middlePart, type Part, partLimit, scatteredParts, withBases } from '../known-bases.js';
import { askSequence, type RefgetSubject } from '../refget-subject.js';

const RULE = { section: 'Method: get sequence by ID', level: 'MUST', scope: 'object' } as const;
const WHOLE = { isWhole: true } as const;
/** Bases of a sequence up to which a rule fetches nearly all of it again. */
const REPEATED_BASES = 1024 * 1024;

/** Checks the bases that a query selects. */
async function expectQuery(
  subject: RefgetSubject,
  query: string,
  { bases, part }: { readonly bases: Uint8Array; readonly part: Part },
): Promise<Verdict> {
  return expectBases(await askSequence(subject, query), bases.subarray(part.start, part.end));
}

const toQuery = ({ start, end }: Part): string => `?start=${start}&end=${end}`;

export const COORDINATE_RULES: readonly Rule<RefgetSubject>[] = [
  {
    ...RULE,
    id: 'refget.coordinates.status',
    title: 'answers start and end with 200',
    run: withBases(async (subject, known) => expectStatus(await askSequence(subject, toQuery(middlePart(known))), 200)),
  },
  {
    ...RULE,
    id: 'refget.coordinates.bases',
    title: 'sends exactly the bases from start, inclusive, to end, exclusive',
    run: withBases((subject, known) => {
      const part = middlePart(known);
      return expectQuery(subject, toQuery(part), { ...known, part });
    }),
  },
  {
    ...RULE,
    id: 'refget.coordinates.first-base',
    title: 'sends the first base for start=0 and end=1',
    run: withBases((subject, known) =>
      expectQuery(subject, '?start=0&end=1', { ...known, part: { start: 0, end: 1 } }),
    ),
  },
  {
    ...RULE,
    id: 'refget.coordinates.last-base',
    title: 'sends the last base if end is the length',
    run: withBases((subject, known) => {
      const part = { start: known.length - 1, end: known.length };
      return expectQuery(subject, toQuery(part), { ...known, part });
    }, WHOLE),
  },
  {
    ...RULE,
    id: 'refget.coordinates.start-alone',
    title: 'sends the bases from start to the end of the sequence without end',
    run: withBases((subject, known) => {
      const start = Math.max(1, known.length - 1000);
      return expectQuery(subject, `?start=${start}`, { ...known, part: { start, end: known.length } });
    }, WHOLE),
  },
  {
    ...RULE,
    id: 'refget.coordinates.end-alone',
    title: 'sends the bases from the first one to end without start',
    run: withBases((subject, known) => {
      const { end } = middlePart({ ...known, bases: known.bases.subarray(0, 1500) });
      return expectQuery(subject, `?end=${end}`, { ...known, part: { start: 0, end } });
    }),
  },
  {
    ...RULE,
    id: 'refget.coordinates.everything',
    title: 'sends the whole sequence from start=0 to its length with 200',
    run: withBases((subject, known) => {
      if (known.length > Math.min(REPEATED_BASES, partLimit(subject)))
        return inapplicable('the sequence is too long to be fetched again');
      const part = { start: 0, end: known.length };
      return expectQuery(subject, toQuery(part), { ...known, part });
    }, WHOLE),
  },
  {
    ...RULE,
    id: 'refget.coordinates.everywhere',
    title: 'sends the right bases everywhere in the sequence',
    run: withBases((subject, known) =>
      allKept(scatteredParts(known).map((part) => () => expectQuery(subject, toQuery(part), { ...known, part }))),
    ),
  },
  {
    ...RULE,
    id: 'refget.coordinates.equal',
    level: 'SHOULD',
    title: 'sends no bases if start equals end',
    run: withBases((subject, known) => {
      const { start } = middlePart(known);
      return expectQuery(subject, toQuery({ start, end: start }), { ...known, part: { start, end: start } });
    }),
  },
  {
    ...RULE,
    id: 'refget.coordinates.equal-zero',
    level: 'SHOULD',
    title: 'sends no bases for start=0 and end=0',
    run: withBases((subject, known) =>
      expectQuery(subject, '?start=0&end=0', { ...known, part: { start: 0, end: 0 } }),
    ),
  },
  {
    ...RULE,
    id: 'refget.coordinates.accept-ranges',
    level: 'SHOULD',
    title: 'sends Accept-Ranges: none with a part by start and end',
    run: withBases(async (subject, known) =>
      expectHeader(await askSequence(subject, toQuery(middlePart(known))), 'Accept-Ranges', {
        expected: 'none',
        isExpected: (value) => value === 'none',
      }),
    ),
  },
  {
    ...RULE,
    id: 'refget.coordinates.content-type',
    section: 'Internet Media Types Handling',
    title: 'sends a part as text/plain or in the media type of the protocol',
    run: withBases(async (subject, known) => {
      const answer = await askSequence(subject, toQuery(middlePart(known)));
      return expectHeader(answer, 'Content-Type', {
        expected: 'text/vnd.ga4gh.refget.v2.0.0+plain',
        isExpected: () => isPlain(answer),
      });
    }),
  },
  {
    ...RULE,
    id: 'refget.coordinates.content-length',
    section: 'RFC 9110 §8.6',
    level: 'SHOULD',
    title: 'sends the Content-Length of a part',
    run: withBases(async (subject, known) => expectLength(await askSequence(subject, toQuery(middlePart(known))))),
  },
  {
    ...RULE,
    id: 'refget.coordinates.unknown-parameter',
    title: 'ignores query parameters that are not defined',
    readings: ['parameters that are not defined have no effect', 'they do not adhere to the specification: 400'],
    run: withBases((subject, known) => {
      const part = middlePart(known);
      return expectQuery(subject, `${toQuery(part)}&htskit-conform=1`, { ...known, part });
    }),
  },
];
