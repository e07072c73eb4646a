import { runReadmeExample } from '@htskit/testing';
import { expect, test } from 'vitest';

test('the example in the README decrypts a part of what it encrypts', async () => {
  const { output } = await runReadmeExample(new URL('../README.md', import.meta.url));
  expect(output).toBe('230000 The reads of a genome. \n');
});
