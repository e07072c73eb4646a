import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { fixturePath } from '@htskit/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';

const cli = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));

let folder: string;
let child: ChildProcessWithoutNullStreams;
let stdout: string[];
let stderr: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  mkdirSync(join(folder, 'data'));
  cpSync(fixturePath('reads.bam'), join(folder, 'data/a.bam'));
  cpSync(fixturePath('genome.fa.gz'), join(folder, 'data/genome.fa.gz'));
  [stdout, stderr] = [[], []];
});

afterEach(async () => {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  rmSync(folder, { recursive: true });
});

function configure(...lines: readonly string[]): void {
  writeFileSync(join(folder, 'htskit.yaml'), `${lines.join('\n')}\n`);
}

async function start(...args: readonly string[]): Promise<string> {
  child = spawn(process.execPath, [cli, 'serve', '--port', '0', ...args], { cwd: folder });
  createInterface(child.stdout).on('line', (line) => stdout.push(line));
  createInterface(child.stderr).on('line', (line) => stderr.push(line));
  await expect.poll(() => stdout.length + (child.exitCode === null ? 0 : 1)).toBeGreaterThan(0);
  return stdout[0]?.replace('listening on ', '') ?? '';
}

/** Reads a path on a connection of its own, so that any process may answer. */
async function get(url: string): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(url, { headers: { connection: 'close' } });
  return { status: response.status, text: await response.text() };
}

async function metric(url: string, name: string): Promise<number> {
  const line = (await get(`${url}/metrics`)).text.split('\n').find((each) => each.startsWith(`${name} `));
  return line === undefined ? Number.NaN : Number(line.slice(name.length + 1));
}

/** Processes take seconds to start on a busy machine. */
const TIMEOUT = 180_000;

const REQUESTS = 'htskit_http_requests_total{route="/reads/{id}",method="GET",status="200"}';

test('several processes share the port, the key and the metrics, and are replaced when they end', {
  timeout: TIMEOUT,
}, async () => {
  const url = await start('--processes', '2', 'data');
  await expect.poll(() => metric(url, 'htskit_processes')).toBe(2);
  const ticket = JSON.parse((await get(`${url}/reads/a`)).text) as { htsget: { urls: { url: string }[] } };
  const block = ticket.htsget.urls.map((each) => each.url).find((each) => each.startsWith('http')) ?? '';
  const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await get(block)).status));
  expect(new Set(statuses)).toEqual(new Set([200]));
  for (let count = 0; count < 7; count++) await get(`${url}/reads/a`);
  expect(await metric(url, REQUESTS)).toBe(8);
  const { stdout: pids } = spawnText('pgrep', '-P', String(child.pid));
  const [victim] = (await pids).split('\n').map(Number);
  process.kill(victim ?? 0, 'SIGKILL');
  // Before the primary process notices it, Node may hand a connection to the dead process, which closes it unanswered.
  await expect.poll(() => stderr.join('\n')).toContain('ended (SIGKILL); starting another');
  await expect.poll(() => metric(url, 'htskit_process_restarts_total').catch(() => 0)).toBe(1);
  await expect.poll(() => metric(url, 'htskit_processes').catch(() => 0)).toBe(2);
  expect((await get(block)).status).toBe(200);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(stdout).toEqual([`listening on ${url}`]);
});

test('serves at the same address after all processes have ended', { timeout: TIMEOUT }, async () => {
  const url = await start('--processes', '2', 'data');
  await expect.poll(() => metric(url, 'htskit_processes')).toBe(2);
  const { stdout: pids } = spawnText('pgrep', '-P', String(child.pid));
  for (const pid of (await pids).trim().split('\n')) process.kill(Number(pid), 'SIGKILL');
  await expect.poll(() => stderr.join('\n').match(/ended \(SIGKILL\); starting another/g)).toHaveLength(2);
  await expect.poll(() => get(`${url}/reads/a`).then(({ status }) => status, String)).toBe(200);
});

/** Runs a program and reads what it prints. */
function spawnText(program: string, ...args: readonly string[]): { readonly stdout: Promise<string> } {
  const run = spawn(program, args);
  return { stdout: new Response(run.stdout as unknown as BodyInit).text() };
}

test('SIGHUP replaces the processes without a failed request, and a wrong configuration changes nothing', {
  timeout: TIMEOUT,
}, async () => {
  configure('processes: 2', 'htsget: { locations: [{ location: data }] }');
  const url = await start('--config', 'htskit.yaml');
  await expect.poll(() => metric(url, 'htskit_processes')).toBe(2);
  const failures: unknown[] = [];
  const requests = { isOver: false };
  const load = (async () => {
    while (!requests.isOver) {
      const { status } = await get(`${url}/reads/service-info`).catch((error: unknown) => ({ status: error }));
      if (status !== 200) failures.push(status);
    }
  })();
  configure('procesess: 2');
  child.kill('SIGHUP');
  await expect.poll(() => stderr.join('\n')).toContain('cannot reload the configuration');
  expect((await get(`${url}/reads/a`)).status).toBe(200);
  configure('processes: 2', 'htsget: { locations: [{ location: data, prefix: b }] }');
  child.kill('SIGHUP');
  await expect.poll(() => stderr.join('\n')).toContain('no longer serves 1 of 1 objects; send SIGHUP again to confirm');
  expect((await get(`${url}/reads/a`)).status).toBe(200);
  child.kill('SIGHUP');
  await expect.poll(() => stderr.join('\n')).toContain('reloaded the configuration');
  await expect.poll(() => get(`${url}/reads/a`).then(({ status }) => status)).toBe(404);
  expect((await get(`${url}/reads/b/a`)).status).toBe(200);
  requests.isOver = true;
  await load;
  expect(failures).toEqual([]);
  // The counts of the replaced processes are kept.
  expect(await metric(url, REQUESTS)).toBe(3);
});

test('ends on SIGTERM while a process is still starting', { timeout: TIMEOUT }, async () => {
  await start('--processes', '3', 'data');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('answers probes on the metrics port for all processes', { timeout: TIMEOUT }, async () => {
  configure('processes: 2', 'metrics: { port: 0 }', 'htsget: { locations: [{ location: data }] }');
  const url = await start('--config', 'htskit.yaml');
  const [metricsUrl = ''] = /http:\/\/[^"\s]+\/metrics/.exec(stderr.join('\n')) ?? [];
  expect(await get(new URL('/healthz', metricsUrl).href)).toEqual({ status: 200, text: 'ok\n' });
  expect(await get(new URL('/readyz', metricsUrl).href)).toEqual({ status: 200, text: 'ok\n' });
  expect((await get(`${url}/metrics`)).status).toBe(404);
});

test('exits with 1 and one message if the port is in use', { timeout: TIMEOUT }, async () => {
  const url = await start('--processes', '2', 'data');
  const first = child;
  const port = new URL(url).port;
  child = spawn(process.execPath, [cli, 'serve', '--port', port, '--processes', '2', 'data'], { cwd: folder });
  const text = new Response(child.stderr as unknown as BodyInit).text();
  expect(await once(child, 'exit')).toEqual([1, null]);
  expect((await text).match(/cannot listen on 127\.0\.0\.1:\d+: the port is in use/g)).toHaveLength(1);
  child = first;
});
