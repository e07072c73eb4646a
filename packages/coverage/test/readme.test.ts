import { runReadmeExample } from '@htskit/testing';
import { expect, test } from 'vitest';

const README = new URL('../README.md', import.meta.url);

test('the third example in the README counts variants in three bins', async () => {
  const { output } = await runReadmeExample(README, { index: 2 });
  expect(output).toMatchInlineSnapshot(`
    "932 958 975
    "
  `);
});

test('the fifth example in the README answers a request', async () => {
  const { output } = await runReadmeExample(README, { index: 4 });
  expect(output).toBe('false 500\n');
});

test('the fourth example in the README estimates three bins', async () => {
  const { output } = await runReadmeExample(README, { index: 3 });
  expect(output).toBe('3 3\n');
});

test('the first example in the README reads the depth of a file', async () => {
  const { output } = await runReadmeExample(README);
  expect(output).toMatchInlineSnapshot(`
    "500 500 true
    71056
    "
  `);
});

test('the second example in the README prints the runs of two records', async () => {
  const { output } = await runReadmeExample(README, { index: 1 });
  expect(output).toBe('10 40 1\n40 60 2\n');
});
