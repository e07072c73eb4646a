import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { fixturePath } from '@htskit/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ConfigReport } from '../../../src/commands/config/check-config.js';
import { EXAMPLE_CONFIG } from '../../../src/commands/config/config-command.js';
import { parseConfig } from '../../../src/config/parse-config.js';
import { type CommandResult, runCommand } from '../../run-command.js';

const cli = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
if (!existsSync(cli)) throw new Error('these tests run the built command: build first');

let folder: string;
const running = new Set<ChildProcessWithoutNullStreams>();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  mkdirSync(join(folder, 'data'));
  cpSync(fixturePath('reads.bam'), join(folder, 'data/a.bam'));
});

afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

function htskit(...args: string[]): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [cli, ...args], { cwd: folder, env: { ...process.env, NAME: 'A' } });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

async function run(...args: string[]): Promise<CommandResult> {
  return runCommand(args, folder);
}

function configure(...lines: readonly string[]): void {
  writeFileSync(join(folder, 'htskit.yaml'), `${lines.join('\n')}\n`);
}

/** The lines of a stream so far; `until` resolves with the first that matches. */
function linesOf(child: ChildProcessWithoutNullStreams): { all: string[]; until: (text: string) => Promise<string> } {
  const all: string[] = [];
  createInterface(child.stderr).on('line', (line) => all.push(line));
  const find = (text: string): string => all.find((line) => line.includes(text)) ?? '';
  const until = async (text: string): Promise<string> => {
    await expect.poll(() => find(text)).not.toBe('');
    return find(text);
  };
  return { all, until };
}

async function start(...args: string[]): Promise<{ child: ChildProcessWithoutNullStreams; url: string }> {
  const child = htskit('serve', '--port', '0', ...args);
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { child, url: line.replace('listening on ', '') };
}

async function status(url: string): Promise<number> {
  const response = await fetch(url);
  await response.arrayBuffer();
  return response.status;
}

test('exits with 0 for a valid configuration and prints what is served on stderr', async () => {
  configure('htsget: { locations: [{ location: data }] }');
  const { code, stdout, stderr } = await run('config', 'check');
  expect([code, stdout]).toEqual([0, '']);
  expect(stderr).toBe(`htsget ${join(folder, 'data')}: 1 file\n  without an index: a (BAM)\nhtskit.yaml is valid\n`);
});

test('exits with 1 for an invalid configuration and prints file, line and column', async () => {
  configure('htsgte: {}');
  const { code, stderr } = await run('config', 'check', join(folder, 'htskit.yaml'));
  expect(code).toBe(1);
  expect(stderr).toContain(`${join(folder, 'htskit.yaml')}:1:1: htsgte: unknown key; did you mean "htsget"?\n`);
});

test('--json prints the report on stdout', async () => {
  configure('htsget: { locations: [{ location: data }, { location: nowhere }] }');
  const { code, stdout, stderr } = await run('config', 'check', '--json');
  const report = JSON.parse(stdout) as ConfigReport;
  expect([code, stderr]).toEqual([1, '']);
  expect(report).toMatchObject({
    file: 'htskit.yaml',
    faults: [{ line: 1, column: 55, path: 'htsget.locations[1].location' }],
    objects: [{ location: join(folder, 'data'), files: 1, isComplete: true, withoutIndex: ['a (BAM)'], suspect: [] }],
    sequences: [],
  });
});

test('exits with 1 for a missing file and with 2 for an unknown command', async () => {
  const stderr = 'htskit: htskit.yaml: no such file or folder\n';
  expect(await run('config', 'check')).toMatchObject({ code: 1, stderr });
  expect(await run('config', 'check', '--nothing')).toMatchObject({ code: 2 });
  expect(await run('config')).toMatchObject({ code: 2 });
});

test('serve does not start with an invalid configuration and prints all faults', async () => {
  configure('listen: { prot: 1 }', 'lisen: 1');
  const { code, stdout, stderr } = await run('serve', '--config', 'htskit.yaml');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toBe(
    'htskit.yaml:1:11: listen.prot: unknown key; did you mean "port"?\n' +
      'htskit.yaml:2:1: lisen: unknown key; did you mean "listen"?\n',
  );
});

test('exits with 2 for sequence names with --config and no PATH', async () => {
  configure('');
  const { code, stderr } = await run('serve', '--config', 'htskit.yaml', '--circular', 'chrM');
  expect(code).toBe(2);
  expect(stderr).toMatch(/^error: with --config, /);
});

test('SIGHUP reloads the configuration, an invalid one changes nothing, and SIGTERM exits with 0', async () => {
  const service = `service: { name: "\${NAME}" }`;
  configure(service, 'log: { format: text }', 'listen: { port: 1 }', 'htsget: { locations: [{ location: data }] }');
  const { child, url } = await start('--config', 'htskit.yaml');
  const { all, until } = linesOf(child);
  const info = (await (await fetch(`${url}/reads/service-info`)).json()) as { name: string };
  expect([info.name, await status(`${url}/reads/a`), await status(`${url}/reads/b/a`)]).toEqual(['A', 200, 404]);
  configure('htsget: { locations: [{ location: data, prefx: b }] }');
  child.kill('SIGHUP');
  await until('cannot reload the configuration');
  expect(all).toEqual([
    'serving 1 object and 0 sequences; everything is public',
    'htskit.yaml:1:41: htsget.locations[0].prefx: unknown key; did you mean "prefix"?',
    'cannot reload the configuration, keeping the current one',
  ]);
  expect(await status(`${url}/reads/a`)).toBe(200);
  configure('log: { format: json }', 'htsget: { locations: [{ location: data }, { location: data, prefix: b }] }');
  child.kill('SIGHUP');
  await until('reloaded the configuration');
  expect(JSON.parse(all.at(-1) ?? '')).toMatchObject({ level: 'info' });
  expect([await status(`${url}/reads/a`), await status(`${url}/reads/b/a`)]).toEqual([200, 200]);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('a reload that loses every location or most objects needs a second SIGHUP for the same configuration', async () => {
  configure('log: { format: text }', 'htsget: { locations: [{ location: data }, { location: data, prefix: b }] }');
  const { child, url } = await start('--config', 'htskit.yaml');
  const { all, until } = linesOf(child);
  await until('serving 2 objects');
  const reload = async (...lines: readonly string[]): Promise<string> => {
    configure(...lines);
    all.length = 0;
    child.kill('SIGHUP');
    await expect.poll(() => all.at(-1)).toMatch(/current one|reloaded/);
    return all[0] ?? '';
  };
  expect(await reload('')).toBe('the configuration no longer has htsget.locations; send SIGHUP again to confirm');
  expect(await status(`${url}/reads/a`)).toBe(200);
  // Another configuration is not confirmed by the refusal of the first one.
  const text = 'log: { format: text }';
  expect(await reload(text, 'htsget: { locations: [{ location: data, prefix: c }] }')).toMatch(
    /^the configuration no longer serves (\d+) of \1 objects; send SIGHUP again to confirm$/,
  );
  expect(await status(`${url}/reads/a`)).toBe(200);
  expect(await reload(text, 'htsget: { locations: [{ location: data }] }')).toBe('reloaded the configuration');
  expect([await status(`${url}/reads/a`), await status(`${url}/reads/b/a`)]).toEqual([200, 404]);
  expect(await reload('')).toContain('no longer has htsget.locations');
  expect(await reload('')).toContain('nothing to serve');
  expect(await status(`${url}/reads/a`)).toBe(404);
});

test('serves paths in place of the locations of the configuration', async () => {
  configure('htsget: { locations: [{ location: nowhere }] }');
  const { url } = await start('--config', 'htskit.yaml', 'data');
  expect(await status(`${url}/reads/a`)).toBe(200);
});

test('the example configuration of the help is valid', () => {
  expect(() => parseConfig(EXAMPLE_CONFIG, { file: 'htskit.yaml', environment: {} })).not.toThrow();
});
