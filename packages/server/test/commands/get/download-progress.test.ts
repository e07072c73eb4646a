import { expect, test } from 'vitest';
import { formatProgress } from '../../../src/commands/get/download-progress.js';

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
