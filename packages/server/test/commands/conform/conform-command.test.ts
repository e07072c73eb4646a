import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixturePath } from '@htskit/testing';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type RunningServer, serve } from '../../../src/runtime/serve.js';
import { runCommand } from '../../run-command.js';

let folder = '';
let server: RunningServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-conform-'));
  const paths = ['reads-csi.bam', 'variants-csi.vcf.gz', 'genome.fa'].map(fixturePath);
  server = await serve({ paths, host: '127.0.0.1', port: 0, authority: 'ga4gh', log: () => undefined });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** Starts a server that stops when the test ends, and returns its URL. */
async function listen(listener: RequestListener): Promise<string> {
  const other = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => {
    other.close();
    other.closeAllConnections();
  });
  await once(other, 'listening');
  return `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
}

const run = (...args: string[]): ReturnType<typeof runCommand> => runCommand(['conform', ...args], folder);

test('prints a line for each rule, and exits with 0 if every MUST is kept', async () => {
  const { code, stdout, stderr } = await run(server.url, '--only', 'htsget.tickets', '--only', 'htsget.cors');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain(
    'pass  MUST    htsget.tickets.format  names the requested format in the ticket [reads/reads-csi BAM; htsget 1.3.1, Ticket]\n',
  );
  expect(stdout).toMatch(/\n\d+ checks: \d+ passed, 0 failed, 0 warnings, \d+ not applicable\n$/);
});

test('compares the answers with a file', async () => {
  const options = ['--reads', 'reads-csi', '--only', 'htsget.data.truth'];
  const same = await run(server.url, ...options, '--truth', fixturePath('reads-csi.bam'));
  expect([same.code, same.stdout]).toEqual([0, expect.stringMatching(/^pass .*: 1145 records\n/)]);
  const other = await run(server.url, ...options, '--truth', fixturePath('reads.bam'));
  expect([other.code, other.stdout]).toEqual([1, expect.stringMatching(/^FAIL /)]);
  expect(other.stdout).toContain(`request:  curl -s '${server.url}/reads/reads-csi?format=BAM'`);
});

test('writes reports by the testbed schema and as JUnit XML', async () => {
  await run(server.url, '--only', 'htsget.errors.class', '--json', 'report.json', '--junit', 'report.xml');
  const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as { readonly status: string };
  expect(report.status).toBe('PASS');
  expect(readFileSync(join(folder, 'report.xml'), 'utf8')).toContain('<testsuite name="htsget" tests="2" failures="0"');
});

test('sends the token of a file', async () => {
  writeFileSync(join(folder, 'token'), 'secret\n');
  const seen = new Set<string | undefined>();
  const url = await listen((request, response) => {
    seen.add(request.headers.authorization);
    response.writeHead(404).end();
  });
  const { code, stderr } = await run(url, '--token-file', 'token');
  expect([code, stderr]).toEqual([1, expect.stringContaining('no htsget or refget service answers below the URL')]);
  expect([...seen]).toEqual(['Bearer secret']);
});

test.each([
  [
    'a service that lists nothing, without ids',
    ['LISTLESS'],
    'name some (reads) by --reads, --variants, --sequence or --collection',
  ],
  ['a URL with a query', ['http://127.0.0.1:1/?a=b'], 'the URL must not have credentials, a query or a fragment'],
  [
    'a file of another format',
    ['URL', '--truth', fixturePath('genome.fa')],
    'expected a file that is BAM, CRAM, VCF or BCF',
  ],
  [
    'an id that the service does not have',
    ['URL', '--reads', 'nothing'],
    'answers 404 for the header of reads "nothing"',
  ],
])('refuses %s', async (_fact, [target = '', ...args], message) => {
  const url = await listen((request, response) => {
    const isInfo = request.url === '/reads/service-info';
    response.writeHead(isInfo ? 200 : 404).end(isInfo ? '{"htsget":{}}' : '');
  });
  const { code, stderr } = await run(target.replace('LISTLESS', url).replace(/^URL$/, server.url), ...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
