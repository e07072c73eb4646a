import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createRandom, fixturePath } from '@htskit/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { type GenotypeBatch, openVariants, type VariantFile } from '../src/index.js';

const folder = mkdtempSync(join(tmpdir(), 'genotypes-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the output of bcftools. Throws if it fails. */
function bcftools(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('bcftools', args, { maxBuffer: 1 << 30 });
  if (status !== 0) throw new Error(`bcftools ${args.join(' ')}: ${stderr.toString()}`);
  return stdout.toString();
}

/** Returns the positions and genotypes that bcftools prints. */
function query(path: string, args: readonly string[] = []): string[] {
  return bcftools('query', '-f', '%POS[\t%GT]\n', ...args, path)
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t').map(toUniform).join('\t'));
}

/** Returns a genotype with the separators that its phase has: bcftools prints the phase of each allele. */
function toUniform(genotype: string): string {
  return genotype.includes('/') ? genotype.replaceAll('|', '/') : genotype;
}

async function linesOf(batches: AsyncIterable<GenotypeBatch>): Promise<string[]> {
  const lines: string[] = [];
  for await (const { length, start, sampleCount, ploidy, alleles, phased } of batches) {
    for (let record = 0; record < length; record++) {
      const calls = Array.from({ length: sampleCount }, (_, sample) => {
        const call = record * sampleCount + sample;
        const numbers = Array.from(alleles.subarray(call * ploidy, (call + 1) * ploidy)).filter(
          (allele) => allele > -2,
        );
        const isPhased = (((phased[call >> 3] ?? 0) >> (call & 7)) & 1) === 1;
        return numbers.map((allele) => (allele === -1 ? '.' : allele)).join(isPhased ? '|' : '/') || '.';
      });
      lines.push([(start[record] ?? 0) + 1, ...calls].join('\t'));
    }
  }
  return lines;
}

async function withFile<T>(path: string, read: (file: VariantFile) => Promise<T>): Promise<T> {
  const file = await openVariants(path);
  try {
    return await read(file);
  } finally {
    await file.close();
  }
}

const external = process.env['HTSKIT_EXTERNAL_DATA'];
const folders = [fixturePath('.'), ...(external === undefined ? [] : [external])];
const paths = folders.flatMap((each) =>
  readdirSync(each)
    .filter((name) => name.endsWith('.vcf.gz') || name.endsWith('.bcf'))
    .map((name) => join(each, name)),
);

test.each(paths.map((path) => [basename(path), path]))('genotypes are those of bcftools query: %s', async (_, path) => {
  const lines = await withFile(path, (file) => linesOf(file.genotypes()));
  expect(lines).toEqual(query(path));
});

describe('generated files', () => {
  const sampleCount = 40;
  const names = Array.from({ length: sampleCount }, (_, sample) => `s${sample}`);
  const plain = join(folder, 'random.vcf');
  writeFileSync(plain, randomVcf(names, 3000));
  const files = [join(folder, 'random.vcf.gz'), join(folder, 'random.bcf')];
  for (const path of files) {
    bcftools('view', '--no-version', path.endsWith('.bcf') ? '-Ob' : '-Oz', '-o', path, plain);
    bcftools('index', path);
  }

  test.each(files.map((path) => [basename(path), path]))(
    'have the genotypes of bcftools query: %s',
    async (_, path) => {
      expect(await withFile(path, (file) => linesOf(file.genotypes()))).toEqual(query(path));
      const maxRecords = { maxRecords: 17 };
      expect(await withFile(path, (file) => linesOf(file.genotypes('chr1:5000-90000', maxRecords)))).toEqual(
        query(path, ['-r', 'chr1:5000-90000']),
      );
    },
  );

  test.each(files.map((path) => [basename(path), path]))(
    'have the genotypes of the samples that bcftools selects: %s',
    async (_, path) => {
      const samples = ['s31', 's2', 's17'];
      expect(await withFile(path, (file) => linesOf(file.genotypes('chr1', { samples })))).toEqual(
        query(path, ['-r', 'chr1', '-s', samples.join()]),
      );
    },
  );
});

/** Returns a file whose calls have up to four alleles, with unknown ones and numbers of up to three digits. */
function randomVcf(names: readonly string[], count: number): string {
  const random = createRandom(9);
  const below = (limit: number): number => Math.floor(random() * limit);
  const alts = Array.from({ length: 200 }, (_, index) => `A${'C'.repeat(index + 1)}`).join(',');
  const header = [
    '##fileformat=VCFv4.2',
    '##contig=<ID=chr1,length=1000000>',
    '##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">',
    '##FORMAT=<ID=DP,Number=1,Type=Integer,Description="Depth">',
    `#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t${names.join('\t')}`,
  ];
  const allele = (limit: number): string => (random() < 0.1 ? '.' : String(below(limit)));
  const lines = Array.from({ length: count }, (_, index) => {
    const isWide = random() < 0.05;
    const isMixed = random() < 0.3;
    const format = ['GT', 'GT:DP', 'DP'][below(3)] ?? 'GT';
    const samples = names.map(() => {
      const ploidy = isMixed ? 1 + below(4) : 2;
      const alleles = Array.from({ length: ploidy }, () => allele(isWide ? 200 : 3));
      const values = { GT: alleles.join(random() < 0.5 ? '|' : '/'), 'GT:DP': '', DP: String(below(99)) };
      return format === 'GT:DP' ? `${values.GT}:${values.DP}` : values[format === 'DP' ? 'DP' : 'GT'];
    });
    const alt = isWide ? alts : 'C,G';
    return ['chr1', 1 + 40 * index, '.', 'A', alt, '.', '.', '.', format, ...samples].join('\t');
  });
  return `${[...header, ...lines].join('\n')}\n`;
}
