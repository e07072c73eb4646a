import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { createServer } from 'node:net';
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
  expect(stderr).toMatch(
    /^htskit: cannot serve .*README\.md: reads are \*\.bam and .* and \*\.2bit; each may end with \.c4gh, encrypted by Crypt4GH\n$/,
  );
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
