import { readFixture, runReadmeExample } from '@htskit/testing';
import { expect, test } from 'vitest';

const readme = new URL('../README.md', import.meta.url);

test('the first example in the README prints the bytes of its range', async () => {
  const { output } = await runReadmeExample(readme);
  const expected = Buffer.from(readFixture('genome.fa').subarray(130_000, 130_050)).toString();
  expect(output).toBe(`${expected}\n`);
});

test('the second example in the README runs', async () => {
  await expect(runReadmeExample(readme, { index: 1 })).resolves.toBeDefined();
});

test('the example with a web stream lists the blocks of a file', async () => {
  const { output } = await runReadmeExample(readme, {
    index: 2,
    replace: {
      "await fetch('https://data.example.org/reads.bam')": "new Response(new Blob([readFileSync('reads.bam')]))",
      'import { readChunks }': "import { readFileSync } from 'node:fs';\nimport { readChunks }",
    },
  });
  expect(output).toMatch(/^0 \d+\n/);
  expect(output.split('\n').length).toBeGreaterThan(10);
});
