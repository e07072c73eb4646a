import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fixturePath } from '@htskit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AnswerCase, cases, folders, referencesOf, regionsOf, type TestRegion } from '../../interop-files.js';
import { lines, runTool, runTools } from '../../interop-tools.js';
import { runBinaryCommand } from '../../run-command.js';

const files = cases.filter(({ format }) => format !== 'VCFTEXT');
const reads = files.filter(({ datatype }) => datatype === 'reads');
const variants = files.filter(({ datatype }) => datatype === 'variants');
const [, external] = folders;
const GENOME = fixturePath('genome.fa');
const REGION_COUNT = 12;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs `htskit view`, whose warnings are ignored. */
async function view(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runBinaryCommand(['view', ...args]);
  expect(code, stderr).toBe(0);
  return stdout.toString('latin1');
}

const written = ({ referenceName, start = 0, end }: TestRegion): string =>
  referenceName === '*' ? '*' : `{${referenceName}}:${start + 1}-${end ?? ''}`;

/** samtools has no empty regions. */
const isNotEmpty = ({ start = 0, end = Infinity }: TestRegion): boolean => start < end;

/** The reference of the external CRAM files is that of the specification's tests. */
function decoding({ format, isExternal }: AnswerCase): string[] {
  return format !== 'CRAM' ? [] : ['-T', isExternal ? join(external ?? '', 'cram-spec/ce.fa') : GENOME];
}

describe.each(reads.map((file) => [file.name, file] as const))('%s', (_, file) => {
  const reference = decoding(file);

  test('is printed as samtools prints it', async () => {
    const { path } = file;
    expect(await view(...reference, path)).toBe(await runTool(['samtools', 'view', ...reference, path]));
    expect(await view('-c', ...reference, path)).toBe(await runTool(['samtools', 'view', '-c', ...reference, path]));
    const expected = await runTool(['samtools', 'view', '-h', '--no-PG', ...reference, path]);
    expect(await view('--with-header', ...reference, path)).toBe(expected);
    const bam = join(folder, `${basename(path)}.bam`);
    await view(...reference, path, '-o', bam);
    expect(await runTool(['samtools', 'view', '-h', '--no-PG', bam])).toBe(expected);
  });

  test('has the regions that samtools finds', async () => {
    const { path } = file;
    const references = await referencesOf(file);
    const records = lines(await runTool(['samtools', 'view', ...reference, path]));
    const regions = regionsOf(file, { references, records, count: REGION_COUNT }).filter(isNotEmpty);
    const expected = await runTools(regions.map((region) => ['samtools', 'view', ...reference, path, written(region)]));
    for (const [index, region] of regions.entries()) {
      expect(await view(...reference, path, written(region)), written(region)).toBe(expected[index]);
    }
    const placed = regions.filter(({ referenceName }) => referenceName !== '*');
    const bed = join(folder, `${basename(path)}.bed`);
    writeFileSync(
      bed,
      placed.map(({ referenceName, start = 0, end = 2 ** 31 - 1 }) => `${referenceName}\t${start}\t${end}\n`).join(''),
    );
    if (placed.length === 0) return;
    expect(await view(...reference, path, '-L', bed)).toBe(
      await runTool(['samtools', 'view', ...reference, '-L', bed, path]),
    );
  });
});

describe.each(variants.map((file) => [file.name, file] as const))('%s', (_, file) => {
  // bcftools formats the numbers of VCF anew, so both are printed by it.
  const print = (path: string): string[] => ['bcftools', 'view', '--no-version', path];

  test('is printed and converted as bcftools does', async () => {
    const { path } = file;
    const expected = await runTool(print(path));
    const text = await view(path);
    const vcf = join(folder, 'out.vcf');
    writeFileSync(vcf, text, 'latin1');
    expect(await runTool(print(vcf))).toBe(expected);
    for (const extension of ['bcf', 'vcf.gz']) {
      const output = join(folder, `out.${extension}`);
      await view(path, '-o', output);
      expect(await runTool(print(output))).toBe(expected);
    }
    expect(await view(join(folder, 'out.bcf'))).toBe(expected);
    expect(await view('-c', path)).toBe(`${lines(expected).filter((line) => !line.startsWith('#')).length}\n`);
  });

  test('has the regions that bcftools finds', async () => {
    const { path } = file;
    const references = await referencesOf(file);
    const records = lines(await runTool(['bcftools', 'view', '-H', path]));
    const regions = regionsOf(file, { references, records, count: REGION_COUNT }).filter(isNotEmpty);
    const columns = (text: string): string[] => lines(text).map((line) => line.split('\t', 5).join('\t'));
    for (const [index, { referenceName, start = 0, end = 2 ** 31 - 1 }] of regions.entries()) {
      const bed = join(folder, `${index}.bed`);
      writeFileSync(bed, `${referenceName}\t${start}\t${end}\n`);
      const expected = columns(await runTool(['bcftools', 'view', '-H', '-R', bed, path]));
      expect(columns(await view('--without-header', path, `{${referenceName}}:${start + 1}-${end}`))).toEqual(expected);
      expect(columns(await view('--without-header', path, '-L', bed))).toEqual(expected);
    }
  });
});

test.each([
  ['-q', '20'],
  ['-f', '0x10'],
  ['-F', 'UNMAP,DUP'],
  ['-r', 'lane1'],
  ['-q', '1', '-f', '16', '-F', '0x400', '-r', 'lane2'],
])('reads are selected by %s %s as samtools selects them', async (...options) => {
  for (const name of ['reads.bam', 'reads.cram']) {
    const command = ['view', ...options, fixturePath(name), 'chr1'];
    expect(await view('-T', GENOME, ...command.slice(1))).toBe(await runTool(['samtools', ...command]));
    const count = await runTool(['samtools', 'view', '-c', ...command.slice(1)]);
    expect(await view('-c', ...command.slice(1))).toBe(count);
  }
});

describe('CRAM that needs its reference', () => {
  test.each([['3.0'], ['3.1'], ['2.1']])('of version %s is printed as samtools prints it', async (version) => {
    const cram = join(folder, `${version}.cram`);
    const output = ['-O', `cram,version=${version}`, '-o', cram];
    await runTool(['samtools', 'view', '-C', '-T', GENOME, ...output, fixturePath('reads.bam')]);
    await runTool(['samtools', 'index', cram]);
    for (const region of [[], ['chr2:1k-20k'], ['*']]) {
      expect(await view('-T', GENOME, cram, ...region)).toBe(
        await runTool(['samtools', 'view', '-T', GENOME, cram, ...region]),
      );
    }
    // samtools writes the path of the reference to UR.
    expect(await view(cram, 'chr2:1k-20k')).toBe(await runTool(['samtools', 'view', cram, 'chr2:1k-20k']));
  });
});

describe.skipIf(external === undefined)("the CRAM specification's own tests", () => {
  const root = join(external ?? '', 'cram-spec');
  const crams =
    external === undefined
      ? []
      : ['3.0', '3.1'].flatMap((version) =>
          readdirSync(join(root, version))
            .filter((name) => name.endsWith('.cram'))
            .map((name) => join(root, version, name)),
        );
  const decode = ['-T', join(root, 'ce.fa')];

  test.each(crams.map((path) => [basename(path), path] as const))(
    '%s is printed as samtools prints it',
    async (_, path) => {
      expect(await view(...decode, path)).toBe(await runTool(['samtools', 'view', ...decode, path]));
    },
  );
});
