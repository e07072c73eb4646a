import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EOF_MARKER } from '@htskit/bgzf';
import { bgunzip, decodeBam, fixturePath, readFixture } from '@htskit/testing';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { serve } from '../../../src/runtime/serve.js';
import { type CommandResult, runBinaryCommand } from '../../run-command.js';

const cli = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
if (!existsSync(cli)) throw new Error('these tests run the built command: build first');

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-get-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs `htskit get` in the folder. */
async function get(...args: string[]): Promise<CommandResult<Buffer>> {
  return runBinaryCommand(['get', ...args], folder);
}

/** A BAM file that takes seconds to rewrite, in the folder: the records of a fixture, again and again. */
async function writeLongFile(name: string): Promise<void> {
  const headerAlone = (await get(fixturePath('reads.bam'), '--header')).stdout;
  const whole = (await get(fixturePath('reads.bam'))).stdout;
  const headerEnd = headerAlone.length - EOF_MARKER.length;
  const records = whole.subarray(headerEnd, whole.length - EOF_MARKER.length);
  const copies = Array.from({ length: 100 }, () => records);
  writeFileSync(join(folder, name), Buffer.concat([whole.subarray(0, headerEnd), ...copies, EOF_MARKER]));
}

const BGZF = Buffer.from(EOF_MARKER.subarray(0, 4)).toString('latin1');

describe('htskit get', () => {
  test('writes to stdout or to a file, and prints the size on stderr', async () => {
    const args = [fixturePath('reads.bam'), 'chr1:1,001-2,000', '--tags', '', '--fields', 'QNAME,FLAG'];
    const piped = await get(...args);
    expect([piped.code, piped.stderr]).toEqual([0, `wrote ${piped.stdout.length} bytes of BAM\n`]);
    const records = decodeBam(piped.stdout).records;
    expect(records.length).toBeGreaterThan(0);
    expect(records.every(({ tags, position }) => tags.length === 0 && position === -1)).toBe(true);
    const written = await get(...args, '-o', 'out.bam');
    expect([written.code, written.stdout.length]).toEqual([0, 0]);
    expect(written.stderr).toBe(`wrote ${piped.stdout.length} bytes of BAM to out.bam\n`);
    expect(readFileSync(join(folder, 'out.bam')).equals(piped.stdout)).toBe(true);
    expect(readdirSync(folder)).toEqual(['out.bam']);
  });

  test('says what the service restricts an answer to', async () => {
    const server = await serve({
      paths: [fixturePath('reads.bam')],
      host: '127.0.0.1',
      port: 0,
      authority: 'ga4gh',
      htsget: {
        announcesRestrictions: true,
        authorize: () => ({ regions: [{ referenceName: 'chr1', start: 0, end: 1000 }] }),
      },
      log: () => undefined,
    });
    onTestFinished(() => server.close());
    const { code, stderr } = await get(`${server.url}/reads/reads`, '-o', 'out.bam');
    expect(code).toBe(0);
    expect(stderr).toMatch(/^the service restricts the answer to the regions chr1:1-1,000\nwrote [\d,]+ bytes of BAM/);
    const whole = await get(`${server.url}/reads/reads`, 'chr1:1-900', '-o', 'part.bam');
    expect(whole.stderr).toMatch(/^wrote /);
  });

  test('reports that a region of CRAM may hold further records', async () => {
    const { code, stderr } = await get(fixturePath('reads.cram'), 'chr1:1-9', '-o', 'out.cram');
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^wrote [\d,]+ bytes of CRAM to out\.cram \(whole containers, which may hold records outside the regions\)\n$/,
    );
  });

  test('--format, --header, --precision, --level and --no-progress', async () => {
    const text = await get('--format', 'VCFTEXT', '--header', '--no-progress', fixturePath('variants.vcf.gz'));
    expect(text.stdout.toString()).toMatch(/^##fileformat=VCF[\s\S]*\n#CHROM\t[^\n]*\n$/);
    const region = [fixturePath('reads.bam'), 'chr1:1,001-2,000'];
    const exact = await get(...region);
    const chunks = await get(...region, '--precision', 'chunks');
    expect(bgunzip(chunks.stdout).length).toBeGreaterThan(bgunzip(exact.stdout).length);
    const stored = await get(...region, '--level', '0');
    expect(bgunzip(stored.stdout)).toEqual(bgunzip(exact.stdout));
    expect(stored.stdout.length).toBeGreaterThan(exact.stdout.length);
  });

  test.each([
    ['reads.bam', 'out.bam', 'BAM', BGZF],
    ['reads.cram', 'out.cram', 'CRAM', 'CRAM'],
    ['reads.cram', 'OUT.BAM', 'BAM', BGZF],
    ['variants.bcf', 'out.vcf', 'VCFTEXT', '##fileformat'],
    ['variants.bcf', 'out.vcf.gz', 'VCF', BGZF],
    ['variants.bcf', 'out.vcf.bgz', 'VCF', BGZF],
    ['variants.vcf.gz', 'out.bcf', 'BCF', BGZF],
    ['variants.vcf.gz', 'out.gz', 'VCF', BGZF],
  ])('writes %s to %s as %s', async (name, output, format, start) => {
    const { code, stderr } = await get(fixturePath(name), 'chr1:1,001-2,000', '-o', output);
    expect([code, stderr]).toEqual([0, expect.stringMatching(new RegExp(`^wrote [\\d,]+ bytes of ${format} to `))]);
    const written = readFileSync(join(folder, output));
    expect(written.toString('latin1').startsWith(start)).toBe(true);
    const explicit = await get(fixturePath(name), 'chr1:1,001-2,000', '--format', format, '-o', 'out');
    expect([explicit.code, readFileSync(join(folder, 'out')).equals(written)]).toEqual([0, true]);
  });

  test('--format decides over the name of the output', async () => {
    expect((await get(fixturePath('variants.bcf'), '--format', 'VCF', '-o', 'out.bcf')).stderr).toMatch(/of VCF to /);
  });

  test('requests the format that the name of the output states', async () => {
    const server = await serve({
      paths: [fixturePath('.')],
      host: '127.0.0.1',
      port: 0,
      authority: 'ga4gh',
      log: () => undefined,
    });
    onTestFinished(() => server.close());
    const url = `${server.url}/reads/reads?format=CRAM`;
    expect((await get(url, '-o', 'out.bam')).stderr).toMatch(/^wrote [\d,]+ bytes of BAM to /);
    expect((await get(url, '-o', 'out')).stderr).toMatch(/^wrote [\d,]+ bytes of CRAM to /);
    const refused = await get(`${server.url}/reads/reads-csi`, '-o', 'out.cram');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('UnsupportedFormat')]);
    expect(readdirSync(folder).toSorted()).toEqual(['out', 'out.bam']);
  });

  test.each([
    ['no file', [], /missing required argument/],
    ['a URL of another scheme', ['s3://bucket/a.bam'], /a URL begins with http/],
    ['an unknown field', ['--fields', 'NAME', 'a.bam'], /fields must be of QNAME, .*; found "NAME"/],
    ['an empty tag', ['--tags', 'NM,', 'a.bam'], /tags has an empty element/],
    ['a key that is both', ['--tags', 'NM', '--notags', 'NM', 'a.bam'], /"NM" is both in tags and in notags/],
    ['tags twice', ['--tags', 'NM', '--tags', 'RG', 'a.bam'], /the option must not be repeated/],
    ['an invalid level', ['--level', '10', 'a.bam'], /expected a whole number from 0 to 9/],
    [
      'an output in a format of samtools',
      ['a.bam', '-o', 'out.sam.gz'],
      /htskit get does not write SAM; use htskit view/,
    ],
    ['an output without a name', ['-o', '', 'a.bam'], /expected a file name, or - for stdout/],
    ['an unknown precision', ['--precision', 'most', 'a.bam'], /Allowed choices are auto, exact, chunks/],
    ['an invalid region', [fixturePath('reads.bam'), 'chr1:9-3'], /"chr1:9-3" ends before it begins/],
    ['tags of CRAM', [fixturePath('reads.cram'), '--tags', ''], /CRAM is cut in whole containers/],
    [
      'fields of VCF',
      [fixturePath('variants.vcf.gz'), '--fields', 'POS'],
      /--fields applies to BAM, and the output is VCF/,
    ],
  ])('rejects %s as a usage error', async (_, args, message) => {
    const { code, stdout, stderr } = await get('-o', 'out', ...args);
    expect([code, stdout.length]).toEqual([2, 0]);
    expect(stderr).toMatch(/^error: /);
    expect(stderr).toMatch(message);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('prints one line with the path for a failure', async () => {
    copyFileSync(fixturePath('reads.bam'), join(folder, 'reads.bam'));
    writeFileSync(join(folder, 'cut.bam'), readFixture('reads.bam').subarray(0, 100_000));
    for (const [args, message] of [
      [['nothing.bam'], /^htskit: nothing\.bam: no such file or folder\n$/],
      [['cut.bam', '--tags', ''], /^htskit: cut\.bam: [^\n]*\n$/],
      [['reads.bam', 'chr9'], /^htskit: reads\.bam: unknown reference "chr9" \(5 references: [^\n]*\)\n$/],
      [['reads.bam', '--format', 'VCF'], /^htskit: reads\.bam: a BAM file cannot be answered as VCF\n$/],
      [['reads.bam', '-o', 'reads.bam'], /^htskit: reads\.bam: refusing to overwrite the input reads\.bam\n$/],
      [['reads.bam', '-o', 'out.cram'], /^htskit: reads\.bam: a BAM file cannot be answered as CRAM\n$/],
      [['reads.bam', '-o', 'out.vcf.gz'], /^htskit: reads\.bam: a BAM file cannot be answered as VCF\n$/],
      [['reads.bam', '-o', 'nowhere/out'], /^htskit: reads\.bam: cannot write nowhere\/out: ENOENT: [^\n]*\n$/],
    ] as const) {
      const { code, stderr } = await get('-o', 'out', ...args);
      expect([code, stderr]).toEqual([1, expect.stringMatching(message) as string]);
    }
    expect(readdirSync(folder).toSorted()).toEqual(['cut.bam', 'reads.bam']);
  });

  test('exits quietly when the reader closes the pipe', async () => {
    await writeLongFile('long.bam');
    const child = spawn(process.execPath, [cli, 'get', 'long.bam', '--notags', 'NM'], { cwd: folder });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const closed = once(child, 'close');
    await once(child.stdout, 'data');
    child.stdout.destroy();
    expect([await closed, stderr]).toEqual([[0, null], '']);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('%s ends it by that signal and leaves no file', async (name) => {
    await writeLongFile('long.bam');
    // Once the output has begun, which is seen by its temporary name.
    const ready = `import fs from 'node:fs/promises'; import { syncBuiltinESMExports } from 'node:module';
      const { open } = fs; fs.open = async (...args) => { const file = await open(...args); process.send('open'); return file; };
      syncBuiltinESMExports();`;
    const args = [
      '--import',
      `data:text/javascript,${encodeURIComponent(ready)}`,
      cli,
      'get',
      'long.bam',
      '--tags',
      '',
    ];
    const child = spawn(process.execPath, [...args, '-o', 'out.bam'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let stderr = '';
    child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const closed = once(child, 'close');
    await once(child, 'message');
    expect(readdirSync(folder)).toHaveLength(2);
    child.kill(name);
    expect([await closed, stderr]).toEqual([[null, name], '']);
    expect(readdirSync(folder)).toEqual(['long.bam']);
  });
});
