import { readFixture, runReadmeExample } from '@htskit/testing';
import { expect, test } from 'vitest';

test('the example in the README prints the size, the URL and a range of a file', async () => {
  const { output } = await runReadmeExample(new URL('../README.md', import.meta.url));
  expect(output).toContain(`${readFixture('reads.bam').length} [`);
  expect(output).toContain('https://data.example.org/files/reads.bam\n206 18\n');
});
