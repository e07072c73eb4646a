import { runReadmeExample } from '@htskit/testing';
import { expect, test } from 'vitest';

test('the example in the README prints the squares', async () => {
  const { output } = await runReadmeExample(new URL('../../README.md', import.meta.url), {
    index: 1,
    replace: {
      "new URL('./square-worker.mjs', import.meta.url)": `new URL('../workers/square-worker.mjs', import.meta.url), { execArgv: [] }`,
    },
  });
  expect(output).toBe('[ 1, 4, 9 ]\n');
});
