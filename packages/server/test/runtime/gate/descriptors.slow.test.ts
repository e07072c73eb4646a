import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fixturePath } from '@htskit/testing';
import { expect, onTestFinished, test } from 'vitest';
import { startAfter } from '../../built-command.js';

interface Started {
  readonly port: number;
  /** The exit codes and signals of the process. */
  readonly exits: unknown[];
  readonly log: string[];
}

function watch({ child, url }: Awaited<ReturnType<typeof startAfter>>): Started {
  const exits: unknown[] = [];
  child.once('exit', (code, signal) => void exits.push(code ?? signal));
  const log: string[] = [];
  createInterface(child.stderr).on('line', (line) => void log.push(line));
  return { port: Number(new URL(url).port), exits, log };
}

/** Opens connections that send nothing, and returns them when each was accepted by the kernel. */
async function openIdle(port: number, count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let opened = 0; opened < count; opened += 100) {
    const batch = Array.from({ length: 100 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
    await Promise.all(batch.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])));
    sockets.push(...batch);
  }
  return sockets;
}

/** Requests a path from another address than that of the idle connections, on a connection of its own. */
async function read(
  port: number,
  path: string,
): Promise<{ readonly status: number | undefined; readonly body: string }> {
  const asked = request({ port, path, host: '127.0.0.1', localAddress: '127.0.0.2', agent: false });
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: await text(response) };
}

test.each([
  [200, []],
  [1024, []],
  [200, ['--processes', '2']],
])(
  'with %i descriptors, thousands of idle connections of one client leave room for others (%j)',
  async (limit, args) => {
    const started = await startAfter(`ulimit -n ${limit}`, ...args, fixturePath('reads.bam'));
    const { port, exits, log } = watch(started);
    const sockets = await openIdle(port, 3000);
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    // While the connections queue in the primary process of several, the system may close any of them for want of descriptors.
    await expect.poll(() => read(port, '/healthz').catch((error: unknown) => error)).toMatchObject({ status: 200 });
    for (let count = 0; count < 5; count++) {
      expect(await read(port, '/reads/reads?referenceName=chr1&start=0&end=1000')).toMatchObject({ status: 200 });
      expect(await read(port, '/healthz')).toEqual({ status: 200, body: 'ok\n' });
    }
    const { body: metrics } = await read(port, '/metrics');
    expect(metrics).toMatch(/^htskit_http_refused_connections_total\{reason="idle"\} \d+$/m);
    // One message in a minute from each process, not one for each connection.
    const messages = log.filter((line) => line.includes('too many connections'));
    expect(messages.length).toBeGreaterThan(0);
    expect(messages.length).toBeLessThanOrEqual(2);
    for (const socket of sockets) socket.destroy();
    await expect.poll(async () => (await read(port, '/reads/reads')).status).toBe(200);
    expect(exits).toEqual([]);
  },
);

/** Makes everything fail that reads /proc: the memory, the descriptors and the limits of the process. */
const WITHOUT_PROC = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const fail = () => {
  throw Object.assign(new Error('ENOENT: no such file or directory, uv_resident_set_memory'), { code: 'ENOENT' });
};
process.memoryUsage = Object.assign(fail, { rss: fail });
for (const name of ['readFileSync', 'readdirSync']) {
  const read = fs[name];
  fs[name] = (path, ...others) => (String(path).startsWith('/proc') ? fail() : read(path, ...others));
}
syncBuiltinESMExports();
`;

test('without /proc, with a memory limit and a full disk under the log, requests are answered', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'without-proc.mjs'), WITHOUT_PROC);
  const config = join(folder, 'htskit.yaml');
  writeFileSync(config, 'limits: { memoryBytes: 2000000000 }\nlog: { format: json, level: debug }\n');
  const script = `NODE_OPTIONS="--import ${folder}/without-proc.mjs"; export NODE_OPTIONS; exec 2> /dev/full`;
  const started = await startAfter(script, '--config', config, fixturePath('reads.bam'));
  const { port, exits } = watch(started);
  for (let count = 0; count < 200; count++) expect(await read(port, '/reads/reads')).toMatchObject({ status: 200 });
  const { status, body } = await read(port, '/metrics');
  expect(status).toBe(200);
  expect(body).toMatch(/^htskit_http_requests_total\{.*\} 200$/m);
  // The number of descriptors, which cannot be read.
  expect(body).toMatch(/^process_open_fds 0$/m);
  expect(exits).toEqual([]);
  started.child.kill('SIGTERM');
  await expect.poll(() => exits).toEqual([0]);
});
