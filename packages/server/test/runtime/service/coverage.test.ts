import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixturePath } from '@htskit/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RunningServer, type ServeOptions, serve } from '../../../src/runtime/serve.js';

let folder: string;
let server: RunningServer | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-coverage-'));
  for (const name of ['reads.bam', 'reads.bam.bai']) cpSync(fixturePath(name), join(folder, name));
});

afterEach(async () => {
  await server?.close();
  rmSync(folder, { recursive: true });
});

async function start(options: Partial<ServeOptions>): Promise<string> {
  const shared = { host: '127.0.0.1', port: 0, authority: 'ga4gh', log: () => undefined } as const;
  server = await serve({ ...shared, paths: [folder], ...options });
  return server.url;
}

const PATH = '/coverage/reads?referenceName=chr1&bins=100';

test('serves the depth by bin, and counts and records the request', async () => {
  const audit = join(folder, 'audit.jsonl');
  const url = await start({ coverage: {}, audit: { file: audit } });
  const response = await fetch(url + PATH);
  expect(await response.json()).toMatchObject({ referenceName: 'chr1', start: 0, end: 150_000, estimated: false });
  expect((await fetch(url + PATH, { headers: { 'if-none-match': response.headers.get('etag') ?? '' } })).status).toBe(
    304,
  );
  expect(await (await fetch(`${url}/metrics`)).text()).toContain('route="/coverage/{id}"');
  const records = readFileSync(audit, 'utf8').trim().split('\n');
  expect(records.map((line) => JSON.parse(line) as object)).toMatchObject([
    { resource: 'coverage', object: 'reads/reads', status: 200, regions: [{ referenceName: 'chr1' }] },
    { resource: 'coverage', object: 'reads/reads', status: 304 },
  ]);
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: object };
  expect(Object.keys(paths)).toContain('/coverage/{id}');
});

test('passes the permission of htsget on', async () => {
  const regions = [{ referenceName: 'chr1', start: 0, end: 15_000 }];
  const url = await start({ coverage: { limits: { scanBytes: 0 } }, htsget: { authorize: () => ({ regions }) } });
  const { mean } = (await (await fetch(url + PATH)).json()) as { mean: (number | null)[] };
  expect(mean.map((value) => value !== null).indexOf(false)).toBe(10);
  expect((await fetch(`${url}/coverage/reads?referenceName=chr2`)).status).toBe(403);
});

test('has no coverage if it is switched off', async () => {
  const url = await start({});
  const response = await fetch(url + PATH);
  expect(response.status).toBe(404);
  expect(await response.json()).toEqual({ htsget: { error: 'NotFound', message: 'this server has no coverage' } });
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: object };
  expect(Object.keys(paths)).not.toContain('/coverage/{id}');
});
