import { once } from 'node:events';
import { Agent, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { readAll, send, startTestServer } from './test-server.js';

const REQUEST = 'GET /blocks/x HTTP/1.1\r\nHost: a\r\n\r\n';

test('a draining server is not ready, closes idle connections and lets a running stream end', async () => {
  const arrived: ((outgoing: ServerResponse) => void)[] = [];
  const arrival = new Promise<ServerResponse>((resolve) => arrived.push(resolve));
  const server = await startTestServer((_, outgoing) => arrived[0]?.(outgoing), {
    limits: { shutdownDelaySeconds: 0.1 },
  });
  const silent = await send(server.port, '');
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = async (): Promise<IncomingMessage> => {
    const [response] = (await once(get(`${server.url}/readyz`, { agent }), 'response')) as [IncomingMessage];
    return response.resume();
  };
  expect([(await ask()).statusCode, (await ask()).headers.connection]).toEqual([200, 'keep-alive']);
  const stream = await send(server.port, REQUEST);
  const outgoing = await arrival;
  outgoing.write('first ');
  const drained = server.drain();
  const last = await ask();
  expect([last.statusCode, last.headers.connection]).toEqual([503, 'close']);
  await once(silent, 'close');
  outgoing.end('last');
  expect(await readAll(stream)).toMatch(/keep-alive[\s\S]*first [\s\S]*last/);
  await drained;
  expect(server.records.map(({ outcome }) => outcome)).toContain('complete');
  await expect(fetch(server.url)).rejects.toThrow('fetch failed');
  agent.destroy();
});

test('breaks off a stream that does not end within drainSeconds', async () => {
  const server = await startTestServer((_, outgoing) => void outgoing.write('first'), {
    limits: { drainSeconds: 0.05 },
  });
  const stream = await send(server.port, REQUEST);
  await once(stream, 'data');
  await server.drain();
  expect(await server.recorded(() => true)).toMatchObject({ outcome: 'aborted', bytes: 5 });
});

test('reports that it is starting before it is ready', async () => {
  const server = await startTestServer((_, outgoing) => outgoing.end());
  const { RequestGate } = await import('../../../src/runtime/gate/request-gate.js');
  const logger = { error: () => undefined, warn: () => undefined, info: () => undefined, debug: () => undefined };
  const gate = new RequestGate({ logger: { ...logger, access: () => undefined }, authority: 'ga4gh', openApi: {} });
  server.server.removeAllListeners('request').on(
    'request',
    gate.wrap((_, outgoing) => outgoing.end()),
  );
  const starting = await fetch(`${server.url}/readyz`);
  expect([starting.status, await starting.text()]).toEqual([503, 'starting\n']);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  gate.setReady();
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  await gate.close();
  await server.drain();
});
