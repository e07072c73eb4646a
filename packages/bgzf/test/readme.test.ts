import { readFixture, runReadmeExample } from '@htskit/testing';
import { expect, test } from 'vitest';

test('the example in the README prints the bytes of its range', async () => {
  const { output } = await runReadmeExample(new URL('../README.md', import.meta.url));
  const expected = Buffer.from(readFixture('genome.fa').subarray(130_000, 130_050)).toString();
  expect(output).toBe(`${expected}\n`);
});
