import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateBlocks } from '@htskit/bgzf';
import { fixturePath } from '@htskit/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type CommandResult, runCommand } from '../../run-command.js';

const view = (...args: string[]): Promise<CommandResult> => runCommand(['view', ...args], fixturePath('.'));
const linesOf = ({ stdout }: CommandResult): string[] => stdout.split('\n').slice(0, -1);

describe('the headers of reads', () => {
  test('are those of samtools view -h and -H', async () => {
    expect((await view('-h', 'reads.bam')).stdout).toBe((await view('--with-header', 'reads.bam')).stdout);
    expect((await view('-H', 'reads.bam')).stdout).toBe((await view('--header', 'reads.bam')).stdout);
  });
});

describe('the headers of variants', () => {
  test('are those of bcftools view -h and -H', async () => {
    expect((await view('-h', 'variants.bcf')).stdout).toBe((await view('--header', 'variants.bcf')).stdout);
    expect((await view('-H', 'variants.bcf')).stdout).toBe((await view('--without-header', 'variants.bcf')).stdout);
  });
});

describe('reads', () => {
  const fields = (line: string): string[] => line.split('\t');
  const flagsOf = (line: string): number => Number(fields(line)[1]);

  test.each<[options: string[], keeps: (line: string) => boolean]>([
    [['-q', '30'], (line) => Number(fields(line)[4]) >= 30],
    [['-f', '16'], (line) => (flagsOf(line) & 16) !== 0],
    [['-f', '0x410'], (line) => (flagsOf(line) & 0x410) === 0x410],
    [['-f', 'DUP', '-f', 'reverse'], (line) => (flagsOf(line) & 0x410) === 0x410],
    [['-F', 'UNMAP,REVERSE'], (line) => (flagsOf(line) & 20) === 0],
    [['-F', '024'], (line) => (flagsOf(line) & 20) === 0],
    [['-q', '10', '-F', '4', '-f', '16'], (line) => Number(fields(line)[4]) >= 10 && (flagsOf(line) & 20) === 16],
    [['-r', 'lane1'], (line) => !/\tRG:Z:(?!lane1(\t|$))/.test(line)],
    [['-r', 'none', '-r', 'lane2'], (line) => !/\tRG:Z:(?!lane2(\t|$))/.test(line)],
  ])('are selected by %j', async (options, keeps) => {
    for (const region of [[], ['chr1:1-40000']]) {
      const all = linesOf(await view('reads.bam', ...region));
      const expected = all.filter(keeps);
      expect(expected.length).toBeGreaterThan(0);
      expect(expected.length).toBeLessThan(all.length);
      expect(linesOf(await view(...options, 'reads.bam', ...region))).toEqual(expected);
      expect((await view('-c', ...options, 'reads.bam', ...region)).stdout).toBe(`${expected.length}\n`);
    }
  });
});

describe('the samples of variants', () => {
  const namesOf = (result: CommandResult): string[] => {
    const columns =
      linesOf(result)
        .find((line) => line.startsWith('#CHROM'))
        ?.split('\t') ?? [];
    return columns.slice(9);
  };

  test.each([['variants.vcf.gz'], ['variants.bcf']])(
    'of %s are those of -s, in its order, and not those after ^',
    async (name) => {
      expect(namesOf(await view('-s', 'carol,alice', name, 'chr1:1-100'))).toEqual(['carol', 'alice']);
      expect(namesOf(await view('-s', '^carol,alice', name, 'chr1:1-100'))).toEqual(['bob', 'dave']);
      expect(namesOf(await view('-s', '', name, 'chr1:1-100'))).toEqual([]);
      const [all, two] = [await view('-H', name, 'chr2'), await view('-H', '-s', 'carol,alice', name, 'chr2')];
      const columns = linesOf(all).map((line) => line.split('\t'));
      const expected = columns.map((line) => [line[11], line[9]]);
      expect(linesOf(two).map((line) => line.split('\t').slice(9))).toEqual(expected);
    },
  );

  test('keep AC of all samples with -I', async () => {
    const infos = (result: CommandResult): (string | undefined)[] => linesOf(result).map((line) => line.split('\t')[7]);
    const stored = infos(await view('-H', 'variants.vcf.gz', 'chr1'));
    expect(infos(await view('-H', '-I', '-s', 'bob', 'variants.vcf.gz', 'chr1'))).toEqual(stored);
    expect(infos(await view('-H', '-s', 'bob', 'variants.vcf.gz', 'chr1'))).not.toEqual(stored);
  });
});

test('-r selects regions of variants, separated by commas', async () => {
  const expected = await view('-H', 'variants.vcf.gz', 'chr1:1001-9000', 'chr2');
  expect(linesOf(expected).length).toBeGreaterThan(10);
  expect(await view('-H', '-r', 'chr1:1001-9000,chr2', 'variants.vcf.gz')).toEqual(expected);
  expect(await view('-H', '-r', 'chr1:1001-9000', '-r', 'chr2', 'variants.vcf.gz')).toEqual(expected);
});

test('-O takes the letters of bcftools', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = async (letters: string): Promise<Buffer> => {
    const output = join(folder, letters);
    expect((await view('-O', letters, '-o', output, 'variants.bcf', 'chr2')).code).toBe(0);
    return readFileSync(output);
  };
  const text = (await view('variants.bcf', 'chr2')).stdout;
  expect((await write('v')).toString()).toBe(text);
  const [best, fast] = [await write('z9'), await write('z1')];
  expect(best.length).toBeLessThan(fast.length);
  for (const bytes of [best, fast, await write('z')]) expect(Buffer.from(inflateBlocks(bytes)).toString()).toBe(text);
  const [binary, stored] = [await write('b'), await write('u')];
  expect(stored.length).toBeGreaterThan(binary.length);
  expect(inflateBlocks(stored)).toEqual(inflateBlocks(binary));
});

test.each([
  ['variants.vcf.gz', ['-q', '30'], '-q selects reads, and VCF has variants; pipe the output to bcftools view'],
  ['variants.bcf', ['-f', '4'], '-f selects reads, and BCF has variants; pipe the output to bcftools view'],
  ['variants.bcf', ['-F', '4'], '-F selects reads, and BCF has variants; pipe the output to bcftools view'],
  ['variants.bcf', ['-T', 'a.bed'], '-T names the bases of CRAM, and BCF needs none; use -L for the regions of a file'],
  ['variants.bcf', ['-s', 'alice,zoe'], 'there is no sample "zoe"'],
  ['variants.bcf', ['-s', 'alice', '-S', 'names'], "option '-s, --samples <names>' cannot be used with option '-S"],
  ['reads.bam', ['-s', '0.1'], '-s and -S select samples of variants, while samtools view -s subsamples reads'],
  ['reads.bam', ['-O', 'b'], 'BAM cannot be written as bcf; choose one of sam, sam.gz, bam'],
  ['reads.bam', ['-O', 'cram'], 'Allowed choices are sam, sam.gz, bam, vcf, vcf.gz, bcf, arrow, parquet, b, u, z, v.'],
  ['reads.bam', ['-f', 'MAPPED'], 'expected a number, or names of PAIRED, PROPER_PAIR,'],
  ['reads.bam', ['-q'], "argument 'reads.bam' is invalid. expected a mapping quality from 0 to 255; --quiet has no"],
  ['variants.bcf', ['-c', '1'], '-c counts records and takes no value; for bcftools view -c, pipe the output to it'],
  ['variants.bcf', ['-r', 'chr1', '-L', 'SHA256SUMS'], ''],
])('of %s, %j is a usage error', async (name, options, message) => {
  const output = join(tmpdir(), 'htskit-never-written');
  const { code, stdout, stderr } = await view(...options, name, '-o', output);
  expect(stderr).toContain(message);
  expect([code, stdout, existsSync(output)]).toEqual([message === '' ? 1 : 2, '', false]);
});
