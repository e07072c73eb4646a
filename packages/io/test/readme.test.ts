import { runReadmeExample } from '@htskit/testing';
import { expect, test } from 'vitest';

test('the example in the README prints what its comments say', async () => {
  const { output } = await runReadmeExample(new URL('../README.md', import.meta.url));
  expect(output).toBe('Hello 5\n656c\n');
});
