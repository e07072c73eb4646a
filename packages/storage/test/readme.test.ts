import { runReadmeExample } from '@htskit/testing';
import { expect, test } from 'vitest';

test('the example in the README prints what it says', async () => {
  const { output } = await runReadmeExample(new URL('../README.md', import.meta.url));
  expect(output).toMatch(/^1f 8b 08 04\n\d+ bytes\nCHANGED\n$/);
});
