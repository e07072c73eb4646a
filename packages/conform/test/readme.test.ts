import { runReadmeExample } from '@htskit/testing';
import { expect, test } from 'vitest';

test('the first example in the README checks a handler', async () => {
  const { output } = await runReadmeExample(new URL('../README.md', import.meta.url));
  expect(output).toMatch(/^true \d+ checks: \d+ passed, 0 failed, 0 warnings, \d+ not applicable\n$/);
});
