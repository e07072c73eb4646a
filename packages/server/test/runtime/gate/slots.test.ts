import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import type { RoutedListener } from '../../../src/runtime/gate/request-gate.js';
import { countSweeps, readAll, send, startForTest, type TestServer } from './test-server.js';

const POST = 'POST /reads/a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n';
const BLOCK = 'GET /blocks/x HTTP/1.1\r\nHost: a\r\n\r\n';

/** Sends bytes without end to requests for blocks, as fast as they are taken, and the length of its body to any other. */
const listener: RoutedListener = (_, outgoing, { route, body }) => {
  if (route.template === '/blocks/{token}') flood(outgoing);
  else outgoing.end(`${body?.length ?? 'no'} bytes`);
};

function flood(outgoing: ServerResponse): void {
  const chunk = Buffer.alloc(65_536);
  const fill = (): void => {
    while (!outgoing.destroyed && outgoing.write(chunk));
  };
  outgoing.on('drain', fill);
  fill();
}

async function answers(server: TestServer): Promise<string> {
  return (await fetch(`${server.url}/reads/b`)).text();
}

/** Resolves when so many requests wait for their clients. */
async function waiting(server: TestServer, count: number): Promise<void> {
  const counted = (): number => [...server.gate.inFlight].filter(({ isWorking }) => !isWorking).length;
  await expect.poll(counted).toBe(count);
}

test('bodies that trickle in take no slot', async () => {
  const server = await startForTest(listener, { limits: { concurrency: 1 } });
  const trickling = await Promise.all(
    Array.from({ length: 5 }, () => send(server.port, `${POST}Content-Length: 10\r\n\r\n12345`)),
  );
  await waiting(server, 5);
  expect(await answers(server)).toBe('no bytes');
  for (const socket of trickling) {
    const text = readAll(socket);
    socket.write('67890');
    expect(await text).toMatch(/^HTTP\/1.1 200 [\s\S]*10 bytes/);
  }
});

test('a complete body without a slot is answered with 503', async () => {
  const held: ServerResponse[] = [];
  const server = await startForTest((_, outgoing) => void held.push(outgoing), { limits: { concurrency: 1 } });
  const late = await send(server.port, `${POST}Content-Length: 10\r\n\r\n12345`);
  await waiting(server, 1);
  const first = fetch(`${server.url}/reads/b`);
  await expect.poll(() => held.length).toBe(1);
  const text = readAll(late);
  late.write('67890');
  expect(await text).toMatch(/^HTTP\/1.1 503 [\s\S]*Retry-After: [\s\S]*InternalServerError/i);
  held[0]?.end();
  await first;
  expect(held).toHaveLength(1);
});

test('a body beyond the limit is passed on before it is complete', async () => {
  const server = await startForTest(listener, { bodyBytes: 100 });
  const socket = await send(server.port, `${POST}Content-Length: 1000\r\n\r\n${'x'.repeat(101)}`);
  expect(await readAll(socket)).toMatch(/^HTTP\/1.1 200 [\s\S]*101 bytes/);
});

test('a chunked body of single bytes arrives whole', async () => {
  const server = await startForTest(listener);
  const chunks = '1\r\nx\r\n'.repeat(5000);
  const socket = await send(server.port, `${POST}Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`);
  expect(await readAll(socket)).toMatch(/^HTTP\/1.1 200 [\s\S]*5000 bytes/);
});

test('a client that leaves while its body arrives is recorded as aborted', async () => {
  const server = await startForTest(listener);
  const socket = await send(server.port, `${POST}Content-Length: 10\r\n\r\n12345`);
  await waiting(server, 1);
  socket.destroy();
  expect(await server.recorded(() => true)).toMatchObject({ status: 499, outcome: 'aborted' });
  expect(server.gate.inFlight.size).toBe(0);
});

test('clients that read slowly take no slot', async () => {
  const server = await startForTest(listener, { limits: { concurrency: 1 } });
  for (const count of [1, 2, 3]) {
    const socket = await send(server.port, BLOCK);
    socket.pause();
    await waiting(server, count);
  }
  expect(await answers(server)).toBe('no bytes');
});

test('cuts off a client that reads less than the minimum speed over the window', async () => {
  const sweeps = countSweeps();
  const clock = { now: 0 };
  const server = await startForTest(listener, {
    limits: { stallSeconds: 30, bytesPerSecond: 8192 },
    load: sweeps.load,
    now: () => clock.now,
  });
  const swept = async (): Promise<void> => {
    const before = sweeps.count();
    await expect.poll(sweeps.count).toBeGreaterThan(before + 1);
  };
  const socket = await send(server.port, BLOCK);
  let byteLength = 0;
  socket.on('data', (chunk: Buffer) => {
    byteLength += chunk.length;
  });
  for (let window = 0; window < 3; window++) {
    // More than the kernel buffers, so that the server has written more than the minimum in the meantime.
    const before = byteLength;
    socket.resume();
    await expect.poll(() => byteLength - before).toBeGreaterThan(16_000_000);
    socket.pause();
    await waiting(server, 1);
    await swept();
    clock.now += 29_000;
    await swept();
    expect(server.records).toEqual([]);
    clock.now += 1000;
    await swept();
    expect(server.records).toEqual([]);
  }
  // A single byte is progress, but far below the minimum.
  clock.now += 15_000;
  await swept();
  expect(server.records).toEqual([]);
  clock.now += 15_000;
  expect(await server.recorded(() => true)).toMatchObject({ outcome: 'slow' });
  socket.destroy();
});

test('bodies of one client that never end leave room for those of another', async () => {
  const server = await startForTest(listener, { bodyBytes: 200_000, receivingBytes: 1_000_000 });
  const post = async (localAddress: string, length: number, body: string): Promise<Socket> => {
    const socket = connect({ port: server.port, host: '127.0.0.1', localAddress });
    socket.write(`${POST}Content-Length: ${length}\r\n\r\n${body}`);
    return socket;
  };
  const refused: string[] = [];
  const held = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const socket = await post('127.0.0.1', 200_000, 'x'.repeat(100_000));
      return socket.on('data', (text) => void refused.push(text.toString()));
    }),
  );
  await expect.poll(() => refused.length).toBe(15);
  for (const text of refused) expect(text).toMatch(/^HTTP\/1.1 503 [\s\S]*Retry-After: /i);
  expect(await server.metric('htskit_http_shed_total{reason="client"}')).toBe(15);
  const body = 'y'.repeat(150_000);
  expect(await readAll(await post('127.0.0.2', body.length, body))).toMatch(/^HTTP\/1.1 200 [\s\S]*150000 bytes/);
  for (const socket of held) socket.destroy();
  await expect.poll(() => server.gate.inFlight.size).toBe(0);
  expect(await readAll(await post('127.0.0.1', body.length, body))).toMatch(/^HTTP\/1.1 200 /);
});

test('behind a proxy, refuses requests of a client that has too many unanswered', async () => {
  const server = await startForTest(listener, { limits: { connectionsPerClient: 2 }, trustedProxies: 1 });
  const ask = (path: string, client: string): Promise<Response> =>
    fetch(server.url + path, { headers: { 'x-forwarded-for': client } });
  const running = [await ask('/blocks/x', '192.0.2.1'), await ask('/blocks/x', '192.0.2.1')];
  const refused = await ask('/reads/a', '192.0.2.1');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
  expect((await ask('/reads/a', '192.0.2.2')).status).toBe(200);
  expect((await ask('/healthz', '192.0.2.1')).status).toBe(200);
  expect(await server.metric('htskit_http_shed_total{reason="client"}')).toBe(1);
  await running[0]?.body?.cancel();
  await server.recorded(({ outcome }) => outcome === 'aborted');
  expect((await ask('/reads/a', '192.0.2.1')).status).toBe(200);
  await running[1]?.body?.cancel();
});

test.each([
  [
    431,
    'HTTP/1.1 431 Request Header Fields Too Large',
    `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
  ],
  [400, 'HTTP/1.1 400 Bad Request', 'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n'],
  [408, 'HTTP/1.1 408 Request Timeout', 'GET / HTTP/1.1\r\nHost: a\r\nX-Slow: '],
])('a request that cannot be read is answered with %i and an error body', async (_, line, request) => {
  const server = await startForTest(listener, { limits: { headerSeconds: 0.05, requestSeconds: 0.1 } });
  const text = await readAll(await send(server.port, request));
  expect(text).toMatch(new RegExp(`^${line}\r\nContent-Type: application/json\r\n`));
  const [, body = ''] = text.split('\r\n\r\n');
  expect(JSON.parse(body)).toEqual({ htsget: { error: 'InvalidInput', message: expect.any(String) as string } });
  expect(text).toContain(`Content-Length: ${body.length}\r\n`);
});
