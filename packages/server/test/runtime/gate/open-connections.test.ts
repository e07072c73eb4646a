import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { readAll, send, startForTest, type TestServer } from './test-server.js';

const KEPT = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n';
const HELD = 'GET /reads/a HTTP/1.1\r\nHost: a\r\n\r\n';

/** Opens a connection that has been answered and is idle. */
async function openIdle(server: TestServer, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port: server.port, host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined).write(KEPT);
  await once(socket, 'data');
  return socket;
}

/** Opens a connection whose request is not answered until the test ends. */
async function openBusy(server: TestServer, held: readonly ServerResponse[]): Promise<Socket> {
  const count = held.length;
  const socket = await send(server.port, HELD);
  await expect.poll(() => held.length).toBe(count + 1);
  return socket;
}

async function refused(server: TestServer): Promise<Record<string, number | undefined>> {
  const counts: Record<string, number | undefined> = {};
  for (const reason of ['idle', 'client', 'total', 'accept'])
    counts[reason] = await server.metric(`htskit_http_refused_connections_total{reason="${reason}"}`);
  return counts;
}

test('a client with too many connections loses the one that has been idle for longest', async () => {
  const server = await startForTest((_, outgoing) => outgoing.end(), { limits: { connectionsPerClient: 2 } });
  const [other, first, second] = [await openIdle(server, '127.0.0.2'), await openIdle(server), await openIdle(server)];
  // A request makes the first one the last to have been idle.
  first.write(KEPT);
  await once(first, 'data');
  const third = await openIdle(server);
  expect(await readAll(second)).toBe('');
  for (const socket of [other, first, third]) {
    socket.write(KEPT);
    await once(socket, 'data');
  }
  expect(await refused(server)).toEqual({ idle: 1 });
  expect(server.messages).toEqual([
    'too many connections: closed the one that had been idle for longest (client 127.0.0.1)',
  ]);
});

test('refuses a connection of a client whose connections are all busy, and no other', async () => {
  const held: ServerResponse[] = [];
  const limits = { connectionsPerClient: 2, connections: 4 };
  const server = await startForTest((_, outgoing) => void held.push(outgoing), { limits });
  await openBusy(server, held);
  await openBusy(server, held);
  for (let count = 0; count < 3; count++) expect(await readAll(await send(server.port, ''))).toBe('');
  await openIdle(server, '127.0.0.2');
  expect(await refused(server)).toEqual({ client: 3 });
  expect(server.messages).toHaveLength(1);
});

test('at the limit of all clients, an idle connection makes room, and without one the new connection is closed', async () => {
  const held: ServerResponse[] = [];
  const server = await startForTest((_, outgoing) => void held.push(outgoing), { limits: { connections: 2 } });
  const idle = await openIdle(server, '127.0.0.2');
  await openBusy(server, held);
  await openBusy(server, held);
  expect(await readAll(idle)).toBe('');
  expect(await readAll(await send(server.port, ''))).toBe('');
  expect(await refused(server)).toEqual({ idle: 1, total: 1 });
  expect(await server.metric('htskit_http_connections')).toBe(2);
});

test('behind trusted proxies, connections of one address have no limit of their own', async () => {
  const options = { limits: { connectionsPerClient: 1, connections: 3 }, trustedProxies: 1 };
  const server = await startForTest((_, outgoing) => outgoing.end(), options);
  const open = [await openIdle(server), await openIdle(server), await openIdle(server)];
  expect(open.map(({ closed }) => closed)).toEqual([false, false, false]);
  expect(await refused(server)).toEqual({});
});

test('a connection that cannot be accepted is counted and logged, and the server continues', async () => {
  const server = await startForTest((_, outgoing) => outgoing.end());
  const failure = Object.assign(new Error('accept EMFILE'), { syscall: 'accept' });
  for (let count = 0; count < 3; count++) server.server.emit('error', failure);
  expect(await refused(server)).toEqual({ accept: 3 });
  expect(server.messages).toEqual(['cannot accept a connection: accept EMFILE']);
  await openIdle(server);
});

test('a failure to read the memory or to log a request ends nothing', async () => {
  const uncaught = vi.fn<(error: Error) => void>();
  process.on('uncaughtException', uncaught);
  vi.spyOn(process.memoryUsage, 'rss').mockImplementation(() => {
    throw new Error('EMFILE: too many open files, uv_resident_set_memory');
  });
  const now = vi.fn<() => number>(() => performance.now());
  const server = await startForTest((_, outgoing) => outgoing.end(), { limits: { memoryBytes: 2 ** 40 }, now });
  await expect.poll(() => now.mock.calls.length).toBeGreaterThan(2);
  vi.spyOn(server.records, 'push').mockImplementation(() => {
    throw new Error('no space left on device');
  });
  now.mockImplementation(() => {
    throw new Error('no time');
  });
  await expect.poll(() => server.messages).toContain('measuring the load failed: no time');
  expect((await fetch(`${server.url}/reads/a`)).status).toBe(200);
  await expect.poll(() => server.messages).toContain('recording a request failed: no space left on device');
  process.off('uncaughtException', uncaught);
  expect(uncaught).not.toHaveBeenCalled();
});
