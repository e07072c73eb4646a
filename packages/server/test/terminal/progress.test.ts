import { expect, test } from 'vitest';
import { formatProgress, startProgressLines } from '../../src/terminal/progress.js';

test('logs a line every ten seconds at most, and one at the end', () => {
  const lines: string[] = [];
  let milliseconds = 0;
  const progress = startProgressLines('genome.fa', {
    byteLength: 3e9,
    log: (line) => lines.push(line),
    now: () => milliseconds,
  });
  for (milliseconds = 1000; milliseconds < 25_000; milliseconds += 1000) progress.update(milliseconds * 1e5);
  progress.stop();
  expect(lines).toEqual([
    'digesting genome.fa: 33% of 3000 MB',
    'digesting genome.fa: 66% of 3000 MB',
    'digesting genome.fa took 25 s',
  ]);
});

test('logs nothing for a task of less than ten seconds', () => {
  const lines: string[] = [];
  let milliseconds = 0;
  const options = { byteLength: 10, log: (line: string) => lines.push(line), now: () => milliseconds };
  const progress = startProgressLines('genome.fa', options);
  milliseconds = 9999;
  progress.update(10);
  progress.stop();
  expect(lines).toEqual([]);
});

test.each([
  [{ bytes: 2_400_000, totalBytes: undefined, blocks: 3, totalBlocks: 7 }, 'a.bam 2 MB, 3 of 7 blocks'],
  [
    { bytes: 1_500_000_000, totalBytes: 3_000_000_000, blocks: 3, totalBlocks: 7 },
    'a.bam [===============---------------] 50% of 3,000 MB',
  ],
  [{ bytes: 0, totalBytes: 0, blocks: 0, totalBlocks: 0 }, 'a.bam [==============================] 100% of 0 MB'],
])('shows bytes, or blocks if the length is unknown', (progress, expected) => {
  expect(formatProgress('a.bam', progress)).toBe(expected);
});
