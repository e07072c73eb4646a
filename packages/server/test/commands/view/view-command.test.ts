import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { deflateBlocks, EOF_MARKER, inflateBlocks } from '@htskit/bgzf';
import { createSamToBam } from '@htskit/formats';
import { peek } from '@htskit/io';
import { decodeBam, expectations, fixturePath, toOrdinals, toSamText } from '@htskit/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { serve } from '../../../src/runtime/serve.js';
import { type CommandResult, runBinaryCommand, runCommand } from '../../run-command.js';

const view = (...args: string[]): Promise<CommandResult> => runCommand(['view', ...args], fixturePath('.'));
const linesOf = ({ stdout }: CommandResult): string[] => stdout.split('\n').slice(0, -1);
const records = (name: string): string[] => {
  const text = toSamText(decodeBam(readFileSync(fixturePath(name))));
  return text.split('\n').slice(0, -1);
};

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('of reads', () => {
  test('prints records as SAM, by default without the header', async () => {
    const { code, stdout, stderr } = await view('reads.bam');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n').slice(0, -1)).toEqual(records('reads.bam'));
    const { header } = expectations('reads.bam');
    expect((await view('--with-header', 'reads.bam')).stdout).toBe(header + stdout);
    expect((await view('--header', 'reads.bam')).stdout).toBe(header);
  });

  test('prints the records of regions', async () => {
    const all = records('reads.bam');
    for (const { referenceName, start, end, records: ranges } of expectations('reads.bam').regions.slice(0, 10)) {
      if (start === end) continue;
      const printed = linesOf(await view('reads.bam', `{${referenceName}}:${start + 1}-${end}`));
      expect(printed).toEqual(toOrdinals(ranges).map((ordinal) => all[ordinal]));
    }
    expect(linesOf(await view('reads.bam', '*'))).toEqual(all.slice(-60));
    expect(linesOf(await view('reads.bam', 'HLA-A*01:01:01:01')).length).toBeGreaterThan(100);
    expect((await view('reads.bam', 'chr1:1k-2k')).stdout).toBe((await view('reads.bam', 'chr1:1,000-2,000')).stdout);
  });

  test('prints each record of several regions once', async () => {
    const both = linesOf(await view('reads.bam', 'chr2:1-9000', 'chr1:1-30000', 'chr1:20000-40000'));
    expect(new Set(both).size).toBe(both.length);
    expect(both).toEqual([
      ...linesOf(await view('reads.bam', 'chr1:1-40000')),
      ...linesOf(await view('reads.bam', 'chr2:1-9000')),
    ]);
  });

  test('queues every piece of a file of many small blocks for a slow reader', async () => {
    const data = inflateBlocks(readFileSync(fixturePath('reads.bam')));
    const blocks: Uint8Array[] = [];
    for (let start = 0; start < data.length; start += 3000) {
      blocks.push(deflateBlocks(data.subarray(start, start + 3000)));
    }
    const small = join(folder, 'small-blocks.bam');
    writeFileSync(small, Buffer.concat([...blocks, EOF_MARKER]));
    expect(linesOf(await view(small))).toEqual(records('reads.bam'));
  });

  test('counts records with -c', async () => {
    expect((await view('-c', 'reads.bam')).stdout).toBe(`${expectations('reads.bam').recordCount}\n`);
    expect((await view('-c', 'reads.cram', '*', '-T', 'genome.fa')).stdout).toBe('60\n');
  });

  test('writes BAM with -b, -O and by the name of the output', async () => {
    const expected = linesOf(await view('reads.bam', 'chr2'));
    const output = join(folder, 'out.bam');
    expect((await view('reads.bam', 'chr2', '-o', output)).code).toBe(0);
    const written = readFileSync(output);
    for (const option of [['-b'], ['-O', 'bam']]) {
      const { stdout } = await runBinaryCommand(['view', 'reads.bam', 'chr2', ...option], fixturePath('.'));
      expect(stdout.equals(written)).toBe(true);
    }
    const decoded = decodeBam(written);
    expect(toSamText(decoded).split('\n').slice(0, -1)).toEqual(expected);
    expect(decoded.headerText).toBe(expectations('reads.bam').header);
  });

  test('writes SAM, plain or compressed, by the name of the output', async () => {
    const expected = (await view('reads.bam', 'chr2', '--with-header')).stdout;
    const [plain, compressed] = ['out.sam', 'out.SAM.gz'].map((name) => join(folder, name));
    for (const output of [plain, compressed]) await view('reads.bam', 'chr2', '--with-header', '-o', output ?? '');
    expect(readFileSync(plain ?? '', 'utf8')).toBe(expected);
    expect(Buffer.from(inflateBlocks(readFileSync(compressed ?? ''))).toString()).toBe(expected);
  });

  test('-O and -b decide over the name of the output', async () => {
    const output = join(folder, 'named.bam');
    await view('reads.bam', 'chr2', '-O', 'sam', '-o', output);
    expect(readFileSync(output, 'utf8')).toBe((await view('reads.bam', 'chr2')).stdout);
    await view('reads.bam', 'chr2', '-b', '-o', join(folder, 'named.sam'));
    expect(decodeBam(readFileSync(join(folder, 'named.sam'))).records.length).toBeGreaterThan(0);
  });

  test('finds regions of a local file without an index', async () => {
    const copy = join(folder, 'no-index.bam');
    writeFileSync(copy, readFileSync(fixturePath('reads.bam')));
    expect((await view(copy, 'chr2:1-5000')).stdout).toBe((await view('reads.bam', 'chr2:1-5000')).stdout);
  });

  test('warns of a file without its EOF marker', async () => {
    const { code, stderr } = await view('-c', 'no-eof.bam');
    expect([code, stderr]).toEqual([0, 'warning: the EOF marker is missing, so the file may be truncated\n']);
  });
});

test('-L selects the records that overlap the intervals of a BED file', async () => {
  const bed = join(folder, 'a.bed');
  const text = '# comment\ntrack name=x\nchr2\t100\t2000\tname\nchr1 5000 6000\r\nchr1\t5500\t7000\n\nunknown\t1\t2\n';
  writeFileSync(bed, text);
  const expected = (await view('reads.bam', 'chr1:5001-7000', 'chr2:101-2000')).stdout;
  expect(expected.split('\n').length).toBeGreaterThan(50);
  expect((await view('reads.bam', '-L', bed)).stdout).toBe(expected);
  writeFileSync(`${bed}.gz`, gzipSync(text));
  expect((await view('reads.bam', '-L', `${bed}.gz`)).stdout).toBe(expected);
  const variants = await view('variants.vcf.gz', '-L', bed, '--without-header');
  expect(variants.stdout).toBe(
    (await view('variants.vcf.gz', 'chr1:5001-7000', 'chr2:101-2000', '--without-header')).stdout,
  );
});

test.each([
  ['comments and blank lines', ' # comment\n\n \t\nchr2\t100\t2000\n', 'chr2:101-2000'],
  [
    'lines for browsers',
    'browser position chr1:1-9\ntrack\tname=x\nbrowser\ntrack 5 3\nchr2 100 2000',
    'chr2:101-2000',
  ],
  ['further columns, and carriage returns', 'chr2\t100\t2000\tgene\t0\t+\r\n', 'chr2:101-2000'],
  ['a 1-based position', 'chr2\t1000\nchr2 1500 A T\n', 'chr2:1000-1000 chr2:1500-1500'],
])('-L reads %s as samtools does', async (_, text, regions) => {
  const bed = join(folder, 'lines.bed');
  writeFileSync(bed, text);
  const expected = linesOf(await view('reads.bam', ...regions.split(' ')));
  expect(expected.length).toBeGreaterThan(0);
  expect(linesOf(await view('reads.bam', '-L', bed))).toEqual(expected);
});

test('-L takes references that are named like the words for browsers', async () => {
  const references = ['track', 'track-1', 'browser'].map((name) => ({ name, length: 100 }));
  const text = references.map(({ name, length }) => `@SQ\tSN:${name}\tLN:${length}\n`).join('');
  const converter = createSamToBam({ text, references });
  const lines = references.map(({ name }) => `${name}\t0\t${name}\t5\t0\t1M\t*\t0\t0\tA\t*\n`);
  const bam = join(folder, 'names.bam');
  const data = Buffer.concat([converter.header, ...converter.push(new TextEncoder().encode(lines.join(''))).map(peek)]);
  writeFileSync(bam, Buffer.concat([deflateBlocks(data), EOF_MARKER]));
  writeFileSync(`${bam}.bed`, 'track\t0\t10\ntrack-1\t0\t10\nbrowser position track:1-9\n');
  expect(`${linesOf(await view(bam, '-L', `${bam}.bed`)).join('\n')}\n`).toBe(lines.slice(0, 2).join(''));
});

test.each([
  ['no number', 'chr1'],
  ['an end before its start', 'chr1\t9\t3'],
  ['position 0', 'chr1\t0'],
  ['a negative start', 'chr1\t-1\t5'],
])('-L rejects a line with %s', async (_, line) => {
  const bed = join(folder, 'bad.bed');
  writeFileSync(bed, `chr1\t0\t5\n${line}\n`);
  const { code, stderr } = await view('reads.bam', '-L', bed);
  expect(code).toBe(1);
  expect(stderr).toContain('expected a name, a start and an end that is not before it (line 2)');
});

describe('of variants', () => {
  test('prints records as VCF, by default with the header', async () => {
    const { header, recordCount } = expectations('variants.bcf');
    const printed = await view('variants.bcf');
    expect(printed.stdout.startsWith(`${header}chr1\t`)).toBe(true);
    const withoutHeader = await view('--without-header', 'variants.bcf');
    expect(linesOf(withoutHeader).length).toBe(recordCount);
    expect(printed.stdout).toBe(header + withoutHeader.stdout);
    expect((await view('variants.vcf.gz', '--without-header')).stdout).toBe(withoutHeader.stdout);
  });

  test('converts between VCF and BCF', async () => {
    const expected = (await view('variants.bcf', 'chr2')).stdout;
    for (const source of ['variants.bcf', 'variants.vcf.gz']) {
      for (const format of ['bcf', 'vcf.gz', 'vcf.bgz', 'vcf']) {
        const output = join(folder, `out.${format}`);
        expect((await view(source, 'chr2', '-o', output)).code).toBe(0);
        const written = format === 'vcf' ? readFileSync(output, 'utf8') : (await view(output)).stdout;
        expect(written).toBe(expected);
      }
    }
  });
});

describe('of a URL', () => {
  test('reads files and services', async () => {
    const server = await serve({
      paths: [fixturePath('.')],
      host: '127.0.0.1',
      port: 0,
      authority: 'ga4gh',
      log: () => undefined,
    });
    onTestFinished(() => server.close());
    const expected = (await view('reads.bam', 'chr1:1,001-2,000')).stdout;
    expect((await view(`${server.url}/reads/reads`, 'chr1:1,001-2,000')).stdout).toBe(expected);
    expect((await view(`${server.url}/reads/reads?referenceName=chr1&start=1000&end=2000`)).stdout).toBe(expected);
    expect((await view('-c', `${server.url}/variants/variants`)).stdout).toBe('4022\n');
    const missing = await view(`${server.url}/reads/a.bam`, 'chr1');
    expect([missing.code, missing.stdout]).toEqual([1, '']);
    expect(missing.stderr).not.toContain(server.url);
  });
});

test.each([
  ['no file', []],
  ['a format of the other kind', ['-O', 'vcf', 'reads.bam']],
  ['an unknown format', ['-O', 'cram', 'reads.bam']],
  ['an output that is not written', ['nothing.bam', '-o', 'out.cram']],
  ['an output of the other kind', ['reads.bam', '-o', 'out.vcf.bgz']],
  ['two formats', ['-b', '-O', 'sam', 'reads.bam']],
  ['both headers', ['--with-header', '--without-header', 'reads.bam']],
  ['regions and a BED file', ['-L', 'a.bed', 'reads.bam', 'chr1']],
  ['a token for a file', ['--token-file', 'x', 'reads.bam']],
  ['an invalid region', ['reads.bam', 'chr1:9-3']],
  ['a URL of another scheme', ['s3://bucket/a.bam']],
])('rejects %s as a usage error', async (_, args) => {
  const { code, stdout, stderr } = await view(...args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^error: /);
});

test.each([
  ['a missing file', ['nothing.bam'], /^htskit: nothing\.bam: there is no such file\n$/],
  [
    'a reference that is not found',
    ['referenced/reads.cram', 'chr2'],
    /: reference "chr2" \(MD5 61bf7480e9f16c5616852b3317c7e9ec\) is not available[^;\n]*; use -T FILE to name the FASTA with its bases\n$/,
  ],
  ['a missing reference', ['reads.cram', '-T', 'nothing.fa'], /^htskit: nothing\.fa: there is no such file\n$/],
  [
    'another file',
    ['genome.fa'],
    /^htskit: genome\.fa: expected BAM, CRAM, bgzipped VCF or BCF, found something else\n$/,
  ],
  ['an unknown reference', ['reads.bam', '1'], /^htskit: reads\.bam: unknown reference "1"; did you mean "chr1"\?/],
  [
    'a malformed BED file',
    ['-L', 'SHA256SUMS', 'reads.bam'],
    /^htskit: SHA256SUMS: expected a name, a start and an end/,
  ],
])('reports %s', async (_, args, message) => {
  const { code, stdout, stderr } = await view(...args);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(message);
});
