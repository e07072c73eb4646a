import { expectations, runReadmeExample } from '@htskit/testing';
import { expect, test } from 'vitest';

const README = new URL('../README.md', import.meta.url);

test('the first example in the README prints the first reference and the sequences', async () => {
  const { output } = await runReadmeExample(README);
  const { sequences } = expectations('genome.fa');
  const lines = sequences.map(({ name, description }) => `${name} ${description}`);
  expect(output).toBe(["{ name: 'chr1', length: 150000 }", ...lines, ''].join('\n'));
});

test('the second example in the README prints a read and the first variants', async () => {
  const { output } = await runReadmeExample(README, { index: 1 });
  expect(output).toMatchInlineSnapshot(`
    "chr1 0 40 40M 2
    chr1 0 N [ 'T' ] [ 0.53125 ]
    chr1 15 NNNNNNNNNNNNNNNNNNNNN [ 'N' ] undefined
    chr1 111 N [ 'C' ] [ 0.65625 ]
    chr1 177 N [ 'A' ] undefined
    chr1 211 N [ 'A' ] [ 0.5 ]
    chr1 287 N [ 'NAGACATACGTA' ] [ 0.859375 ]
    chr1 309 N [ 'T', 'NTT' ] [ 0.96875, 0.125 ]
    chr1 312 N [ 'G' ] undefined
    chr1 376 N [ 'A' ] [ 0.28125 ]
    chr1 447 N [ 'C' ] undefined
    chr1 476 N [ 'G' ] undefined
    chr1 518 N [ 'G' ] [ 0.546875 ]
    chr1 628 NNNNNNNNNNNNNNN [ 'N' ] [ 0.984375 ]
    chr1 645 N [ 'A' ] [ 0.515625 ]
    chr1 749 N [ 'A' ] [ 0.984375 ]
    chr1 774 N [ 'T' ] [ 0.671875 ]
    chr1 828 N [ 'T' ] [ 0.84375 ]
    chr1 877 N [ 'A' ] [ 0.953125 ]
    chr1 918 N [ 'T', 'NTT' ] undefined
    chr1 971 N [ 'A', 'NTT' ] undefined
    "
  `);
});

test('the third example in the README prints the length of a BCF file', async () => {
  const { output } = await runReadmeExample(README, { index: 2 });
  expect(output).toMatchInlineSnapshot(`
    "436560
    "
  `);
});

test('the example of bigWig in the README writes a file and prints its size', async () => {
  const { output } = await runReadmeExample(README, { index: 4 });
  expect(output).toMatchInlineSnapshot(`
    "16968
    "
  `);
});
