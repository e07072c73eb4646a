import { expectations, readFixture, runReadmeExample } from '@htskit/testing';
import { expect, test } from 'vitest';
import { sequencesOf } from './fasta/read-bases.js';

const README = new URL('../README.md', import.meta.url);
const chrM = sequencesOf(readFixture('genome.fa')).get('chrM') ?? '';

test('the first example in the README prints length, digest and bases of chrM', async () => {
  const { output } = await runReadmeExample(README);
  const digest = expectations('genome.fa').sequences.find(({ name }) => name === 'chrM')?.sha512t24u;
  expect(output.split('\n')).toEqual([`${chrM.length} ${digest}`, chrM.slice(100, 110), '']);
});

test('the example of a store in the README prints its comments and bases of chrM', async () => {
  const { output } = await runReadmeExample(README, { index: 1 });
  expect(output.split('\n')).toEqual(['5 0', chrM.slice(0, 9), '']);
});
