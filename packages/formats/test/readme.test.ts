import { expectations, runReadmeExample } from '@htskit/testing';
import { expect, test } from 'vitest';

test('the example in the README prints the first reference and the sequences', async () => {
  const { output } = await runReadmeExample(new URL('../README.md', import.meta.url));
  const { sequences } = expectations('genome.fa');
  const lines = sequences.map(({ name, description }) => `${name} ${description}`);
  expect(output).toBe(["{ name: 'chr1', length: 150000 }", ...lines, ''].join('\n'));
});
