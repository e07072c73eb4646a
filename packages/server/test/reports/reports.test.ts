import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openTabix, openVariants } from '@htskit/records';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../run-command.js';

// Inputs of public reports about the tools of this field, on which htskit failed as well. Each has the output of htslib 1.24.
const folder = fileURLToPath(new URL('.', import.meta.url));
const pathOf = (name: string): string => join(folder, name);
const read = (name: string): string => readFileSync(pathOf(name), 'utf8');

let temporary: string;
beforeAll(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'htskit-reports-'));
});
afterAll(() => rm(temporary, { recursive: true }));

async function view(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(['view', '--quiet', ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** Returns the text of a file after a conversion by `view -b` and back. */
async function viewConverted(path: string, ...options: string[]): Promise<string> {
  const output = join(temporary, 'converted.bcf');
  await view('-b', '-o', output, path);
  return view(...options, output);
}

async function linesOf(
  name: string,
  region?: { referenceName: string; start?: number; end?: number },
): Promise<string> {
  const file = await openTabix(pathOf(name), pathOf(`${name}.tbi`));
  let lines = '';
  for await (const { line } of file.records(region)) lines += `${line}\n`;
  await file.close();
  return lines;
}

test('the tag CG may be signed, and its placeholder may have one operation', async () => {
  expect(await view(pathOf('02-cg-tag-signed/x.bam'))).toBe(read('02-cg-tag-signed/expected.sam'));
});

test('the sequences of GFF3 are not records', async () => {
  const name = '04-gff3-fasta-section/genes.gff.gz';
  expect(await linesOf(name)).toBe(read('04-gff3-fasta-section/expected-all.txt'));
  const region = { referenceName: 'C1', start: 0, end: 400 };
  expect(await linesOf(name, region)).toBe(read('04-gff3-fasta-section/expected-C1_1-400.txt'));
});

test('the lines browser and track of BED are not records', async () => {
  const name = '05-bed-track-lines/x.bed.gz';
  expect(await linesOf(name, { referenceName: 'c' })).toBe(read('05-bed-track-lines/expected-c.txt'));
  expect((await linesOf(name)).split('\n')).toHaveLength(4);
});

test('contigs that only the index names are converted', async () => {
  const path = pathOf('06-vcf-contig-only-in-index/x.vcf.gz');
  expect(await viewConverted(path)).toBe(read('06-vcf-contig-only-in-index/expected.vcf'));
  const file = await openVariants(path);
  expect(file.references.map(({ name }) => name)).toEqual(['a', 'b']);
  await file.close();
});

test('GT has alleles, whatever type the header declares, and missing values are unknown alleles', async () => {
  const text = await view('--without-header', pathOf('08-gt-declared-integer/x.vcf.gz'));
  expect(await viewConverted(pathOf('08-gt-declared-integer/x.vcf.gz'), '--without-header')).toBe(text);
  expect(await view('--without-header', pathOf('08-gt-declared-integer/missing-gt.bcf'))).toBe(
    'chr1\t5\t.\tA\tC\t.\t.\t.\tGT\t./.\t0/.\t1/1\nchr1\t10\t.\tA\tC\t.\t.\t.\tGT\t0/1\t.\t.\n',
  );
});

test('a key that FORMAT has twice is not converted', async () => {
  const { code, stderr } = await runCommand([
    'view',
    '-b',
    '-o',
    join(temporary, 'x.bcf'),
    pathOf('09-duplicate-gt/x.vcf.gz'),
  ]);
  expect(code).toBe(1);
  expect(stderr).toContain('FORMAT has the key "GT" twice');
});

test('an inline block without ";base64" is text, so that the answer is not BAM', async () => {
  const server = createServer((_request, response) => response.end(read('12-data-uri-without-semicolon/ticket.json')));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const folder = await mkdtemp(join(temporary, 'get-'));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/reads/x`;
  const { code, stderr } = await runCommand(['get', '-q', url, '-o', join(folder, 'out.bam')]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'htskit: the answer is not BAM: it starts with 48 34 73 49\n' });
  expect(readdirSync(folder)).toEqual([]);
});

describe('quoted values of header lines', () => {
  test('number the contigs of BCF', async () => {
    const path = pathOf('13-header-parsers-disagree/x.bcf');
    const printed = await view('--without-header', path);
    expect(printed).toBe('chr1\t5\t.\tA\tC\t.\t.\tSVLEN=5\nchr2\t7\t.\tA\tC\t.\t.\t.\n');
    const { stdout } = await runCommand(['get', '-q', path, '--format', 'VCFTEXT', '-o', '-']);
    expect(
      stdout
        .split('\n')
        .filter((line) => !line.startsWith('#'))
        .join('\n'),
    ).toBe(printed);
  });

  test('name the contigs of VCF', async () => {
    const path = pathOf('13-header-parsers-disagree/quoted-id.vcf.gz');
    const record = 'x\t3\t.\tA\tC\t.\t.\t.\n';
    expect(await viewConverted(path, '--without-header')).toBe(record);
    const { code } = await runCommand(['get', '-q', path, '--format', 'BCF', '-o', join(temporary, 'got.bcf')]);
    expect(code).toBe(0);
    expect(await view('--without-header', join(temporary, 'got.bcf'))).toBe(record);
  });
});
