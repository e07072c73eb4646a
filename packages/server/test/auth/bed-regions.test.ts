import { mutations } from '@htskit/testing';
import { expect, test } from 'vitest';
import { parseBedRegions } from '../../src/auth/bed-regions.js';

test('reads the first three columns, and passes over what is no region', () => {
  const text = [
    'browser position chr1:1-100',
    'track name="panel"',
    'track',
    '# a comment',
    '',
    'chr1\t999\t2000',
    'chr1 0 10 name 0 +',
    '  ',
    'track2\t5\t6\tname\r',
    'HLA-A*01:01\t0\t1',
  ].join('\n');
  expect(parseBedRegions(text)).toEqual([
    { referenceName: 'chr1', start: 999, end: 2000 },
    { referenceName: 'chr1', start: 0, end: 10 },
    { referenceName: 'track2', start: 5, end: 6 },
    { referenceName: 'HLA-A*01:01', start: 0, end: 1 },
  ]);
});

test.each([
  'chr1',
  'chr1\t5',
  'chr1\t5\t5',
  'chr1\t6\t5',
  'chr1\t-1\t5',
  'chr1\t1.5\t5',
  'chr1\t1e3\t5000',
  'chr1\t0x1\t5',
  'chr1\t1\t9007199254740992',
  '\t1\t5',
])('tells the line of %j', (line) => {
  expect(() => parseBedRegions(`chr1\t0\t1\n${line}\n`)).toThrow(/^line 2: expected a name, a start/);
});

test('refuses more regions than each request can go through', () => {
  const text = 'chr1\t0\t1\n'.repeat(100_000);
  expect(parseBedRegions(text)).toHaveLength(100_000);
  expect(() => parseBedRegions(`${text}chr1\t0\t1`)).toThrow('line 100001: more than 100000 regions');
});

/** Why a text is refused, or how many of its regions are none. */
function outcome(text: string): string {
  try {
    const regions = parseBedRegions(text);
    const bad = regions.filter(
      ({ referenceName, start = -1, end = -1 }) => !(referenceName && start >= 0 && end > start),
    );
    return `${bad.length} are none`;
  } catch (error) {
    return (error as Error).message.replace(/^line \d+: /, 'line: ');
  }
}

test('of damaged text, gives regions or the line that is none', () => {
  const text = Buffer.from('# panel\nchr1\t10\t20\tname\nchr2\t30\t40\nchrX\t5\t6\n');
  const counts = { '0 are none': 0, 'line: expected a name, a start and a greater end': 0 };
  for (const { bytes, description } of mutations(text, { seed: 3, count: 500 })) {
    const found = outcome(Buffer.from(bytes).toString()) as keyof typeof counts;
    expect(Object.keys(counts), description).toContain(found);
    counts[found]++;
  }
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(50);
});
