import { createRandom, excessGrowth, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { DepthAccumulator, type DepthFilter, type DepthRuns } from '../../src/index.js';
import { expectedDepth, scaleAlignments, type TestAlignment, toColumns, toLines } from './alignments.js';

/** Returns the runs of alignments that arrive in batches of at most `batch`. */
function accumulate(alignments: readonly TestAlignment[], filter: DepthFilter = {}, batch = Infinity): DepthRuns[] {
  const accumulator = new DepthAccumulator(filter);
  const runs: DepthRuns[] = [];
  for (let first = 0; first < alignments.length; first += batch) {
    runs.push(...accumulator.add(toColumns(alignments.slice(first, first + batch))));
  }
  return [...runs, ...accumulator.finish()];
}

function randomAlignment(random: () => number): Omit<TestAlignment, 'referenceId' | 'start'> {
  const operations = Array.from({ length: Math.floor(random() * 6) }, () => ({
    type: 'MMMMIDNSHP=X'[Math.floor(random() * 12)] ?? 'M',
    length: 1 + Math.floor(random() * 10),
  }));
  const readLength = operations.reduce((sum, { type, length }) => sum + ('MIS=X'.includes(type) ? length : 0), 0);
  return {
    cigar: operations.map(({ type, length }) => `${length}${type}`).join(''),
    flags: random() < 0.2 ? 2 ** Math.floor(random() * 12) : 0,
    mappingQuality: Math.floor(random() * 61),
    qualities: random() < 0.1 ? undefined : Array.from({ length: readLength }, () => Math.floor(random() * 42)),
  };
}

function randomAlignments(seed: number): TestAlignment[] {
  const random = createRandom(seed);
  return [0, 1, 4].flatMap((referenceId) => {
    let start = 0;
    return Array.from({ length: Math.floor(random() * 60) }, () => {
      if (random() < 0.7) start += Math.floor(random() * 8);
      return { referenceId, start, ...randomAlignment(random) };
    });
  });
}

/** Throws unless the runs of each reference are in order, disjoint, not empty, and not to be joined. */
function checkRuns(runs: readonly DepthRuns[]): void {
  let [previousId, previousEnd, previousDepth] = [-1, -1, -1];
  for (const { referenceId, length, start, end, depth } of runs) {
    if (referenceId !== previousId) previousEnd = -1;
    previousId = referenceId;
    for (let i = 0; i < length; i++) {
      const [from = -1, to = -1] = [start[i], end[i]];
      if (!(from >= previousEnd && to > from)) throw new Error(`run [${from}, ${to}) after ${previousEnd}`);
      if (from === previousEnd && depth[i] === previousDepth) throw new Error(`run at ${from} has the depth before`);
      [previousEnd, previousDepth] = [to, depth[i] ?? -1];
    }
  }
}

const FILTERS: readonly DepthFilter[] = [
  {},
  { countDeletions: true },
  { minMappingQuality: 30, excludeFlags: 0 },
  { minBaseQuality: 20 },
  { minBaseQuality: 20, countDeletions: true },
];

test('the runs of random alignments are the sums of their bases, in any batches', () => {
  let compared = 0;
  for (let seed = 0; seed < volume(500); seed++) {
    const alignments = randomAlignments(seed);
    for (const filter of FILTERS) {
      const runs = accumulate(alignments, filter, 1 + (seed % 50));
      checkRuns(runs);
      expect(toLines(runs)).toEqual(expectedDepth(alignments, filter));
      compared += runs.length;
    }
  }
  expect(compared).toBeGreaterThan(volume(500));
});

test.each([977, 8000, 30_011])('the same holds for alignments %i times as long, which exceed the window', (scale) => {
  for (let seed = 0; seed < volume(100); seed++) {
    const alignments = randomAlignments(seed);
    const runs = accumulate(scaleAlignments(alignments, scale), { countDeletions: seed % 2 === 0 }, 1 + (seed % 50));
    checkRuns(runs);
    expect(toLines(runs, scale)).toEqual(expectedDepth(alignments, { countDeletions: seed % 2 === 0 }));
  }
});

describe('edges of the window', () => {
  test.each([65_535, 65_536, 65_537, 262_143, 262_144, 262_145, 327_680, 1_000_000])(
    'sums records around base %i',
    (base) => {
      const cigars = [`${base}M`, `2M${base}N3M`, '3M', '3M'];
      const runs = accumulate(
        [0, 5, base - 1, base].map((start, i) => ({ referenceId: 0, start, cigar: cigars[i] ?? '' })),
      );
      checkRuns(runs);
      expect(
        runs.flatMap(({ length, start, end, depth }) => Array.from({ length }, (_, i) => [start[i], end[i], depth[i]])),
      ).toEqual([
        [0, 5, 1],
        [5, 7, 2],
        [7, base - 1, 1],
        [base - 1, base + 2, 2],
        [base + 2, base + 3, 1],
        [base + 3, base + 7, 0],
        [base + 7, base + 10, 1],
      ]);
    },
  );

  test('skips to distant records at once', () => {
    const alignments = [0, 3, 1_999_999_999].map((start) => ({ referenceId: 0, start, cigar: '2M' }));
    const runs = accumulate(alignments);
    expect(runs.flatMap(({ start }) => [...start])).toEqual([0, 3, 1_999_999_999]);
    expect(runs.flatMap(({ end }) => [...end])).toEqual([2, 5, 2_000_000_001]);
  });

  test('ends a record that is longer than 2^31 bases at the last base of 32 bits', () => {
    const huge = 2 ** 28 - 1;
    const runs = accumulate([{ referenceId: 0, start: 2 ** 31 - 10, cigar: `5M${huge}N${huge}N4M` }]);
    expect(runs.map(({ start, end, depth }) => [...start, ...end, ...depth])).toEqual([
      [2 ** 31 - 10, 2 ** 31 - 5, 2 ** 31 - 5, 2 ** 31 - 1, 1, 0],
    ]);
  });
});

test('the cost of long records grows with their number, not with their length', () => {
  const prepare = (count: number): TestAlignment[] =>
    Array.from({ length: count }, (_, i) => ({ referenceId: 0, start: i, cigar: `1M${200_000 + i}N1M` }));
  const growth = excessGrowth(
    (count) => toColumns(prepare(count)),
    (columns) => new DepthAccumulator().add(columns),
    { size: 1000 },
  );
  expect(growth).toBeLessThan(8);
});

test('bases without a change take no time, even of records that span whole references', () => {
  const cigar = `1M${`${2 ** 28 - 1}N`.repeat(7)}1M`;
  const runs = accumulate(Array.from({ length: 200 }, (_, referenceId) => ({ referenceId, start: 5, cigar })));
  expect(runs).toHaveLength(200);
  const last = 6 + 7 * (2 ** 28 - 1);
  expect(runs.every(({ end }) => end.join() === `6,${last},${last + 1}`)).toBe(true);
});

test('returns runs as soon as no later record can change them', () => {
  const accumulator = new DepthAccumulator();
  const added = accumulator.add(toColumns([0, 10].map((start) => ({ referenceId: 0, start, cigar: '5M' }))));
  expect(toLines(added)).toHaveLength(5);
  expect(accumulator.add(toColumns([]))).toEqual([]);
  expect(toLines(accumulator.finish())).toHaveLength(5);
  expect(accumulator.finish()).toEqual([]);
});

test('ignores records without a position or a reference', () => {
  const cigar = '5M';
  const records = [
    { referenceId: -1, start: 7, cigar },
    { referenceId: 0, start: -1, cigar },
  ];
  expect(accumulate(records, { excludeFlags: 0 })).toEqual([]);
});

test('refuses a record that is before another one', () => {
  const records = [9, 8].map((start) => ({ referenceId: 0, start, cigar: '5M' }));
  expect(() => accumulate(records)).toThrow(new RangeError('records are not sorted: one at base 8 follows one at 9'));
});

describe('pairs whose overlap counts once', () => {
  const columnsOf = (pairs: readonly (TestAlignment & { name: string; mate: readonly [number, number] })[]) => {
    const names = pairs.map(({ name }) => new TextEncoder().encode(name));
    const offsets = Int32Array.from([
      0,
      ...names.map((_, i) => names.slice(0, i + 1).reduce((sum, { length }) => sum + length, 0)),
    ]);
    return {
      ...toColumns(pairs),
      names: { offsets, values: Uint8Array.from(names.flatMap((name) => [...name])) },
      mateReferenceId: Int32Array.from(pairs, ({ mate }) => mate[0]),
      mateStart: Int32Array.from(pairs, ({ mate }) => mate[1]),
    };
  };
  const linesOf = (pairs: Parameters<typeof columnsOf>[0], filter: DepthFilter = {}): string[] => {
    const accumulator = new DepthAccumulator({ countOverlapsOnce: true, ...filter });
    return toLines([...accumulator.add(columnsOf(pairs)), ...accumulator.finish()]);
  };
  const first = { name: 'a', referenceId: 0, start: 10, cigar: '4M', flags: 0x41, mate: [0, 12] } as const;
  const second = { ...first, start: 12, flags: 0x81, mate: [0, 10] } as const;

  test('count the second read after the end of the first', () => {
    expect(linesOf([first, second])).toEqual([10, 11, 12, 13, 14, 15].map((base) => `0 ${base} 1`));
  });

  test('count the qualities of the bases that are left', () => {
    const pair = [
      { ...first, qualities: [9, 9, 9, 9] },
      { ...second, qualities: [0, 9, 9, 0] },
    ];
    expect(linesOf(pair, { minBaseQuality: 5 })).toEqual(['0 10 1', '0 11 1', '0 12 1', '0 13 1', '0 14 1', '0 15 0']);
  });

  test('have positions without depth where only a clipped read is', () => {
    const deleted = { ...first, cigar: '1M3D' };
    expect(linesOf([deleted, { ...second, cigar: '1M' }])).toEqual(['0 10 1', '0 11 0', '0 12 0', '0 13 0']);
  });

  test.each([
    ['single reads', { flags: 0 }],
    ['reads of other names', { name: 'b' }],
    ['reads whose mate is unmapped', { flags: 0x89 }],
  ])('are not %s', (_, change) => {
    expect(linesOf([first, { ...second, ...change }])).toContain('0 12 2');
  });

  test('count twice without the option', () => {
    expect(linesOf([first, second], { countOverlapsOnce: false })).toContain('0 12 2');
  });
});
