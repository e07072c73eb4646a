import { runReadmeExample } from '@htskit/testing';
import { expect, test } from 'vitest';

test('the example of the README serves a folder', async () => {
  const { output } = await runReadmeExample(new URL('../README.md', import.meta.url), {
    replace: { "paths: ['.']": "paths: ['reads.bam']" },
  });
  expect(output).toBe('200\n');
});
