import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { Load, toContainerLimit } from '../../../src/runtime/gate/load.js';
import { toTextResponse } from '../../../src/runtime/gate/operational-responses.js';
import { createMetrics } from '../../../src/runtime/metrics/metrics.js';
import { startMetricsServer } from '../../../src/runtime/metrics/metrics-server.js';
import { withLimitDefaults } from '../../../src/runtime/server-limits.js';
import { send, startForTest } from './test-server.js';

const limits = withLimitDefaults({ concurrency: 2, memoryBytes: 100, eventLoopMilliseconds: 50 });

test('admits requests up to the concurrency limit', () => {
  const load = new Load({ readMemory: () => 0 });
  expect([0, 1, 2, 3].map((running) => load.refusal(running, limits))).toEqual([
    undefined,
    undefined,
    'concurrency',
    'concurrency',
  ]);
});

test('sheds requests over the memory limit, except for a single one', () => {
  let memory = 100;
  const load = new Load({ readMemory: () => memory });
  expect([load.refusal(1, limits), load.fault(limits)]).toEqual([undefined, undefined]);
  memory = 101;
  load.sample(10);
  expect([load.refusal(1, limits), load.fault(limits)]).toEqual(['memory', 'memory use is over its limit']);
  expect(load.refusal(0, limits)).toBeUndefined();
  memory = 100;
  load.sample(10);
  expect([load.refusal(1, limits), load.fault(limits)]).toEqual([undefined, undefined]);
});

test('reports a late event loop until it is on time again', () => {
  let now = 0;
  const load = new Load({ readMemory: () => 0, now: () => now });
  const faults = [0, 10, 70, 131, 141].map((time) => {
    now = time;
    load.sample(10);
    return load.fault(limits);
  });
  expect(faults).toEqual([undefined, undefined, undefined, 'the event loop is late', undefined]);
});

test('limits memory to nine tenths of a container, and not at all without one', () => {
  expect(toContainerLimit(1000, 4000)).toBe(900);
  for (const unlimited of [undefined, 0, 4000, 2 ** 63]) {
    expect(toContainerLimit(unlimited, 4000)).toBe(Number.POSITIVE_INFINITY);
  }
});

test('applies the defaults for undefined limits', () => {
  expect(withLimitDefaults({ concurrency: undefined, stallSeconds: 1 })).toMatchObject({
    concurrency: 256,
    stallSeconds: 1,
  });
});

const request = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;

/** Answers that came before the connection was closed, be it by a reset. */
async function countAnswers(socket: Socket): Promise<number> {
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  await new Promise((resolve) => socket.once('close', resolve));
  return text.split('HTTP/1.1 200').length - 1;
}

test.each(['/healthz', '/readyz', '/metrics', '/reads/a'])(
  'closes a connection that pipelines thousands of requests for %s',
  async (path) => {
    let count = 0;
    const server = await startForTest(
      (_, outgoing) => {
        count++;
        outgoing.end();
      },
      { limits: { pipelined: 8 } },
    );
    expect(await countAnswers(await send(server.port, request(path).repeat(20_000)))).toBeLessThanOrEqual(8);
    expect(count).toBeLessThanOrEqual(8);
    expect(await server.metric('htskit_http_refused_connections_total{reason="pipelined"}')).toBe(1);
    expect(server.gate.inFlight.size).toBe(0);
  },
);

test('answers pipelined requests within the limit in order, repeatedly', async () => {
  const server = await startForTest((incoming, outgoing) => outgoing.end(incoming.url), { limits: { pipelined: 20 } });
  const warnings: Error[] = [];
  const warn = (warning: Error): void => void warnings.push(warning);
  process.on('warning', warn);
  const socket = await send(server.port, '');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  for (const round of [1, 2, 3]) {
    const paths = Array.from({ length: 20 }, (_, rank) => `/reads/${round}.${rank}`);
    socket.write(paths.map((path) => request(path)).join(''));
    while (!text.endsWith(`/reads/${round}.19`)) await once(socket, 'data');
    expect(text.match(/\/reads\/[\d.]+/g)).toEqual(paths);
    text = '';
  }
  socket.end(request('/healthz', 'Connection: close\r\n'));
  await once(socket, 'close');
  process.off('warning', warn);
  expect(warnings).toEqual([]);
});

test('closes such connections on the metrics port too', async () => {
  const readReadiness = () => toTextResponse(200, 'ok');
  const server = await startMetricsServer({ metrics: createMetrics(), readReadiness }, { port: 0 });
  const { port } = new URL(server.url);
  expect(await countAnswers(await send(Number(port), request('/metrics').repeat(1000)))).toBeLessThanOrEqual(4);
  await server.close();
});
