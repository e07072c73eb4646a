import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { deflateBlocks, EOF_MARKER } from '@htskit/bgzf';
import { fixturePath, readFixture } from '@htskit/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CommandResult, runCommand } from '../../run-command.js';

const cli = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
if (!existsSync(cli)) throw new Error('these tests run the built command: build first');

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-index-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs `htskit index` in the folder. */
async function index(...args: string[]): Promise<CommandResult> {
  return runCommand(['index', ...args], folder);
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
  ])('writes the same index for %s as the tools, whatever its name', async (name, extensions) => {
    copy(name, 'data');
    const written = extensions.map((extension) => `data${extension}`);
    expect(await index('data')).toEqual({ code: 0, stdout: written.map((path) => `${path}\n`).join(''), stderr: '' });
    for (const extension of extensions) expect(read(`data${extension}`).compare(expected(name + extension))).toBe(0);
    expect(readdirSync(folder).toSorted()).toEqual(['data', ...written].toSorted());
  });

  test('writes CSI with --csi and --min-shift, and to the path of -o', async () => {
    copy('reads-csi.bam');
    copy('variants-csi.vcf.gz');
    expect((await index('--min-shift', '12', '-o', 'here', 'reads-csi.bam')).stdout).toBe('here\n');
    expect(read('here').compare(expected('reads-csi.bam.csi'))).toBe(0);
    expect((await index('--csi', 'variants-csi.vcf.gz')).stdout).toBe('variants-csi.vcf.gz.csi\n');
    expect(read('variants-csi.vcf.gz.csi').compare(expected('variants-csi.vcf.gz.csi'))).toBe(0);
  });

  test('reads text by --preset', async () => {
    const text = new TextEncoder().encode('chr1\t5\t9\nchr2\t0\t1\n');
    writeFileSync(join(folder, 'some.bed.gz'), Buffer.concat([deflateBlocks(text), EOF_MARKER]));
    const without = await index('some.bed.gz');
    expect([without.code, without.stdout]).toEqual([1, '']);
    expect(without.stderr).toBe(
      'htskit: some.bed.gz: unknown kind of bgzipped text; use --preset to set its columns\n',
    );
    expect(await index('--preset', 'bed', 'some.bed.gz')).toEqual({ code: 0, stdout: 'some.bed.gz.tbi\n', stderr: '' });
    expect(read('some.bed.gz.tbi').subarray(0, 4).toString()).toBe('TBI\u0001');
  });

  test('keeps an existing index without --force', async () => {
    copy('reads.bam');
    copy('straddle.bam.bai', 'reads.bam.bai');
    const refused = await index('reads.bam');
    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr: 'htskit: reads.bam: reads.bam.bai exists; use --force to overwrite it\n',
    });
    expect(read('reads.bam.bai').compare(expected('straddle.bam.bai'))).toBe(0);
    expect((await index('--force', 'reads.bam')).code).toBe(0);
    expect(read('reads.bam.bai').compare(expected('reads.bam.bai'))).toBe(0);
  });

  test('overwrites no data even with --force', async () => {
    copy('reads.bam');
    copy('variants.bcf');
    for (const [output, why] of [
      ['./reads.bam', 'is the same file as the input reads.bam'],
      ['variants.bcf', 'exists and is not an index; remove it first'],
    ] as const) {
      const { code, stderr } = await index('-f', '-o', output, 'reads.bam');
      expect([code, stderr]).toEqual([1, `htskit: reads.bam: ${output} ${why}\n`]);
    }
    copy('genome.fa', 'data.fai');
    copy('genome.fa', 'data');
    const { code, stdout, stderr } = await index('-f', 'data', 'data.fai');
    expect([code, stdout, stderr]).toEqual([
      1,
      'data.fai.fai\n',
      'htskit: data: data.fai is the same file as the input data.fai\n',
    ]);
    for (const name of ['reads.bam', 'variants.bcf']) expect(read(name).compare(expected(name))).toBe(0);
  });

  test('names an unwritable output before it reads the file', async () => {
    writeFileSync(join(folder, 'cut.bam'), readFixture('reads.bam').subarray(0, 100_000));
    const { code, stderr } = await index('-o', 'nowhere/x.bai', 'cut.bam');
    expect([code, stderr]).toEqual([
      1,
      'htskit: cut.bam: cannot write nowhere/x.bai: ENOENT: no such file or directory\n',
    ]);
  });

  test.each(['reads.bam', 'variants.vcf.gz', 'variants.bcf'])('warns of a %s without an EOF marker', async (name) => {
    const bytes = readFixture(name);
    expect(Buffer.compare(bytes.subarray(-EOF_MARKER.length), EOF_MARKER)).toBe(0);
    writeFileSync(join(folder, 'x'), bytes.subarray(0, -EOF_MARKER.length));
    const { code, stdout, stderr } = await index('x');
    expect([code, stdout.startsWith('x.'), stderr]).toEqual([
      0,
      true,
      'warning: x: the EOF marker is missing, so the file may be truncated\n',
    ]);
  });

  test('--quiet leaves out warnings, and --threads sets the number of workers', async () => {
    const bytes = readFixture('variants.vcf.gz');
    writeFileSync(join(folder, 'x'), bytes.subarray(0, -EOF_MARKER.length));
    expect(await index('x', '--quiet', '-@', '1')).toEqual({ code: 0, stdout: 'x.tbi\n', stderr: '' });
    expect(readFileSync(join(folder, 'x.tbi')).length).toBeGreaterThan(0);
    expect(await index('x', '-@', 'many')).toMatchObject({ code: 2 });
  });

  test('reports a truncated or damaged first block', async () => {
    const bam = readFixture('reads.bam');
    const damaged = Uint8Array.from(bam);
    damaged.fill(0xff, 18, 60);
    for (const bytes of [bam.subarray(0, 10), bam.subarray(0, 300), damaged]) {
      writeFileSync(join(folder, 'x.bam'), bytes);
      const { code, stderr } = await index('x.bam');
      expect([code, stderr.includes('neither')]).toEqual([1, false]);
      expect(stderr).toMatch(/^htskit: x\.bam: .*\(at byte 0\)$/m);
    }
  });

  test.each([
    ['reads.cram', ['--csi'], '--csi and --min-shift do not apply to CRAM'],
    ['genome.fa.gz', ['--min-shift', '12'], '--csi and --min-shift do not apply to bgzipped FASTA'],
    ['reads.bam', ['--preset', 'sam'], '--preset applies to bgzipped text, but the file is BAM'],
  ])('rejects %s with %j', async (name, flags, why) => {
    copy(name);
    const { code, stderr } = await index(...flags, name);
    expect([code, stderr.startsWith(`htskit: ${name}: ${why}`)]).toEqual([1, true]);
    expect(readdirSync(folder)).toEqual([name]);
  });

  test('prints one line for a file that fails, exits with 1 and indexes the others', async () => {
    copy('variants.vcf.gz');
    writeFileSync(join(folder, 'cut.bam'), readFixture('reads.bam').subarray(0, 100_000));
    writeFileSync(join(folder, 'plain.vcf'), '##fileformat=VCFv4.3\n');
    writeFileSync(join(folder, 'empty'), '');
    writeFileSync(join(folder, 'packed.vcf.gz'), gzipSync('##fileformat=VCFv4.3\n'));
    const failing = ['cut.bam', 'plain.vcf', 'empty', 'packed.vcf.gz', 'nothing'];
    const { code, stdout, stderr } = await index(...failing, 'variants.vcf.gz');
    expect([code, stdout]).toEqual([1, 'variants.vcf.gz.tbi\n']);
    const lines = stderr.trimEnd().split('\n');
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(/^htskit: cut\.bam: .*\(at byte \d+\)$/);
    expect(lines[1]).toBe('htskit: plain.vcf: uncompressed VCF cannot be indexed; compress it with bgzip');
    expect(lines[2]).toBe('htskit: empty: cannot index this format: expected BGZF, CRAM or FASTA');
    expect(lines[3]).toBe('htskit: packed.vcf.gz: plain gzip cannot be indexed; recompress it with bgzip');
    expect(lines[4]).toBe('htskit: nothing: no such file or folder');
    expect(readdirSync(folder)).toHaveLength(6);
  });

  test.each([
    ['no file', []],
    ['an unknown option', ['--nothing', 'x']],
    ['an invalid shift', ['--min-shift', '31', 'x']],
    ['an unknown preset', ['--preset', 'xml', 'x']],
    ['one place for several files', ['-o', 'here', 'x', 'y']],
    ['the output as a place', ['-o', '-', 'x']],
  ])('rejects %s as a usage error', async (_, args) => {
    const { code, stdout, stderr } = await index(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^error: /);
  });

  test('rejects --output for bgzipped FASTA', async () => {
    copy('genome.fa.gz');
    const { code, stderr } = await index('-o', 'here', 'genome.fa.gz');
    expect([code, stderr]).toEqual([
      1,
      'htskit: genome.fa.gz: bgzipped FASTA gets a FAI and a GZI, so --output does not apply\n',
    ]);
  });

  test('SIGINT ends it and leaves no file', async () => {
    const blocks = Buffer.from(deflateBlocks(new TextEncoder().encode(`chr1\t5\t9\n`.repeat(7000))));
    writeFileSync(join(folder, 'long.bed.gz'), Buffer.concat([...new Array<Buffer>(60_000).fill(blocks), EOF_MARKER]));
    // The child reports when it listens to the signal, which is before it reads the long file.
    const ready = `process.on('newListener', (name) => { if (name === 'SIGINT') process.send(name); });`;
    const args = ['--import', `data:text/javascript,${encodeURIComponent(ready)}`, cli, 'index', '--preset', 'bed'];
    const child = spawn(process.execPath, [...args, 'long.bed.gz'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const exited = once(child, 'exit');
    await once(child, 'message');
    child.kill('SIGINT');
    expect(await exited).toEqual([null, 'SIGINT']);
    expect(readdirSync(folder)).toEqual(['long.bed.gz']);
  });
});

describe('htskit index --coverage', () => {
  test.each(['reads.bam', 'reads.cram', 'no-references.bam'])(
    'writes the depth of %s beside it, and no index',
    async (name) => {
      copy(name);
      copy('genome.fa');
      expect(await index('--coverage', name)).toEqual({ code: 0, stdout: `${name}.coverage.bw\n`, stderr: '' });
      await runCommand(['depth', name, '-o', 'depth.bw'], folder);
      expect(readFileSync(join(folder, `${name}.coverage.bw`)).equals(readFileSync(join(folder, 'depth.bw')))).toBe(
        true,
      );
      expect(readdirSync(folder).toSorted()).toEqual(['depth.bw', 'genome.fa', name, `${name}.coverage.bw`].toSorted());
    },
  );

  test('writes to the path of -o, and overwrites only with --force', async () => {
    copy('reads.bam');
    expect((await index('--coverage', '-@', '0', '-o', 'here.bw', 'reads.bam')).stdout).toBe('here.bw\n');
    const refused = await index('--coverage', '-o', 'here.bw', 'reads.bam');
    expect([refused.code, refused.stderr]).toEqual([
      1,
      'htskit: reads.bam: here.bw exists; use --force to overwrite it\n',
    ]);
    expect(await index('--coverage', '--force', '-o', 'here.bw', 'reads.bam')).toMatchObject({ code: 0, stderr: '' });
    writeFileSync(join(folder, 'here.bw'), 'something else');
    expect((await index('--coverage', '--force', '-o', 'here.bw', 'reads.bam')).stderr).toContain('is not an index');
  });

  test('refuses other files, and options of indexes', async () => {
    copy('variants.vcf.gz');
    const { code, stderr } = await index('--coverage', 'variants.vcf.gz');
    expect([code, stderr]).toEqual([
      1,
      'htskit: variants.vcf.gz: --coverage applies to BAM and CRAM, but the file is VCF\n',
    ]);
    copy('reads.bam');
    expect(await index('--coverage', '--csi', 'reads.bam')).toMatchObject({ code: 2, stdout: '' });
    expect(readdirSync(folder).toSorted()).toEqual(['reads.bam', 'variants.vcf.gz']);
  });

  test('warns of a file without its EOF marker', async () => {
    copy('no-eof.bam');
    expect(await index('--coverage', 'no-eof.bam')).toEqual({
      code: 0,
      stdout: 'no-eof.bam.coverage.bw\n',
      stderr: expect.stringContaining('no-eof.bam: the EOF marker is missing, so the file may be truncated'),
    });
  });
});
