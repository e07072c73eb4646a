import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixturePath } from '@htskit/testing';
import { afterAll, expect, test } from 'vitest';
import { cli, start } from './built-command.js';
import { runBinaryCommand } from './run-command.js';

const folder = mkdtempSync(join(tmpdir(), 'htskit-bundle-'));
afterAll(() => rmSync(folder, { recursive: true }));

const reads = fixturePath('reads.bam');

test.each([
  ['deflate', ['view', reads, '-b', '-@', '2']],
  ['decode', ['view', fixturePath('reads.cram'), '-T', fixturePath('genome.fa'), '-@', '2']],
  ['deliver', ['get', reads, '--tags', 'NM', '-@', '2']],
  ['digest', ['digest', fixturePath('genome.fa.gz')]],
])('the workers of the bundle that %s write what the sources write', async (_, args) => {
  const { stdout, code } = await runBinaryCommand(args);
  const built = execFileSync(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  expect([built.equals(stdout), code, built.length > 0]).toEqual([true, 0, true]);
});

test('the bundle serves the page, and sequences whose table a worker reads', async () => {
  for (const name of ['genome.fa', 'genome.fa.fai']) cpSync(fixturePath(name), join(folder, name));
  const { url } = await start(folder);
  const page = await fetch(url, { headers: { accept: 'text/html' } });
  expect(await page.text()).toContain('<!doctype html>');
  const [line = ''] = execFileSync(process.execPath, [cli, 'digest', join(folder, 'genome.fa')], {
    encoding: 'utf8',
  }).split('\n');
  const [, length, md5] = line.split('\t');
  const sequence = await fetch(`${url}/sequence/${md5}`);
  expect([sequence.status, (await sequence.text()).length]).toEqual([200, Number(length)]);
});
