import { expect, test } from 'vitest';
import { isInShare } from '../../../src/commands/prepare/share.js';

test('each file is in one share, and the shares are about equal', () => {
  const counts = Array.from({ length: 7 }, () => 0);
  for (let file = 0; file < 7000; file++) {
    const shares = [...counts.keys()].filter((index) => isInShare(`reads/sample-${file}.bam`, { index, count: 7 }));
    const [share = -1, ...others] = shares;
    expect(others).toEqual([]);
    counts[share] = (counts[share] ?? 0) + 1;
  }
  for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150);
});
