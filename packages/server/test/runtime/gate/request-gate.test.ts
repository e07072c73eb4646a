import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { RequestGateOptions } from '../../../src/runtime/gate/request-gate.js';
import { countSweeps, readAll, send, startForTest, type TestServer } from './test-server.js';

/** A listener whose responses the test sends one by one. */
function gate() {
  const waiting: ServerResponse[] = [];
  const arrivals: (() => void)[] = [];
  return {
    listener: (_: unknown, outgoing: ServerResponse): void => {
      waiting.push(outgoing);
      arrivals.shift()?.();
    },
    next: async (): Promise<ServerResponse> => {
      if (waiting.length === 0) await new Promise<void>((resolve) => arrivals.push(resolve));
      const outgoing = waiting.shift();
      if (outgoing === undefined) throw new Error('no request is waiting');
      return outgoing;
    },
  };
}

/** Sends bytes without end, as fast as they are taken. */
function flood(_: unknown, outgoing: ServerResponse): void {
  const chunk = Buffer.alloc(65_536);
  const fill = (): void => {
    while (!outgoing.destroyed && outgoing.write(chunk));
  };
  outgoing.on('drain', fill);
  fill();
}

test('records a request with its route, id and bytes, but not its URL or headers', async () => {
  const server = await startForTest((_, outgoing) => outgoing.end('hello'));
  const headers = { 'x-request-id': 'given-1', authorization: 'Bearer s3cret', cookie: 'a=s3cret' };
  const response = await fetch(`${server.url}/reads/a%2Fb?referenceName=s3cret`, { headers });
  expect(response.headers.get('x-request-id')).toBe('given-1');
  expect(await response.text()).toBe('hello');
  const record = await server.recorded(() => true);
  expect(record).toEqual({
    requestId: 'given-1',
    method: 'GET',
    route: '/reads/{id}',
    status: 200,
    bytes: 5,
    milliseconds: expect.any(Number) as number,
    outcome: 'complete',
    client: '127.0.0.1',
    object: 'reads/a/b',
  });
  expect(JSON.stringify([record, await server.metrics.read()])).not.toContain('s3cret');
  expect(await server.metric('htskit_http_requests_total{route="/reads/{id}",method="GET",status="200"}')).toBe(1);
  expect(await server.metric('htskit_http_response_bytes_total{route="/reads/{id}"}')).toBe(5);
  expect(await server.metric('htskit_http_request_duration_seconds_count{route="/reads/{id}",method="GET"}')).toBe(1);
});

test('assigns a new id to the second of two concurrent requests with one id', async () => {
  const { listener, next } = gate();
  const server = await startForTest(listener);
  const ask = (): Promise<Response> => fetch(server.url, { headers: { 'x-request-id': 'same' } });
  const first = ask();
  const one = await next();
  const second = ask();
  const other = await next();
  expect([one.req.headers['x-request-id'], other.req.headers['x-request-id'] === 'same']).toEqual(['same', false]);
  one.end();
  other.end();
  expect((await first).headers.get('x-request-id')).toBe('same');
  expect((await second).headers.get('x-request-id')).toBe(other.req.headers['x-request-id']);
});

test('unknown methods, paths and ids create no metric labels', async () => {
  const server = await startForTest((_, outgoing) => outgoing.end());
  for (let i = 0; i < 20; i++) {
    await fetch(`${server.url}/nowhere/${i}`, { method: i % 2 === 0 ? 'DELETE' : 'PURGE' });
    await fetch(`${server.url}/sequence/${i}`);
  }
  const text = await server.metrics.read();
  const totals = text.split('\n').filter((line) => line.startsWith('htskit_http_requests_total{'));
  expect(totals.sort()).toEqual([
    'htskit_http_requests_total{route="/sequence/{id}",method="GET",status="200"} 20',
    'htskit_http_requests_total{route="other",method="other",status="200"} 20',
  ]);
});

test('sheds requests over the limit with a 503 of their protocol, and answers probes', async () => {
  const { listener, next } = gate();
  const server = await startForTest(listener, { limits: { concurrency: 1, retryAfterSeconds: 7 } });
  const first = fetch(`${server.url}/reads/a`);
  const waiting = await next();
  const headers = { origin: 'https://a.example' };
  const htsget = await fetch(`${server.url}/reads/b`, { headers });
  const refget = await fetch(`${server.url}/sequence/b`, { headers });
  for (const response of [htsget, refget]) {
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '7']);
    expect(response.headers.get('access-control-allow-origin')).toBe('https://a.example');
    expect(response.headers.get('access-control-expose-headers')).toContain('X-Request-Id');
  }
  expect(await htsget.json()).toEqual({
    htsget: { error: 'InternalServerError', message: expect.any(String) as string },
  });
  expect(await refget.json()).toMatchObject({ status: 503, type: 'Service Unavailable' });
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect(await server.metric('htskit_http_shed_total{reason="concurrency"}')).toBe(2);
  expect(await server.metric('htskit_http_requests_in_flight')).toBe(1);
  waiting.end();
  expect((await first).status).toBe(200);
  const again = fetch(`${server.url}/reads/b`);
  (await next()).end();
  expect((await again).status).toBe(200);
});

test('sends a 503 with CORS headers to allowed origins, and admits preflights', async () => {
  const { listener, next } = gate();
  const server = await startForTest(
    (incoming, outgoing) => {
      if (incoming.method === 'OPTIONS') outgoing.writeHead(204).end();
      else listener(incoming, outgoing);
    },
    { limits: { concurrency: 1 }, origins: ['https://a.example'] },
  );
  const first = fetch(`${server.url}/reads/a`);
  const waiting = await next();
  const allowedFor = async (path: string, origin: string): Promise<[number, string | null]> => {
    const { status, headers } = await fetch(server.url + path, { headers: { origin } });
    return [status, headers.get('access-control-allow-origin')];
  };
  for (const [path, status] of [
    ['/reads/b', 503],
    ['/sequence/b', 503],
    ['/openapi.json', 200],
  ] as const) {
    expect(await allowedFor(path, 'https://a.example')).toEqual([status, 'https://a.example']);
    expect(await allowedFor(path, 'https://b.example')).toEqual([status, null]);
  }
  const preflight = await fetch(`${server.url}/reads/b`, {
    method: 'OPTIONS',
    headers: { origin: 'https://a.example' },
  });
  expect(preflight.status).toBe(204);
  server.gate.origins = '*';
  expect(await allowedFor('/reads/b', 'https://b.example')).toEqual([503, 'https://b.example']);
  waiting.end();
  await first;
});

describe('while the event loop has no time for requests', () => {
  interface BusyServer {
    readonly server: TestServer;
    /** The work that waits. */
    readonly waiting: (() => void)[];
    /** The requests that were passed on. */
    readonly passed: (string | undefined)[];
  }

  async function startBusy(limits: RequestGateOptions['limits'] = {}): Promise<BusyServer> {
    const waiting: (() => void)[] = [];
    const passed: (string | undefined)[] = [];
    const server = await startForTest(
      ({ url }, outgoing) => {
        passed.push(url);
        outgoing.end();
      },
      { turns: { run: (work) => void waiting.push(work) }, limits },
    );
    return { server, waiting, passed };
  }

  test('probes are answered at once', async () => {
    const { server, waiting, passed } = await startBusy();
    const ticket = fetch(`${server.url}/reads/a`);
    await expect.poll(() => waiting.length).toBe(1);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect(passed).toEqual([]);
    waiting.shift()?.();
    expect([(await ticket).status, passed]).toEqual([200, ['/reads/a']]);
  });

  test('a waiting request has a slot, and further ones are refused before it is answered', async () => {
    const { server, waiting, passed } = await startBusy({ concurrency: 1 });
    const admitted = fetch(`${server.url}/reads/a`);
    await expect.poll(() => waiting.length).toBe(1);
    const refused = fetch(`${server.url}/reads/b`);
    await expect.poll(() => waiting.length).toBe(2);
    waiting.shift()?.();
    expect([(await refused).status, passed]).toEqual([503, []]);
    waiting.shift()?.();
    expect([(await admitted).status, passed]).toEqual([200, ['/reads/a']]);
  });

  test('a request whose client has left is not passed on', async () => {
    const { server, waiting, passed } = await startBusy();
    const socket = await send(server.port, 'GET /reads/a HTTP/1.1\r\nHost: a\r\n\r\n');
    await expect.poll(() => waiting.length).toBe(1);
    socket.destroy();
    expect(await server.recorded(() => true)).toMatchObject({ outcome: 'aborted' });
    waiting.shift()?.();
    expect(passed).toEqual([]);
  });
});

test('sheds requests over the memory limit until the limit is raised', async () => {
  const { listener, next } = gate();
  const server = await startForTest(listener, { limits: { memoryBytes: 1000 }, load: { readMemory: () => 2000 } });
  const first = fetch(`${server.url}/reads/a`);
  const waiting = await next();
  expect((await fetch(`${server.url}/reads/b`)).status).toBe(503);
  const ready = await fetch(`${server.url}/readyz`);
  expect([ready.status, await ready.text()]).toEqual([503, 'memory use is over its limit\n']);
  expect(await server.metric('htskit_http_shed_total{reason="memory"}')).toBe(1);
  server.gate.limits = { memoryBytes: 3000 };
  const second = fetch(`${server.url}/reads/b`);
  (await next()).end();
  expect((await second).status).toBe(200);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  waiting.end();
  expect((await first).status).toBe(200);
});

test('is not ready while the event loop is late', async () => {
  // The test server samples every 10 ms: a clock that advances further between two samples shows a late event loop.
  const clock = { now: 0, step: 10 };
  const now = (): number => {
    clock.now += clock.step;
    return clock.now;
  };
  const server = await startForTest((_, outgoing) => outgoing.end(), {
    limits: { eventLoopMilliseconds: 40 },
    load: { now },
  });
  const ready = async (): Promise<string> => (await fetch(`${server.url}/readyz`)).text();
  await expect.poll(ready).toBe('ok\n');
  clock.step = 200;
  await expect.poll(ready).toBe('the event loop is late\n');
  clock.step = 10;
  await expect.poll(ready).toBe('ok\n');
});

test('cuts off a client that stops reading and closes its stream', async () => {
  const server = await startForTest(flood, { limits: { stallSeconds: 0.05, bytesPerSecond: 10_000_000 } });
  const socket = await send(server.port, 'GET /blocks/x HTTP/1.1\r\nHost: a\r\n\r\n');
  socket.pause();
  const record = await server.recorded(() => true);
  expect(record).toMatchObject({ outcome: 'slow', status: 200 });
  expect(record.bytes).toBeGreaterThan(65_536);
  expect(await server.metric('htskit_http_broken_responses_total{route="/blocks/{token}",outcome="slow"}')).toBe(1);
  expect(await server.metric('htskit_http_open_streams')).toBe(0);
  socket.destroy();
});

test('does not cut off a client that waits for a slow response', async () => {
  const { listener, next } = gate();
  const sweeps = countSweeps();
  const server = await startForTest(listener, {
    limits: { stallSeconds: 0.02, bytesPerSecond: 1_000_000 },
    load: sweeps.load,
  });
  const response = fetch(`${server.url}/reads/a`);
  const outgoing = await next();
  await expect.poll(sweeps.count).toBeGreaterThan(10);
  outgoing.end('late');
  expect(await (await response).text()).toBe('late');
});

test('records a client that disconnects before its response as 499', async () => {
  const { listener, next } = gate();
  const server = await startForTest(listener);
  const socket = await send(server.port, 'GET /reads/a HTTP/1.1\r\nHost: a\r\n\r\n');
  await next();
  socket.resetAndDestroy();
  expect(await server.recorded(() => true)).toMatchObject({ outcome: 'aborted', status: 499, bytes: 0 });
  expect(server.gate.inFlight.size).toBe(0);
});

test('records all pipelined requests of a client that disconnects', async () => {
  const { listener, next } = gate();
  const server = await startForTest(listener);
  const request = 'GET /reads/a HTTP/1.1\r\nHost: a\r\n\r\n';
  const socket = await send(server.port, request + request);
  await next();
  await next();
  socket.resetAndDestroy();
  await server.recorded(() => server.records.length === 2);
  expect(server.gate.inFlight.size).toBe(0);
});

test.each([
  ['a head', 'GET /reads/a HTTP/1.1\r\nHost: a\r\nX-Slow: '],
  ['a body', 'POST /reads/a HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{'],
])('answers 408 if %s does not arrive in time', async (_, text) => {
  const server = await startForTest((incoming, outgoing) => void incoming.resume().on('end', () => outgoing.end()), {
    limits: { headerSeconds: 0.05, requestSeconds: 0.1 },
  });
  expect(await readAll(await send(server.port, text))).toMatch(/^HTTP\/1\.1 408 /);
});

test('takes the address of a client from the trusted proxy', async () => {
  const server = await startForTest((_, outgoing) => outgoing.end(), { trustedProxies: 1 });
  await fetch(`${server.url}/reads/a`, { headers: { 'x-forwarded-for': '6.6.6.6, 192.0.2.7' } });
  expect(await server.recorded(() => true)).toMatchObject({ client: '192.0.2.7' });
});

test('serves metrics of the process and of events, and passes other methods on', async () => {
  const server = await startForTest((_, outgoing) => outgoing.writeHead(405).end());
  const name = { datatype: 'reads', id: 'secret-id', format: 'BAM', milliseconds: 1 } as const;
  server.gate.observeEvent({ type: 'ticket', ...name, blocks: 2, plannedBytes: 1000 });
  server.gate.observeEvent({ type: 'block', ...name, plannedBytes: 600, bytes: 500, isComplete: true });
  server.gate.observeEvent({ type: 'block', ...name, plannedBytes: 600, bytes: 5, isComplete: false });
  const converted = { convertedFrom: 'CRAM', plannedBytes: 70, bytes: 90, milliseconds: 500 } as const;
  server.gate.observeEvent({ type: 'block', ...name, ...converted, isComplete: true });
  server.gate.observeEvent({ type: 'cache', cache: 'index', isHit: true });
  server.metrics.watchCache('blocks', { hitCount: 3, missCount: 4 });
  const response = await fetch(`${server.url}/metrics`);
  expect(response.headers.get('content-type')).toContain('text/plain');
  const lines = new Set((await response.text()).split('\n'));
  for (const line of [
    'htskit_htsget_planned_bytes_total{datatype="reads",format="BAM"} 1000',
    'htskit_htsget_streamed_bytes_total{datatype="reads",format="BAM"} 595',
    'htskit_htsget_converted_blocks_total{from="CRAM",format="BAM",outcome="complete"} 1',
    'htskit_htsget_converted_bytes_total{from="CRAM",format="BAM"} 70',
    'htskit_htsget_conversion_sent_bytes_total{from="CRAM",format="BAM"} 90',
    'htskit_htsget_conversion_seconds_total{from="CRAM",format="BAM"} 0.5',
    'htskit_htsget_blocks_total{datatype="reads",format="BAM",outcome="broken"} 1',
    'htskit_htsget_over_fetch_ratio_bucket{le="1.25",datatype="reads",format="BAM"} 1',
    'htskit_htsget_over_fetch_ratio_bucket{le="1.1",datatype="reads",format="BAM"} 0',
    'htskit_cache_lookups_total{cache="index",outcome="hit"} 1',
    'htskit_storage_cache_lookups_total{cache="blocks",outcome="miss"} 4',
  ]) {
    expect(lines).toContain(line);
  }
  expect([...lines].join('\n')).toMatch(/^process_resident_memory_bytes \d+$/m);
  expect([...lines].join('\n')).not.toContain('secret-id');
  expect((await fetch(`${server.url}/metrics`, { method: 'POST' })).status).toBe(405);
  expect((await fetch(`${server.url}/metrics`, { method: 'HEAD' })).status).toBe(200);
});

test('passes /metrics on if it is not a path of the server', async () => {
  const server = await startForTest((_, outgoing) => outgoing.writeHead(404).end(), { isMetricsPath: false });
  expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
});

test('passes /openapi.json on until a document is set', async () => {
  const server = await startForTest((_, outgoing) => outgoing.writeHead(404).end(), { openApi: undefined });
  expect((await fetch(`${server.url}/openapi.json`)).status).toBe(404);
  server.gate.openApi = { openapi: '3.1.0' };
  expect(await (await fetch(`${server.url}/openapi.json`)).json()).toEqual({ openapi: '3.1.0' });
});
