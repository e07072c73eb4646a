import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { decodeBam, fixturePath, toSamText } from '@htskit/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type RunningServer, serve } from '../../src/runtime/serve.js';
import { type CommandResult, runBinaryCommand, runCommand } from '../run-command.js';

let folder = '';
let server: RunningServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-habits-'));
  writeFileSync(join(folder, 'a.bed'), 'chr1\t5000\t7000\nunknown\t1\t2\nchr2\t100\t2000\n');
  writeFileSync(join(folder, 'known.bed'), 'chr1\t5000\t7000\nchr2\t100\t2000\nchr2\t9\t9\n');
  const paths = ['reads.bam', 'variants.vcf.gz'].map(fixturePath);
  server = await serve({ paths, host: '127.0.0.1', port: 0, authority: 'ga4gh', log: () => undefined });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});
afterEach(() => vi.unstubAllEnvs());

const run = (...args: string[]): Promise<CommandResult> => runCommand(args, folder);
const reads = fixturePath('reads.bam');
const REGIONS = ['chr1:5001-7000', 'chr2:101-2000'];

/** Runs `htskit get` and returns the records of its output as SAM. */
async function getSam(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runBinaryCommand(['get', ...args], folder);
  if (code !== 0) throw new Error(stderr);
  return toSamText(decodeBam(stdout));
}

describe('--regions-file', () => {
  test('selects what its regions select, and skips unknown references of a file', async () => {
    const expected = await getSam(reads, ...REGIONS);
    expect(expected.split('\n').length).toBeGreaterThan(50);
    expect(await getSam(reads, '-L', 'a.bed')).toBe(expected);
    expect(await getSam(`${server.url}/reads/reads`, '--regions-file', 'known.bed')).toBe(expected);
  });

  test('works for the plan of a file and the ticket of a service', async () => {
    const plan = JSON.parse((await run('ticket', '--json', reads, '-L', 'a.bed')).stdout) as { readonly regions: [] };
    expect(plan.regions).toHaveLength(3);
    const ticket = await run('ticket', `${server.url}/reads/reads`, '-L', 'known.bed');
    expect([ticket.code, ticket.stdout]).toEqual([
      0,
      expect.stringContaining('regions: chr1:5,001-7,000 chr2:101-2,000'),
    ]);
  });

  test('without any known reference gives a file without records', async () => {
    writeFileSync(join(folder, 'none.bed'), 'unknown\t1\t2\n');
    expect(await getSam(reads, '-L', 'none.bed')).toBe('');
  });

  test.each([
    ['together with regions', [reads, 'chr1', '-L', 'a.bed'], '--regions-file cannot be combined with regions'],
    ['without intervals, for a service', ['http://127.0.0.1:1/reads/a', '-L', 'empty.bed'], 'has no intervals'],
  ])('is a usage error %s', async (_, args, message) => {
    writeFileSync(join(folder, 'empty.bed'), '# nothing\n');
    const { code, stderr } = await run('get', ...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  test('names the file that has a wrong line', async () => {
    writeFileSync(join(folder, 'wrong.bed'), 'chr1\tx\n');
    const { code, stderr } = await run('get', reads, '-L', 'wrong.bed');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^htskit: .*wrong\.bed: expected a name, a start/)]);
  });
});

test('formats are accepted in any letter case', async () => {
  const { code, stdout } = await run('get', fixturePath('variants.vcf.gz'), '--format', 'vcftext', '--header');
  expect([code, stdout.startsWith('##fileformat=VCF')]).toEqual([0, true]);
  expect((await run('ticket', reads, '--format', 'bam')).stdout).toMatch(/: BAM\n/);
  expect((await run('view', reads, 'chr1:1-2000', '-O', 'SAM')).code).toBe(0);
  expect((await run('get', reads, '--format', 'sam')).stderr).toContain('Allowed choices are BAM, CRAM, VCF');
});

test('htsget:// is an htsget service, also for a path with an extension', async () => {
  const expected = await run('view', reads, 'chr1:1-2000');
  const host = new URL(server.url).host;
  expect(await run('view', `htsget://${host}/reads/reads`, 'chr1:1-2000')).toEqual(expected);
  expect((await run('view', `htsget://${host}/reads/reads.bam`)).stderr).toMatch(/HTTP 404, NotFound/);
  expect((await run('ls', `htsget://${host}/`)).stdout).toContain('reads/reads');
});

test('--threads changes no byte of the output', async () => {
  const get = ['get', reads, 'chr1', '--tags', 'NM'];
  const view = ['view', reads, 'chr1', '-b'];
  for (const args of [get, view]) {
    const [one, two] = [await runBinaryCommand(args), await runBinaryCommand([...args, '-@', '2'])];
    expect([two.code, two.stdout.equals(one.stdout)]).toEqual([0, true]);
    expect(one.stdout.length).toBeGreaterThan(10_000);
  }
});

test('-o - is stdout', async () => {
  const { stdout } = await runBinaryCommand(['get', reads, 'chr2', '-o', '-']);
  expect(stdout.equals((await runBinaryCommand(['get', reads, 'chr2'])).stdout)).toBe(true);
  expect((await run('view', reads, 'chr2', '-o', '-')).stdout).toBe((await run('view', reads, 'chr2')).stdout);
});

test('--quiet leaves only errors on stderr', async () => {
  expect((await run('get', reads, 'chr2', '-q', '-o', 'q.bam')).stderr).toBe('');
  expect((await run('view', fixturePath('no-eof.bam'), '-c', '--quiet')).stderr).toBe('');
  expect((await run('get', reads, 'chr99', '-q', '-o', 'q.bam')).stderr).toMatch(
    /^htskit: .*unknown reference "chr99"/,
  );
  // The next command of the process is not quiet.
  expect((await run('get', reads, 'chr2', '-o', 'q.bam')).stderr).toMatch(/^wrote /);
});

describe('colours', () => {
  test('are written if they are wanted', async () => {
    vi.stubEnv('FORCE_COLOR', '1');
    expect((await run('get', 'nothing.bam')).stderr).toContain('\u001b[31mhtskit:\u001b[39m nothing.bam');
    expect((await run('get')).stderr).toContain('\u001b[31merror:\u001b[39m missing required argument');
  });

  test('are left out with NO_COLOR, and of a stream that is not a terminal', async () => {
    expect((await run('get', 'nothing.bam')).stderr).toMatch(/^htskit: nothing\.bam/);
    expect((await run('get', '--help')).stdout).toMatch(/^Usage: htskit get/);
    vi.stubEnv('NO_COLOR', '1');
    expect((await run('get', '--help')).stdout).toMatch(/^Usage: htskit get/);
    expect((await run('get')).stderr).toMatch(/^error: missing/);
  });
});

describe('messages name the remedy', () => {
  const VCF = '##fileformat=VCFv4.3\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n';

  test.each([
    ['plain.vcf', VCF, /compress it with bgzip$/],
    ['plain.sam', '@HD\tVN:1.6\n', /convert it with samtools view -b$/],
    ['gzip.vcf.gz', gzipSync(VCF), /recompress it with bgzip/],
  ])('for %s', async (name, content, message) => {
    writeFileSync(join(folder, name), content);
    for (const command of ['get', 'ticket', 'view', 'index']) {
      const { code, stderr } = await run(command, name);
      expect([command, code, stderr.trim()]).toEqual([command, 1, expect.stringMatching(message)]);
    }
  });

  test('for a URL that is not a ticket', async () => {
    for (const command of ['get', 'ticket', 'view']) {
      const { code, stderr } = await run(command, `${server.url}/?token=SECRET`);
      const { url } = server;
      expect([code, stderr]).toEqual([
        1,
        `htskit: ${url}/ is not an htsget URL; expected ${url}/reads/ID or ${url}/variants/ID; htskit ls ${url}/ lists them\n`,
      ]);
    }
  });

  test('for a server that cannot be reached', async () => {
    for (const command of ['ticket', 'view', 'ls']) {
      const url = 'http://user:SECRET@127.0.0.1:2/reads/a.bam?token=SECRET';
      const { code, stderr } = await run(command, url);
      expect([code, stderr]).toEqual([1, 'htskit: cannot connect to 127.0.0.1:2: connection refused\n']);
    }
    expect((await run('ls', server.url.replace('http:', 'https:'))).stderr).toBe(
      `htskit: cannot connect to ${new URL(server.url).host}: the server does not speak TLS; use http://\n`,
    );
  });

  test('for a reference of another name', async () => {
    for (const target of [reads, `${server.url}/reads/reads`]) {
      const { code, stderr } = await run('view', target, 'chrr1');
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining('unknown reference "chrr1"; did you mean "chr1"? (5 references: chr1, chr2, chrM, …)'),
      ]);
    }
  });
});

test('regions have the same forms in every command', async () => {
  const expected = await getSam(reads, 'chr1:1,001-20,000');
  expect(await getSam(reads, 'chr1:1.001k-20K')).toBe(expected);
  expect((await run('view', reads, 'chr1:1.001k-20K')).stdout).toBe(expected);
  expect((await run('ticket', reads, 'chr1:1.001k-20K')).stdout).toContain('regions: chr1:1,001-20,000\n');
});
