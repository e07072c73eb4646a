import { readFixture, runReadmeExample } from '@htskit/testing';
import { expect, test } from 'vitest';
import { sequencesOf } from '../fasta/read-bases.js';

test('the example of a store in the README prints what it says, and bases across the origin', async () => {
  const { output } = await runReadmeExample(new URL('../../README.md', import.meta.url), { index: 2 });
  const bases = sequencesOf(readFixture('genome.fa')).get('chrM') ?? '';
  expect(output.split('\n')).toEqual(['5 0', `18 ${bases.slice(16_560)}${bases.slice(0, 9)}`, '']);
});
