import { runReadmeExample } from '@htskit/testing';
import { expect, test } from 'vitest';

test('the example in the README prints what it says', async () => {
  const { output } = await runReadmeExample(new URL('../README.md', import.meta.url));
  const body = '{"htsget":{"error":"InvalidRange","message":"start 99 is greater than end 50"}}';
  expect(output).toBe(`400 ${body}\n`);
});
