import { concatBytes } from '@htskit/io';
import { inapplicable, type Rule, type Verdict } from '../../engine/rule.js';
import { expectBases, expectHeader, expectStatus } from '../expect-answer.js';
import { findMetadata, type KnownBases, partLimit, withBases } from '../known-bases.js';
import { askSequence, type RefgetSubject } from '../refget-subject.js';

const RULE = { section: 'Method: get sequence by ID', level: 'MUST', scope: 'object' } as const;

/** A part that crosses the origin: the last two bases and the first one. */
const acrossOrigin = ({ length }: KnownBases): string => `?start=${length - 2}&end=1`;

function isSupported({ capabilities }: RefgetSubject): boolean {
  return capabilities['circular_supported'] === true;
}

/** Returns whether a sequence is circular: its metadata says so, which is an extension, or the service wraps around its origin. */
async function isCircular(subject: RefgetSubject, known: KnownBases): Promise<boolean> {
  const circular = (await findMetadata(subject))?.['circular'];
  if (typeof circular === 'boolean') return circular;
  return (await askSequence(subject, acrossOrigin(known))).status === 200;
}

type BasesCheck = (subject: RefgetSubject, known: KnownBases) => Promise<Verdict>;

/** Makes a rule of circular sequences. */
function ofCircular(check: BasesCheck): Rule<RefgetSubject>['run'] {
  return withBases(
    async (subject, known) => {
      if (!isSupported(subject)) return inapplicable('the service does not support circular sequences');
      if (!(await isCircular(subject, known))) return inapplicable('the sequence is not known to be circular');
      return check(subject, known);
    },
    { isWhole: true },
  );
}

/** Makes a rule of services that do not support circular sequences. */
function ofUnsupported(check: BasesCheck): Rule<RefgetSubject>['run'] {
  return withBases(async (subject, known) =>
    isSupported(subject) ? inapplicable('the service supports circular sequences') : check(subject, known),
  );
}

/** Returns the bases from `start` to the end of the sequence, and from its first base to `end`. */
function wrapped({ bases }: KnownBases, start: number, end: number): Uint8Array {
  return concatBytes([bases.subarray(start), bases.subarray(0, end)]);
}

export const CIRCULAR_RULES: readonly Rule<RefgetSubject>[] = [
  {
    ...RULE,
    id: 'refget.circular.wrap',
    title: 'sends the bases from start to the end of a circular sequence, and those from the first one to end',
    run: ofCircular(async (subject, known) =>
      expectBases(await askSequence(subject, acrossOrigin(known)), wrapped(known, known.length - 2, 1)),
    ),
  },
  {
    ...RULE,
    id: 'refget.circular.longest',
    title: 'sends all but one base around the origin',
    run: ofCircular(async (subject, known) => {
      const start = Math.floor(known.length / 2);
      if (known.length > Math.min(1024 * 1024, partLimit(subject)))
        return inapplicable('the sequence is too long to be fetched again');
      const answer = await askSequence(subject, `?start=${start}&end=${start - 1}`);
      return expectBases(answer, wrapped(known, start, start - 1));
    }),
  },
  {
    ...RULE,
    id: 'refget.circular.end-zero',
    title: 'sends the bases from start to the end of a circular sequence for end=0',
    run: ofCircular(async (subject, known) => {
      const answer = await askSequence(subject, `?start=${known.length - 2}&end=0`);
      return expectBases(answer, wrapped(known, known.length - 2, 0));
    }),
  },
  {
    ...RULE,
    id: 'refget.circular.accept-ranges',
    level: 'SHOULD',
    title: 'sends Accept-Ranges: none with a part across the origin',
    run: ofCircular(async (subject, known) =>
      expectHeader(await askSequence(subject, acrossOrigin(known)), 'Accept-Ranges', {
        expected: 'none',
        isExpected: (value) => value === 'none',
      }),
    ),
  },
  {
    ...RULE,
    id: 'refget.circular.start-beyond-end',
    section: 'Method: get sequence by ID, Query parameters',
    title: 'answers 400 for a start that is larger than the length of a circular sequence',
    run: ofCircular(async (subject, { length }) =>
      expectStatus(await askSequence(subject, `?start=${length + 1}&end=1`), 400),
    ),
  },
  {
    ...RULE,
    id: 'refget.circular.start-at-end',
    title: 'answers 416 for a start that equals the length of a circular sequence',
    readings: [
      'the range is out of bounds: 416, as the compliance suite expects',
      'start is not larger than the length: the bases from the first one to end',
    ],
    run: ofCircular(async (subject, { length }) =>
      expectStatus(await askSequence(subject, `?start=${length}&end=1`), 416),
    ),
  },
  {
    ...RULE,
    id: 'refget.circular.linear',
    title: 'answers 416 if start is greater than end and the sequence is not circular',
    run: withBases(async (subject, known) => {
      if (!isSupported(subject)) return inapplicable('the service does not support circular sequences');
      if (await isCircular(subject, known)) return inapplicable('the sequence is circular');
      return expectStatus(await askSequence(subject, acrossOrigin(known)), 416);
    }),
  },
  {
    ...RULE,
    id: 'refget.circular.unsupported',
    title: 'answers 501 or 416 if start is greater than end, without support of circular sequences',
    run: ofUnsupported(async (subject, known) =>
      expectStatus(await askSequence(subject, acrossOrigin(known)), 501, 416),
    ),
  },
  {
    ...RULE,
    id: 'refget.circular.unsupported-status',
    title: 'answers 501 if start is greater than end, without support of circular sequences',
    readings: [
      'it answers 501 for every sequence, as the compliance suite expects',
      'it answers 416 for a sequence that is not circular, and 501 for others',
    ],
    run: ofUnsupported(async (subject, known) => expectStatus(await askSequence(subject, acrossOrigin(known)), 501)),
  },
];
