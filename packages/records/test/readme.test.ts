import { expectations, fixturePath, runReadmeExample } from '@htskit/testing';
import { expect, test, vi } from 'vitest';
import { openAlignments, openVariants } from '../src/index.js';
import { expectedCoverage } from './coverage.js';
import { serveFixtures, serveHtsget } from './file-server.js';

const readme = new URL('../README.md', import.meta.url);

test('the second example draws the coverage of a region', async () => {
  const { origin } = await serveFixtures();
  const drawn: number[] = [];
  const fillRect = (x: number, _top: number, _width: number, height: number): void => {
    drawn[x] = height;
  };
  vi.stubGlobal('document', { querySelector: () => ({ getContext: () => ({ fillRect }) }) });
  await runReadmeExample(readme, { index: 1, replace: { 'https://data.example.org': origin } });
  expect(drawn).toEqual(expectedCoverage());
  expect(drawn.filter((height) => height > 0).length).toBeGreaterThan(300);
});

test('the first example reads variants, lines and a service', async () => {
  const origin = await serveHtsget({ reads: ['reads.bam'] });
  const { output } = await runReadmeExample(readme, { replace: { 'http://127.0.0.1:8080': origin } });
  const lines = output.trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(20);
  expect(output).toMatch(/\d+ \[\s+\{ name: 'chr1', length: 150000 \}/);
});

test('the third example reads all records', async () => {
  const { output } = await runReadmeExample(readme, { index: 2 });
  expect(Number(output)).toBeGreaterThan(expectations('reads.bam').recordCount * 20);
});

test('the example of columns counts reads and deleted bases', async () => {
  const { output } = await runReadmeExample(readme, { index: 3 });
  let [reads, deleted] = [0, 0];
  const file = await openAlignments(fixturePath('reads.bam'));
  for await (const read of file.records('chr1')) {
    reads++;
    for (const { operation, length } of read.cigar) if (operation === 'D') deleted += length;
  }
  await file.close();
  expect(deleted).toBeGreaterThan(0);
  expect(output).toBe(`${reads} ${deleted}\n`);
});

test('the example of Arrow prints the first reads', async () => {
  const { output } = await runReadmeExample(readme, { index: 4 });
  expect(output).toContain('"reference": "chr1"');
  expect(output.match(/"start"/g)).toHaveLength(2);
});

test('the example of genotypes prints the allele frequencies of a contig', async () => {
  const { output } = await runReadmeExample(readme, { index: 5 });
  const lines = output.trimEnd().split('\n');
  const file = await openVariants(fixturePath('variants.vcf.gz'));
  const expected: string[] = [];
  for await (const { start, genotypes } of file.records('chr1')) {
    const alleles = genotypes.flatMap((genotype) => genotype?.alleles ?? []).filter((allele) => allele !== null);
    expected.push(`${start + 1} ${alleles.filter((allele) => allele > 0).length / alleles.length}`);
  }
  await file.close();
  expect(lines).toEqual(expected);
  expect(lines.length).toBeGreaterThan(1000);
});

test('the example of pairs runs', async () => {
  const { output } = await runReadmeExample(readme, { index: 6 });
  // The reads of the file are not paired.
  expect(output).toBe('');
});
