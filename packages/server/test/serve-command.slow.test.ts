import { once } from 'node:events';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fixturePath } from '@htskit/testing';
import { expect, test } from 'vitest';
import { htskit, start } from './built-command.js';

test.each([
  [
    ['v31.cram', 'variants-csi.vcf.gz', 'genome.fa.gz'],
    ['/reads/v31?', '/variants/variants-csi?', '/sequence/'],
  ],
  [['reads.bam', 'reads.cram', 'straddle.bam'], ['/reads/reads?']],
])('serve %j --examples prints commands that work', async (names, paths) => {
  const { child, url } = await start(...names.map(fixturePath), '--examples');
  const lines: string[] = [];
  for await (const line of createInterface(child.stderr)) {
    lines.push(line.trim());
    if (line.startsWith('All that is served')) break;
  }
  const urls = lines.flatMap((line) => /^(?:samtools view|bcftools view|curl -s) '([^']+)'$/.exec(line)?.[1] ?? []);
  expect(urls.map((example) => example.slice(url.length))).toEqual(
    paths.map((path) => expect.stringMatching(path.replaceAll('?', '\\?')) as string),
  );
  for (const example of urls) {
    const response = await fetch(example);
    expect(response.status, example).toBe(200);
    const body = await response.text();
    const { urls: blocks } = body.startsWith('{"htsget"')
      ? (JSON.parse(body) as { htsget: { urls: { url: string }[] } }).htsget
      : { urls: [] };
    expect(blocks.length > 0, example).toBe(!example.includes('/sequence/'));
    for (const block of blocks) expect((await fetch(block.url)).status, example).toBe(200);
  }
});

test.each([
  [['--public-url', 'https://a.example/data//'], "'https://a.example/data/reads/reads?"],
  [['--host', '0.0.0.0'], "'http://127.0.0.1:"],
])('serve %j --examples prints URLs that clients can reach', async (flags, expected) => {
  const child = htskit('serve', '--port', '0', ...flags, '--examples', fixturePath('reads.bam'));
  for await (const line of createInterface(child.stderr)) {
    if (!line.includes('samtools view')) continue;
    expect(line).toContain(expected);
    break;
  }
  expect.assertions(1);
});

test('SIGTERM lets a running response end and exits with 0', async () => {
  const { child, url } = await start(fixturePath('reads.bam'));
  const ticket = (await (await fetch(`${url}/reads/reads`)).json()) as { htsget: { urls: { url: string }[] } };
  const response = await fetch(ticket.htsget.urls[1]?.url ?? '');
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100_000);
  expect(await exited).toEqual([0, null]);
});

test('serve answers while a file is being digested, and SIGTERM stops the digesting', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  // 64 GiB that are nowhere on the disk.
  writeFileSync(join(folder, 'endless.fa'), '>endless\nACGT\n');
  truncateSync(join(folder, 'endless.fa'), 2 ** 36);
  const { child, url } = await start(folder, fixturePath('genome.fa.gz'), '--naming-authority', 'here');
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  await expect.poll(async () => (await fetch(`${url}/sequence/here:chrM?end=10`)).status).toBe(200);
  const unknown = await fetch(`${url}/sequence/here:unknown`);
  expect([unknown.status, unknown.headers.get('retry-after')]).toEqual([503, '5']);
  await unknown.text();
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  rmSync(folder, { recursive: true });
});

test('serve applies the options for names, circular sequences and the cache', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  writeFileSync(join(folder, 'a.tsv'), 'chrM\tNC_012920.1\tinsdc\n');
  writeFileSync(join(folder, 'b.tsv'), 'chrM\tMT\tncbi\n');
  const flags = ['--circular', 'chr2', '--circular', 'chrM', '--aliases', join(folder, 'a.tsv')];
  const { url } = await start(...flags, '--aliases', join(folder, 'b.tsv'), fixturePath('genome.fa.gz'));
  await expect.poll(async () => (await fetch(`${url}/sequence/ncbi:MT?start=16568&end=1`)).status).toBe(200);
  const response = await fetch(`${url}/sequence/insdc:NC_012920.1/metadata`);
  expect(await response.json()).toMatchObject({
    metadata: {
      length: 16_569,
      circular: true,
      aliases: [
        { alias: 'NC_012920.1', naming_authority: 'insdc' },
        { alias: 'MT', naming_authority: 'ncbi' },
      ],
    },
  });
  rmSync(folder, { recursive: true });
});

test('serves an empty folder and logs a hint', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  const child = htskit('serve', '--port', '0', folder);
  const [line] = (await once(createInterface(child.stderr), 'line')) as [string];
  expect(line).toMatch(/^no files to serve in .* yet: add some, or give another path; reads are \*\.bam and /);
  const [listening] = (await once(createInterface(child.stdout), 'line')) as [string];
  expect(listening).toMatch(/^listening on /);
  rmSync(folder, { recursive: true });
});
