import { runReadmeExample } from '@htskit/testing';
import { expect, test } from 'vitest';

test('the example in the README prints what it says', async () => {
  const { output } = await runReadmeExample(new URL('../README.md', import.meta.url));
  const body = '{"htsget":{"error":"InvalidInput","message":"start and end need a referenceName"}}';
  expect(output).toBe(`400 ${body}\n`);
});
