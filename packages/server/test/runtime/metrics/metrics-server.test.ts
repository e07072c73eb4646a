import { expect, test } from 'vitest';
import { createMetrics } from '../../../src/runtime/metrics/metrics.js';
import { startMetricsServer } from '../../../src/runtime/metrics/metrics-server.js';

test('serves only metrics on the metrics port', async () => {
  const metrics = createMetrics();
  metrics.countShed('memory');
  const server = await startMetricsServer(metrics, { port: 0 });
  expect(await (await fetch(server.url)).text()).toContain('htskit_http_shed_total{reason="memory"} 1');
  expect((await fetch(server.url, { method: 'POST' })).status).toBe(404);
  expect((await fetch(new URL('/reads/a', server.url))).status).toBe(404);
  const { port } = new URL(server.url);
  await expect(startMetricsServer(metrics, { port: Number(port) })).rejects.toThrow('EADDRINUSE');
  await server.close();
  await expect(fetch(server.url)).rejects.toThrow('fetch failed');
});
