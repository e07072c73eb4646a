import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openVariants, type VariantFile } from '@htskit/records';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, serve } from '../../src/runtime/serve.js';
import { cli } from '../built-command.js';
import { runBinaryCommand } from '../run-command.js';

// Names in Latin-1: the bytes 0xE9 and 0xE8. The expected files are the output of htslib 1.24, each byte one character here.
const folder = fileURLToPath(new URL('01-latin1-names/', import.meta.url));
const pathOf = (name: string): string => join(folder, name);
const expected = (name: string): string => readFileSync(pathOf(name), 'latin1');
const recordsOf = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !/^[#@]/.test(line))
    .join('\n');

let temporary: string;
let server: RunningServer;
beforeAll(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'htskit-names-'));
  server = await serve({ paths: [folder], host: '127.0.0.1', port: 0, authority: 'ga4gh', log: () => undefined });
});
afterAll(async () => {
  await server.close();
  await rm(temporary, { recursive: true });
});

async function run(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runBinaryCommand([args[0] ?? '', '--quiet', ...args.slice(1)]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.toString('latin1');
}

async function linesOf(file: VariantFile, referenceName?: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const record of file.records(referenceName === undefined ? undefined : { referenceName })) {
    lines.push(record.toVcf());
  }
  return lines;
}

/** Returns the records that a command prints. */
const view = (...args: string[]): Promise<string> => run('view', '--without-header', ...args);

describe.each(['VCF', 'BCF'])('samples and contigs of %s', (format) => {
  test.each(['contigs', 'samples'])('%s: a conversion and a download keep the bytes', async (id) => {
    const extension = format === 'VCF' ? 'vcf.gz' : 'bcf';
    const converted = join(temporary, `${id}.${extension}`);
    await run('view', '-o', converted, pathOf(`${id}.vcf.gz`));
    const downloaded = join(temporary, `${id}-downloaded.${extension}`);
    await run('get', `${server.url}/variants/${id}`, '--format', format, '-o', downloaded);
    for (const path of [converted, downloaded]) {
      expect(await view(path)).toBe(recordsOf(expected(`${id}.expected.vcf`)));
    }
  });

  test('a download keeps the header', async () => {
    const downloaded = join(temporary, `header.${format === 'VCF' ? 'vcf.gz' : 'bcf'}`);
    await run('get', `${server.url}/variants/samples`, '--format', format, '-o', downloaded);
    expect(await run('view', '--with-header', downloaded)).toBe(expected('samples.expected.vcf'));
  });
});

test('the samples of VCF and BCF are different names', async () => {
  for (const name of ['samples.vcf.gz', 'samples.bcf']) {
    const file = await openVariants(pathOf(name));
    expect(file.header.samples).toEqual(['\udce9', '\udce8']);
    expect(await linesOf(file)).toEqual(['c1\t5\tr\udce9\tA\tC\t.\tf\udce9\tGN=\udce9\udce8\tGT\t0/1\t1/1']);
    await file.close();
  }
});

describe('a region by the name that the file lists', () => {
  const [first, second] = expected('contigs.expected.vcf').split(/(?<=\n)/);

  test('has its records in the file', async () => {
    const file = await openVariants(pathOf('contigs.vcf.gz'));
    expect(file.references.map(({ name }) => name)).toEqual(['c\udce9', 'c\udce8']);
    for (const { name } of file.references) {
      const lines = await linesOf(file, name);
      expect(lines.map((line) => line.split('\t')[0])).toEqual([name]);
    }
    await file.close();
  });

  test('has its records by the argument of a command, as JSON escapes it', async () => {
    expect(await view(pathOf('contigs.vcf.gz'), 'c\udce9')).toBe(first);
    expect(await view(pathOf('contigs.vcf.gz'), 'c\\udce8:1-10')).toBe(second);
    expect(await view(`${server.url}/variants/contigs`, 'c\\udce9')).toBe(first);
    expect(await view(`${server.url}/variants/contigs?referenceName=c%E8`)).toBe(second);
  });

  test.runIf(process.platform === 'linux')('has its records by an argument of the same bytes', () => {
    const script = `exec "$0" "$1" view --quiet --without-header "$2" "$(printf 'c\\351')"`;
    const { stdout } = spawnSync('sh', ['-c', script, process.execPath, cli, pathOf('contigs.vcf.gz')]);
    expect(stdout.toString('latin1')).toBe(first);
  });

  test('has its records by a BED file', async () => {
    const bed = join(temporary, 'regions.bed');
    await writeFile(bed, Buffer.from('c\xe8\t0\t10\n', 'latin1'));
    expect(await view('-L', bed, pathOf('contigs.vcf.gz'))).toBe(second);
  });

  test.each([
    ['by GET', 'c%E9', undefined],
    ['by POST', undefined, 'c\udce9'],
  ])('has its records from the server, %s', async (_, query, referenceName) => {
    const body =
      referenceName === undefined ? undefined : JSON.stringify({ format: 'VCF', regions: [{ referenceName }] });
    const url = `${server.url}/variants/contigs${query === undefined ? '' : `?referenceName=${query}`}`;
    const response = await fetch(url, body === undefined ? {} : { method: 'POST', body });
    const ticket = (await response.json()) as { htsget: { urls: { url: string }[] } };
    const blocks = await Promise.all(ticket.htsget.urls.map(async (each) => (await fetch(each.url)).arrayBuffer()));
    const path = join(temporary, 'region.vcf.gz');
    await writeFile(path, Buffer.concat(blocks.map((block) => Buffer.from(block))));
    expect(await view(path)).toBe(first);
  });

  test('another name of the same characters is not found', async () => {
    const response = await fetch(`${server.url}/variants/contigs?referenceName=c%C3%A9`);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('c\\udce9');
  });
});

describe.each(['rg.bam', 'rg.cram'])('read groups, names and tags of %s', (name) => {
  test('are the same in SAM, and in BAM that it is converted to', async () => {
    expect(await run('view', '--with-header', pathOf(name))).toBe(expected(`${name}.expected.sam`));
    const path = join(temporary, `${name}.bam`);
    await run('view', '-o', path, pathOf(name));
    expect(await run('view', '--with-header', path)).toBe(expected(`${name}.expected.sam`));
  });

  test('are those that the server sends', async () => {
    const path = join(temporary, `${name}-downloaded.bam`);
    await run('get', `${server.url}/reads/rg?format=BAM`, '-o', path);
    expect(await run('view', '--with-header', path)).toBe(expected('rg.bam.expected.sam'));
  });
});
