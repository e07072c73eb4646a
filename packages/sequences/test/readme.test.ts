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

test('the example for browsers in the README describes a genome in a Blob', async () => {
  const genome = readFixture('genome.fa.gz');
  const [first] = expectations('genome.fa').sequences;
  const use = async ({ describeGenome }: Readonly<Record<string, unknown>>): Promise<void> => {
    const describe = describeGenome as (file: Blob) => Promise<string>;
    const bases = (sequencesOf(readFixture('genome.fa')).get(first?.name ?? '') ?? '').slice(0, 10);
    const text = await describe(new Blob([genome as Uint8Array<ArrayBuffer>]));
    expect(text).toBe(`gkXqZmH-_3jmm1z3MOao_tuhNIuCGnAr ${first?.name} ${first?.md5} ${bases}`);
  };
  await runReadmeExample(README, { index: 1, use });
});

test('the example of a store in the README prints its comments and bases of chrM', async () => {
  const { output } = await runReadmeExample(README, { index: 2 });
  expect(output.split('\n')).toEqual(['5 0', chrM.slice(0, 9), '']);
});
