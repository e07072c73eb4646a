import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fixturePath } from '@htskit/testing';
import { expect, test } from 'vitest';
import { type CommandResult, runCommand } from '../../run-command.js';

async function ticket(...args: string[]): Promise<CommandResult> {
  return runCommand(['ticket', ...args], fixturePath('.'));
}

test('prints a table, or JSON with --json', async () => {
  const table = await ticket(fixturePath('reads.bam'), 'chr1:1,001-2,000');
  expect([table.code, table.stderr]).toEqual([0, '']);
  expect(table.stdout).toMatch(/^.*reads\.bam: BAM\nregions: chr1:1,001-2,000\n/);
  const options = ['--json', '--precision', 'chunks', '--format', 'VCFTEXT'];
  const json = await ticket(...options, fixturePath('variants.vcf.gz'), 'chr1:1,001-2,000', 'chr2');
  expect(JSON.parse(json.stdout)).toMatchObject({
    format: 'VCFTEXT',
    precision: 'chunks',
    regions: [{ referenceName: 'chr1', start: 1000, end: 2000 }, { referenceName: 'chr2' }],
  });
});

test('the reference shows the actual output', async () => {
  const reference = readFileSync(new URL('../../../../../docs/commands.md', import.meta.url), 'utf8');
  const [, shown = ''] = /\$ htskit ticket reads\.bam chr1:1,001-2,000\n([^`]+)```/.exec(reference) ?? [];
  // The size of the result depends on the version of zlib.
  const withoutSize = (text: string): string => text.replace(/\nresult: .*/, '');
  expect(withoutSize((await ticket('reads.bam', 'chr1:1,001-2,000')).stdout)).toBe(withoutSize(shown));
});

test.each([
  ['no file', []],
  ['an unknown precision', ['--precision', 'most', 'a.bam']],
  ['an unknown format', ['--format', 'SAM', 'a.bam']],
  ['a token for a file', ['--token-file', 'x', fixturePath('reads.bam')]],
  ['a header for a file', ['-H', 'A: b', fixturePath('reads.bam')]],
  ['a token among the headers', ['-H', 'Authorization: Bearer s3cret', 'http://127.0.0.1:1/reads/a']],
  ['a precision for a service', ['--precision', 'exact', 'http://127.0.0.1:1/reads/a']],
  ['an invalid region', [fixturePath('reads.bam'), 'chr1:9-3']],
  ['a region of another form', [fixturePath('reads.bam'), 'chr1:1x-2x']],
  ['an invalid URL', ['http://:x']],
  ['a URL of another scheme', ['s3://bucket/a.bam']],
])('rejects %s as a usage error', async (_, args) => {
  const { code, stdout, stderr } = await ticket(...args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^error: /);
});

test.each([
  ['a missing file', 'nothing.bam', /^htskit: nothing\.bam: no such file or folder\n$/],
  ['a folder', fixturePath('.'), /^htskit: .*: expected a file, found a folder\n$/],
  ['another file', fixturePath('genome.fa'), /^htskit: .*genome\.fa: neither BAM, CRAM, bgzipped VCF nor BCF\n$/],
  [
    'a missing service',
    'http://user:PASS@127.0.0.1:2/reads/a?access_token=SECRET',
    /^htskit: cannot connect to 127\.0\.0\.1:2: connection refused\n$/,
  ],
  [
    'a port that nothing may be fetched from',
    'http://127.0.0.1:1/a?token=S',
    /^htskit: cannot connect to 127\.0\.0\.1:1: bad port\n$/,
  ],
])('exits with 1 for %s', async (_, target, message) => {
  const { code, stdout, stderr } = await ticket(target);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(message);
});

test.each([
  [
    404,
    '{"htsget":{"error":"NotFound","message":"\\u001b[2J\\ngone\\u009b"}}',
    1,
    /^htskit: the server answered HTTP 404, NotFound: {2}\[2J gone \n$/,
  ],
  [200, '{"htsget":{"format":"\\u001b[2J\\u009b","urls":[]}}', 1, /^htskit: format must be one of [\w, ]+\n$/],
])('escapes control characters of a service that answers %i', async (status, body, exitCode, message) => {
  const service = createServer((_request, response) => response.writeHead(status).end(body)).listen(0, '127.0.0.1');
  await once(service, 'listening');
  const { code, stdout, stderr } = await ticket(
    '--json',
    `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
  );
  service.close();
  expect(code).toBe(exitCode);
  expect(stderr).toMatch(message);
  expect(stdout).not.toMatch(/[^\n\P{C}]/u);
});
