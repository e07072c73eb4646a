import { expect, test } from 'vitest';
import { describeRestriction } from '../../src/commands/describe-restriction.js';

test('a name that a service sends is cut', () => {
  expect(describeRestriction({ samples: ['A'.repeat(1e6)] })).toBe(`the samples ${'A'.repeat(100)}…`);
});

test.each([
  [{}, 'a part of what was requested'],
  [{ regions: 'some' }, 'some regions'],
  [{ regions: [] }, 'no regions'],
  [
    { regions: [{ referenceName: 'chr1' }, { referenceName: 'chr2', start: 0, end: 1000 }] },
    'the regions chr1, chr2:1-1,000',
  ],
  [{ samples: ['A', 'B', 'C', 'D', 'E'] }, 'the samples A, B, C and 2 more'],
  [{ regions: [{ referenceName: '*' }], samples: 'some' }, 'the regions * and some samples'],
] as const)('%j is described as "%s"', (restriction, expected) => {
  expect(describeRestriction(restriction)).toBe(expected);
});
