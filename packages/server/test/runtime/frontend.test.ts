import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixturePath } from '@htskit/testing';
import { expect, test } from 'vitest';
import { serve } from '../../src/runtime/serve.js';

test('a running server has request ids, metrics of tickets and blocks, and an OpenAPI document', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  for (const name of ['reads.bam', 'reads.bam.bai']) cpSync(fixturePath(name), join(folder, name));
  const messages: string[] = [];
  const log = (message: string): void => void messages.push(message);
  const server = await serve({ paths: [folder], host: '127.0.0.1', port: 0, authority: 'std', log });
  const response = await fetch(`${server.url}/reads/reads`, {
    headers: { 'x-request-id': 'r-1', origin: 'https://a.example' },
  });
  expect(response.headers.get('x-request-id')).toBe('r-1');
  expect(response.headers.get('access-control-expose-headers')).toContain('X-Request-Id');
  const { htsget } = (await response.json()) as { htsget: { urls: { url: string }[] } };
  const urls = htsget.urls.map(({ url }) => url).filter((url) => url.startsWith('http'));
  for (const url of urls) await (await fetch(url)).arrayBuffer();
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  expect(metrics).toContain('htskit_htsget_tickets_total{datatype="reads",format="BAM"} 1');
  expect(metrics).toContain(
    `htskit_htsget_blocks_total{datatype="reads",format="BAM",outcome="complete"} ${urls.length}`,
  );
  expect(metrics).toMatch(/^htskit_htsget_over_fetch_ratio_sum\{datatype="reads",format="BAM"\} 0*[1-9.]/m);
  expect(metrics).toContain('htskit_cache_lookups_total{cache="header",outcome="miss"} 1');
  expect(metrics).toContain('htskit_storage_cache_lookups_total{cache="blocks",outcome="miss"} 0');
  const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as { servers: unknown; paths: object };
  expect(document.servers).toEqual([{ url: server.publicUrl }]);
  expect(JSON.stringify(document.paths)).toContain('application/vnd.std.htsget.v1.0.0+json');
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  await server.close();
  rmSync(folder, { recursive: true });
  expect(messages).toEqual([]);
});
