import { runReadmeExample } from '@htskit/testing';
import { expect, test } from 'vitest';

const README = new URL('../README.md', import.meta.url);

test('the example in the README prints the runs of two records', async () => {
  const { output } = await runReadmeExample(README);
  expect(output).toBe('10 40 1\n40 60 2\n');
});
