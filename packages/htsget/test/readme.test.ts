import { runReadmeExample } from '@htskit/testing';
import { expect, test } from 'vitest';

test('the example in the README prints a ticket', async () => {
  const { output } = await runReadmeExample(new URL('../README.md', import.meta.url));
  expect(output).toMatch(/^200 \{\s+htsget: \{\s+format: 'BAM'/);
});
