import { readFixture, runReadmeExample } from '@htskit/testing';
import { expect, test } from 'vitest';

test('the example in the README finds records, containers and bases', async () => {
  const { output } = await runReadmeExample(new URL('../README.md', import.meta.url));
  const [, chr2 = ''] = new TextDecoder().decode(readFixture('genome.fa.fai')).split('\n');
  const [, , offset, lineBases, lineBytes] = chr2.split('\t').map(Number);
  expect(output).toMatch(/^(from \d+:\d+ to \d+:\d+\n)+\{ mapped: 4008, unmapped: 87 \} 60\n/);
  expect(output).toMatch(/\n\[ \{ start: \d+, end: \d+ \} \]\nchr2 \d+\n$/);
  expect([lineBases, lineBytes]).toEqual([70, 71]);
  expect(output).toContain(`chr2 ${(offset ?? 0) + 14 * 71 + 20}\n`);
});
