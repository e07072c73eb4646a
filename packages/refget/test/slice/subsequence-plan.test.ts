import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planSubsequence, type SubsequenceRules, totalLength } from '../../src/slice/subsequence-plan.js';

/** Ten bases and the default settings. */
const LINEAR: SubsequenceRules = {
  length: 10,
  circular: false,
  circularSupported: true,
  subsequenceLimit: 0,
  rangeOutOfBounds: 400,
};
const CIRCULAR: SubsequenceRules = { ...LINEAR, circular: true };
const NO_CIRCULAR: SubsequenceRules = { ...CIRCULAR, circularSupported: false };
const EMPTY: SubsequenceRules = { ...LINEAR, length: 0 };
const LIMIT_4: SubsequenceRules = { ...CIRCULAR, subsequenceLimit: 4 };
const RFC_9110: SubsequenceRules = { ...LINEAR, rangeOutOfBounds: 416 };

/** Describes a plan in one line: `200 2-5`, `206 2-5 bytes 2-4/10`, `416 bytes *\/10`. */
function summarize(query: { start?: number; end?: number; range?: string }, rules: SubsequenceRules): string {
  const plan = planSubsequence({ ...query, range: query.range ?? null }, rules);
  if (plan.kind === 'refused') {
    return [plan.error.status, plan.contentRange].filter((part) => part !== undefined).join(' ');
  }
  const intervals = plan.intervals.map(({ start, end }) => `${start}-${end}`).join('+') || 'nothing';
  if (plan.kind === 'range') return `206 ${intervals} ${plan.contentRange}`;
  return plan.kind === 'whole' ? `200 whole ${intervals}` : `200 ${intervals}`;
}

type Row = readonly [start: number | undefined, end: number | undefined, rules: SubsequenceRules, expected: string];

describe('start and end', () => {
  test.each<Row>([
    [undefined, undefined, LINEAR, '200 whole 0-10'],
    [undefined, undefined, EMPTY, '200 whole nothing'],
    [undefined, undefined, LIMIT_4, '200 whole 0-10'],
    [2, 5, LINEAR, '200 2-5'],
    [0, 10, LINEAR, '200 0-10'],
    [2, undefined, LINEAR, '200 2-10'],
    [undefined, 5, LINEAR, '200 0-5'],
    [9, 10, LINEAR, '200 9-10'],
    // an empty subsequence
    [5, 5, LINEAR, '200 nothing'],
    [0, 0, LINEAR, '200 nothing'],
    [undefined, 0, LINEAR, '200 nothing'],
    [5, 5, CIRCULAR, '200 nothing'],
    [5, 5, NO_CIRCULAR, '200 nothing'],
    // beyond the sequence
    [11, undefined, LINEAR, '400'],
    [11, 12, LINEAR, '400'],
    [11, 5, CIRCULAR, '400'],
    [11, 5, NO_CIRCULAR, '400'],
    [4_294_967_295, undefined, LINEAR, '400'],
    [10, undefined, LINEAR, '416'],
    [10, 10, LINEAR, '416'],
    [10, 5, CIRCULAR, '416'],
    [10, 5, NO_CIRCULAR, '416'],
    [0, 11, LINEAR, '416'],
    [undefined, 4_294_967_295, LINEAR, '416'],
    [5, 11, CIRCULAR, '416'],
    // the empty sequence
    [0, undefined, EMPTY, '200 nothing'],
    [0, 0, EMPTY, '200 nothing'],
    [undefined, 0, EMPTY, '200 nothing'],
    [1, undefined, EMPTY, '400'],
    [0, 1, EMPTY, '416'],
    // start > end
    [7, 3, NO_CIRCULAR, '501'],
    [7, 3, { ...NO_CIRCULAR, circular: false }, '501'],
    [7, 3, LINEAR, '416'],
    [7, 3, CIRCULAR, '200 7-10+0-3'],
    [7, 0, CIRCULAR, '200 7-10'],
    [9, 8, CIRCULAR, '200 9-10+0-8'],
    // the limit, after wrapping
    [0, 4, LIMIT_4, '200 0-4'],
    [0, 5, LIMIT_4, '416'],
    [0, undefined, LIMIT_4, '416'],
    [8, 2, LIMIT_4, '200 8-10+0-2'],
    [8, 3, LIMIT_4, '416'],
    [3, 3, LIMIT_4, '200 nothing'],
  ])('start %s, end %s with %o: %s', (start, end, rules, expected) => {
    expect(summarize({ ...(start !== undefined && { start }), ...(end !== undefined && { end }) }, rules)).toBe(
      expected,
    );
  });
});

describe('Range', () => {
  test.each<readonly [range: string, rules: SubsequenceRules, expected: string]>([
    ['bytes=2-4', LINEAR, '206 2-5 bytes 2-4/10'],
    ['bytes=0-9', LINEAR, '206 0-10 bytes 0-9/10'],
    ['bytes=0-0', LINEAR, '206 0-1 bytes 0-0/10'],
    // clipped
    ['bytes=2-10', LINEAR, '206 2-10 bytes 2-9/10'],
    ['bytes=0-99999999999999999999', LINEAR, '206 0-10 bytes 0-9/10'],
    // open and suffix
    ['bytes=7-', LINEAR, '206 7-10 bytes 7-9/10'],
    ['bytes=-3', LINEAR, '206 7-10 bytes 7-9/10'],
    ['bytes=-30', LINEAR, '206 0-10 bytes 0-9/10'],
    // out of bounds
    ['bytes=10-', LINEAR, '400 bytes */10'],
    ['bytes=10-12', LINEAR, '400 bytes */10'],
    ['bytes=-0', LINEAR, '400 bytes */10'],
    ['bytes=0-', EMPTY, '400 bytes */0'],
    ['bytes=-5', EMPTY, '400 bytes */0'],
    ['bytes=10-', RFC_9110, '416 bytes */10'],
    ['bytes=-0', RFC_9110, '416 bytes */10'],
    // first > last never wraps
    ['bytes=7-3', LINEAR, '416 bytes */10'],
    ['bytes=7-3', CIRCULAR, '416 bytes */10'],
    ['bytes=7-3', NO_CIRCULAR, '416 bytes */10'],
    ['bytes=70-30', LINEAR, '416 bytes */10'],
    // not one range of bytes
    ['bytes=0-1,3-4', LINEAR, '400'],
    ['bytes=0-1,', LINEAR, '400'],
    ['bytes=', LINEAR, '400'],
    ['bytes=-', LINEAR, '400'],
    ['bytes=a-b', LINEAR, '400'],
    ['bytes=1.5-3', LINEAR, '400'],
    ['bases=0-1', LINEAR, '400'],
    ['0-1', LINEAR, '400'],
    ['', LINEAR, '400'],
    ['bytes=0-1,3-4', RFC_9110, '400'],
    // the limit, after clipping
    ['bytes=6-99', LIMIT_4, '206 6-10 bytes 6-9/10'],
    ['bytes=5-99', LIMIT_4, '416 bytes */10'],
    ['bytes=-5', LIMIT_4, '416 bytes */10'],
  ])('%s with %o: %s', (range, rules, expected) => {
    expect(summarize({ range }, rules)).toBe(expected);
  });

  test.each([{ start: 0 }, { end: 0 }, { end: 10 }, { start: 2, end: 5 }, { start: 11 }])(
    'together with %o is a 400',
    (coordinates) => {
      expect(summarize({ ...coordinates, range: 'bytes=2-4' }, LINEAR)).toBe('400');
      expect(summarize({ ...coordinates, range: 'nonsense' }, LINEAR)).toBe('400');
      expect(summarize({ ...coordinates, range: 'bytes=99-' }, RFC_9110)).toBe('400');
    },
  );
});

test('plans the slice of the sequence written twice', () => {
  const bases = Array.from({ length: 10 }, (_, base) => base);
  fc.assert(
    fc.property(fc.nat(9), fc.nat(10), (start, end) => {
      const plan = planSubsequence({ start, end, range: null }, CIRCULAR);
      const intervals = plan.kind === 'refused' ? [] : plan.intervals;
      expect(intervals.flatMap((interval) => bases.slice(interval.start, interval.end))).toEqual(
        [...bases, ...bases].slice(start, start <= end ? end : 10 + end),
      );
    }),
  );
});

test('plans no empty interval and none beyond the sequence', () => {
  const optional = fc.option(fc.nat(12), { nil: undefined });
  fc.assert(
    fc.property(optional, optional, fc.nat(11), fc.boolean(), fc.nat(5), (start, end, length, circular, limit) => {
      const plan = planSubsequence(
        { ...(start !== undefined && { start }), ...(end !== undefined && { end }), range: null },
        { ...LINEAR, length, circular, subsequenceLimit: limit },
      );
      const intervals = plan.kind === 'refused' ? [] : plan.intervals;
      for (const interval of intervals) {
        expect(interval.start).toBeGreaterThanOrEqual(0);
        expect(interval.end).toBeGreaterThan(interval.start);
        expect(interval.end).toBeLessThanOrEqual(length);
      }
      const mostBases = plan.kind === 'query' && limit > 0 ? limit : length;
      expect(totalLength(intervals)).toBeLessThanOrEqual(mostBases);
    }),
  );
});
