import { inapplicable, type Rule, type Verdict } from '../../engine/rule.js';
import { expectBases, expectStatus } from '../expect-answer.js';
import { type KnownBases, partLimit, withBases } from '../known-bases.js';
import { askSequence, type RefgetSubject } from '../refget-subject.js';

/** Bases up to which a part of the length of the limit is fetched. */
const FETCHED_BASES = 1024 * 1024;

type LimitCheck = (subject: RefgetSubject, limit: number, known: KnownBases) => Promise<Verdict>;

/** Makes a rule of services that announce a limit which is smaller than the sequence. */
function withLimit(check: LimitCheck): Rule<RefgetSubject>['run'] {
  return withBases(async (subject, known) => {
    const limit = partLimit(subject);
    return limit < known.length
      ? check(subject, limit, known)
      : inapplicable('the service announces no limit that is smaller than the sequence');
  });
}

export const LIMIT_RULES: readonly Rule<RefgetSubject>[] = [
  {
    id: 'refget.limit.over',
    section: 'Method: get sequence by ID',
    level: 'MUST',
    scope: 'object',
    title: 'answers 416 for a part by start and end that exceeds the announced limit',
    run: withLimit(async (subject, limit) =>
      expectStatus(await askSequence(subject, `?start=0&end=${limit + 1}`), 416),
    ),
  },
  {
    id: 'refget.limit.at',
    section: 'Method: Fetch information on the service, Response',
    level: 'MUST',
    scope: 'object',
    title: 'sends a part that is as long as the announced limit',
    run: withLimit(async (subject, limit, { bases }) => {
      if (limit > Math.min(FETCHED_BASES, bases.length)) return inapplicable('the limit is too large to be reached');
      return expectBases(await askSequence(subject, `?start=0&end=${limit}`), bases.subarray(0, limit));
    }),
  },
  {
    id: 'refget.limit.range',
    section: 'Method: Fetch information on the service, Response',
    level: 'MUST',
    scope: 'object',
    title: 'answers 416 for a Range that exceeds the announced limit',
    readings: ['the limit applies to Range headers: 416', 'it applies to start and end only: 206'],
    run: withLimit(async (subject, limit) =>
      expectStatus(await askSequence(subject, '', { range: `bytes=0-${limit}` }), 416),
    ),
  },
];
