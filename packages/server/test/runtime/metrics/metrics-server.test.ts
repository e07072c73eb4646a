import { expect, test } from 'vitest';
import { toTextResponse } from '../../../src/runtime/gate/operational-responses.js';
import { createMetrics } from '../../../src/runtime/metrics/metrics.js';
import { startMetricsServer } from '../../../src/runtime/metrics/metrics-server.js';

const readReadiness = () => toTextResponse(200, 'ok');

test('serves only metrics and probes on the metrics port', async () => {
  const metrics = createMetrics();
  metrics.countShed('memory');
  const server = await startMetricsServer({ metrics, readReadiness }, { port: 0 });
  expect(await (await fetch(server.url)).text()).toContain('htskit_http_shed_total{reason="memory"} 1');
  expect((await fetch(server.url, { method: 'POST' })).status).toBe(404);
  expect((await fetch(new URL('/reads/a', server.url))).status).toBe(404);
  expect(await (await fetch(new URL('/healthz', server.url))).text()).toBe('ok\n');
  const { port } = new URL(server.url);
  const again = startMetricsServer({ metrics, readReadiness }, { port: Number(port) });
  await expect(again).rejects.toThrow('EADDRINUSE');
  await server.close();
  await expect(fetch(server.url)).rejects.toThrow('fetch failed');
});

test('answers /readyz on the metrics port with the readiness of the server', async () => {
  let status = 503;
  const answers = { metrics: createMetrics(), readReadiness: (accept = 'none') => toTextResponse(status, accept) };
  const server = await startMetricsServer(answers, { port: 0 });
  const url = new URL('/readyz', server.url);
  const starting = await fetch(url, { headers: { accept: 'application/json' } });
  expect([starting.status, await starting.text()]).toEqual([503, 'application/json\n']);
  status = 200;
  expect((await fetch(url)).status).toBe(200);
  await server.close();
});
