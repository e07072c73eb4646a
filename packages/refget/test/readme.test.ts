import { expectations, readFixture, runReadmeExample } from '@htskit/testing';
import { expect, test } from 'vitest';

test('the first example in the README prints bases across the origin and metadata', async () => {
  const { output } = await runReadmeExample(new URL('../README.md', import.meta.url));
  const [, chrM = ''] = new TextDecoder().decode(readFixture('genome.fa')).split(/^>chrM.*$/m);
  const bases = (chrM.split('>')[0] ?? '').replace(/\s/g, '').toUpperCase();
  expect(output.split('\n')[0]).toBe(`18 ${bases.slice(16_560)}${bases.slice(0, 9)}`);
  expect(output).toContain(expectations('genome.fa').sequences[0]?.sha512t24u);
});

test('the example of collections prints the names that the genome and a part of it share', async () => {
  const { output } = await runReadmeExample(new URL('../README.md', import.meta.url), { index: 1 });
  expect(output).toBe('2 true\n');
});
