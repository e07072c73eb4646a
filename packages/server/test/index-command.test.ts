import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { fixturePath, readFixture } from '@htskit/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
if (!existsSync(cli)) throw new Error('these tests run the built command: build first');

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-index-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `htskit index` in the folder. */
async function index(...args: string[]): Promise<Outcome> {
  const child = spawn(process.execPath, [cli, 'index', ...args], { cwd: folder });
  const text = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (text.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text.stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, ...text };
}

function copy(name: string, as = name): string {
  copyFileSync(fixturePath(name), join(folder, as));
  return as;
}

function read(name: string): Buffer {
  const bytes = readFileSync(join(folder, name));
  return bytes[0] === 0x1f ? gunzipSync(bytes) : bytes;
}

function expected(name: string): Buffer {
  const bytes = readFixture(name);
  return bytes[0] === 0x1f ? gunzipSync(bytes) : Buffer.from(bytes);
}

describe('htskit index', () => {
  test.each([
    ['reads.bam', ['.bai']],
    ['straddle.bam', ['.bai']],
    ['longref.bam', ['.csi']],
    ['reads.cram', ['.crai']],
    ['variants.bcf', ['.csi']],
    ['variants.vcf.gz', ['.tbi']],
    ['genome.fa', ['.fai']],
    ['genome.fa.gz', ['.fai', '.gzi']],
  ])('%s gets what the tools give it, whatever it is called', async (name, extensions) => {
    copy(name, 'data');
    const written = extensions.map((extension) => `data${extension}`);
    expect(await index('data')).toEqual({ code: 0, stdout: written.map((path) => `${path}\n`).join(''), stderr: '' });
    for (const extension of extensions) expect(read(`data${extension}`).compare(expected(name + extension))).toBe(0);
    expect(readdirSync(folder).toSorted()).toEqual(['data', ...written].toSorted());
  });

  test('--csi and --min-shift ask for a CSI, -o for a place', async () => {
    copy('reads-csi.bam');
    copy('variants-csi.vcf.gz');
    expect((await index('--min-shift', '12', '-o', 'here', 'reads-csi.bam')).stdout).toBe('here\n');
    expect(read('here').compare(expected('reads-csi.bam.csi'))).toBe(0);
    expect((await index('--csi', 'variants-csi.vcf.gz')).stdout).toBe('variants-csi.vcf.gz.csi\n');
    expect(read('variants-csi.vcf.gz.csi').compare(expected('variants-csi.vcf.gz.csi'))).toBe(0);
  });

  test('--preset says how to read text', async () => {
    const text = new TextEncoder().encode('chr1\t5\t9\nchr2\t0\t1\n');
    writeFileSync(join(folder, 'some.bed.gz'), Buffer.concat([deflateBlocks(text), EOF_MARKER]));
    const without = await index('some.bed.gz');
    expect([without.code, without.stdout]).toEqual([1, '']);
    expect(without.stderr).toBe(
      'htskit: some.bed.gz: bgzipped text of an unknown kind: --preset says how to read its lines\n',
    );
    expect(await index('--preset', 'bed', 'some.bed.gz')).toEqual({ code: 0, stdout: 'some.bed.gz.tbi\n', stderr: '' });
    expect(read('some.bed.gz.tbi').subarray(0, 4).toString()).toBe('TBI\u0001');
  });

  test('an index that is there stays, unless it is forced', async () => {
    copy('reads.bam');
    writeFileSync(join(folder, 'reads.bam.bai'), 'mine');
    const refused = await index('reads.bam');
    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr: 'htskit: reads.bam: reads.bam.bai exists: --force overwrites it\n',
    });
    expect(read('reads.bam.bai').toString()).toBe('mine');
    expect((await index('--force', 'reads.bam')).code).toBe(0);
    expect(read('reads.bam.bai').compare(expected('reads.bam.bai'))).toBe(0);
  });

  test('a file that fails is one line and exit code 1, the others are indexed, and nothing is left of it', async () => {
    copy('variants.vcf.gz');
    writeFileSync(join(folder, 'cut.bam'), readFixture('reads.bam').subarray(0, 100_000));
    writeFileSync(join(folder, 'plain.vcf'), '##fileformat=VCFv4.3\n');
    writeFileSync(join(folder, 'empty'), '');
    const { code, stdout, stderr } = await index('cut.bam', 'plain.vcf', 'empty', 'nothing', 'variants.vcf.gz');
    expect([code, stdout]).toEqual([1, 'variants.vcf.gz.tbi\n']);
    const lines = stderr.trimEnd().split('\n');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/^htskit: cut\.bam: .*\(at byte \d+\)$/);
    expect(lines[1]).toBe('htskit: plain.vcf: neither BGZF, CRAM nor FASTA, so there is no index for it');
    expect(lines[2]).toBe('htskit: empty: neither BGZF, CRAM nor FASTA, so there is no index for it');
    expect(lines[3]).toMatch(/^htskit: nothing: ENOENT/);
    expect(readdirSync(folder)).toHaveLength(5);
  });

  test.each([
    ['no file', []],
    ['an unknown option', ['--nothing', 'x']],
    ['a shift that is none', ['--min-shift', '31', 'x']],
    ['an unknown preset', ['--preset', 'xml', 'x']],
    ['one place for several files', ['-o', 'here', 'x', 'y']],
  ])('%s is a usage error', async (_, args) => {
    const { code, stdout, stderr } = await index(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^error: /);
  });

  test('a bgzipped FASTA needs two places', async () => {
    copy('genome.fa.gz');
    const { code, stderr } = await index('-o', 'here', 'genome.fa.gz');
    expect([code, stderr]).toEqual([
      1,
      'htskit: genome.fa.gz: it gets a FAI and a GZI: --output is no place for both\n',
    ]);
  });

  test('SIGINT ends it, and leaves nothing', async () => {
    const blocks = Buffer.from(deflateBlocks(new TextEncoder().encode(`chr1\t5\t9\n`.repeat(7000))));
    writeFileSync(join(folder, 'long.bed.gz'), Buffer.concat([...new Array<Buffer>(60_000).fill(blocks), EOF_MARKER]));
    const child = spawn(process.execPath, [cli, 'index', '--preset', 'bed', 'long.bed.gz'], { cwd: folder });
    const exited = once(child, 'exit');
    const started = setInterval(() => child.kill('SIGINT'), 700);
    expect(await exited).toEqual([null, 'SIGINT']);
    clearInterval(started);
    expect(readdirSync(folder)).toEqual(['long.bed.gz']);
  });
});
