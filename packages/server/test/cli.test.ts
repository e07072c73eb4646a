import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fixturePath } from '@htskit/testing';
import { expect, test } from 'vitest';
import { cli, htskit, start } from './built-command.js';
import { runCommand } from './run-command.js';

test('serve prints its address when it is ready', async () => {
  const { url } = await start(fixturePath('reads.bam'));
  const response = await fetch(`${url}/reads/reads?class=header`);
  expect(response.status).toBe(200);
});

test.skipIf(!existsSync('/dev/full'))('exits with 1 if the output cannot be written', async () => {
  const stdout = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [cli, 'ticket', fixturePath('reads.bam')], {
    stdio: ['ignore', stdout, 'ignore'],
  });
  expect(await once(child, 'close')).toEqual([1, null]);
  closeSync(stdout);
});

test.each([
  [0, '--version', /^\d+\.\d+\.\d+\n$/],
  [1, 'digest nowhere.fa', /^$/],
  [2, 'digest', /^$/],
])('the process exits with %i after htskit %s', async (code, args, stdout) => {
  const child = htskit(...args.split(' '));
  const closed = once(child, 'close');
  expect(await text(child.stdout)).toMatch(stdout);
  expect(await closed).toEqual([code, null]);
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

test('exits with 1 for a malformed alias table', async () => {
  const genome = fixturePath('genome.fa');
  const { code, stderr } = await runCommand(['serve', '--port', '0', '--aliases', genome, genome]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^htskit: .*genome\.fa: expected three columns/);
});

test.each([
  ['an unknown option', ['serve', '--nothing']],
  ['an unknown command', ['nothing']],
  ['an invalid port', ['serve', '--port', '70000']],
  ['an invalid public URL', ['serve', '--public-url', 'example.org']],
  ['a public URL with a password', ['serve', '--public-url', 'http://me:pass@example.org']],
  ['a public URL with a query', ['serve', '--public-url', 'http://example.org?a=b']],
  ['a public URL with a fragment', ['serve', '--public-url', 'http://example.org#a']],
  ['an unknown authority', ['serve', '--authority', 'other']],
  ['a naming authority that is a digest', ['serve', '--naming-authority', 'md5']],
])('exits with 2 and a message on stderr for %s', async (_, args) => {
  const { code, stdout, stderr } = await runCommand(args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^error: /);
});

test('exits with 1 for a path that does not exist', async () => {
  const { code, stderr } = await runCommand(['serve', '--port', '0', 'does-not-exist']);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^htskit: .*does-not-exist/);
});

test('exits with 1 for a file that cannot be served, and names the files that can be', async () => {
  const { code, stdout, stderr } = await runCommand(['serve', '--port', '0', fixturePath('README.md')]);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^htskit: cannot serve .*README\.md: reads are \*\.bam and .* and \*\.2bit\n$/);
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

test('exits with 1 if the port is in use', async () => {
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  const { port } = blocker.address() as { port: number };
  const { code, stderr } = await runCommand(['serve', '--port', String(port), fixturePath('reads.bam')]);
  blocker.close();
  expect(code).toBe(1);
  expect(stderr).toMatch(/^htskit: .*EADDRINUSE/);
});

test.each([
  ['htskit', []],
  ['htskit refget', ['refget']],
  ['htskit config', ['config']],
])('prints help on stderr and exits with 2 for %s without a command', async (_, args) => {
  const { code, stdout, stderr } = await runCommand(args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^Usage: htskit [\s\S]*\nCommands:\n/);
});

test('exits with 0 after --help and --version', async () => {
  const help = await runCommand(['--help']);
  expect([help.code, help.stdout]).toEqual([0, expect.stringContaining('serve') as string]);
  const version = await runCommand(['--version']);
  expect([version.code, version.stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string]);
});
