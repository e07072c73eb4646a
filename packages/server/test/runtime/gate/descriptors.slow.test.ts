import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fixturePath } from '@htskit/testing';
import { expect, onTestFinished, test } from 'vitest';
import { cli } from '../../built-command.js';

interface Started {
  readonly port: number;
  readonly exits: unknown[];
  readonly log: string[];
}

/** Starts the built command with so many file descriptors, and stops it after the test. */
async function start(descriptors: number, ...args: readonly string[]): Promise<Started> {
  const serve = [process.execPath, cli, 'serve', '--port', '0', ...args, fixturePath('reads.bam')];
  const child = spawn('sh', ['-c', `ulimit -n ${descriptors}; exec "$@"`, 'sh', ...serve]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const exits: unknown[] = [];
  child.once('exit', (code, signal) => void exits.push(code ?? signal));
  const log: string[] = [];
  createInterface(child.stderr).on('line', (line) => void log.push(line));
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { port: Number(new URL(line.replace('listening on ', '')).port), exits, log };
}

/** Opens connections that send nothing, and returns them when each was accepted by the kernel. */
async function openIdle(port: number, count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let opened = 0; opened < count; opened += 100) {
    const batch = Array.from({ length: 100 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
    await Promise.all(batch.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])));
    sockets.push(...batch);
  }
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  return sockets;
}

/** Requests a path from another address than that of the idle connections, on a connection of its own. */
async function read(
  port: number,
  path: string,
): Promise<{ readonly status: number | undefined; readonly body: string }> {
  const asked = request({ port, path, host: '127.0.0.1', localAddress: '127.0.0.2', agent: false });
  asked.end();
  const [response] = await once(asked, 'response');
  return { status: response.statusCode, body: await text(response) };
}

test.each([
  [200, []],
  [1024, []],
  [200, ['--processes', '2']],
])('with %i descriptors, thousands of idle connections of one client keep nobody out (%j)', async (limit, args) => {
  const { port, exits, log } = await start(limit, ...args);
  const sockets = await openIdle(port, 3000);
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
});
