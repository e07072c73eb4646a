import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseLocation } from '@htskit/catalogue/internal';
import { fixturePath, JsonServer, readFixture } from '@htskit/testing';
import { createKey, jwtOf, keySetOf, signToken } from '@htskit/testing/token-issuer';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseConfig } from '../../src/config/parse-config.js';
import { toServeOptions } from '../../src/config/serve-options.js';
import { type RunningServer, type ServeOptions, serve } from '../../src/runtime/serve.js';
import { startBucket } from '../bucket.js';

let folder: string;
const open: { close(): Promise<void> | void }[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  for (const name of ['reads.bam', 'reads.bam.bai', 'variants.vcf.gz', 'variants.vcf.gz.tbi', 'genome.fa']) {
    copyFileSync(fixturePath(name), join(folder, name));
  }
});
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
  rmSync(folder, { recursive: true });
});

async function start(options: Partial<ServeOptions> = {}): Promise<RunningServer> {
  const shared = { paths: [folder], authority: 'ga4gh', log: () => undefined } as const;
  const server = await serve({ ...shared, ...options, host: '127.0.0.1', port: 0, settlesFirst: true });
  open.push(server);
  return server;
}

const API = '/ga4gh/drs/v1';

async function describeObject({ url }: RunningServer, id: string): Promise<Record<string, unknown>> {
  return (await (await fetch(`${url}${API}/objects/${encodeURIComponent(id)}`)).json()) as Record<string, unknown>;
}

test('serves files and descriptions beside the protocols', async () => {
  const server = await start();
  const bytes = await fetch(`${server.url}/files/reads.bam`);
  expect(new Uint8Array(await bytes.arrayBuffer())).toEqual(new Uint8Array(readFixture('reads.bam')));
  const found = await describeObject(server, 'reads.bam');
  const [https] = found['access_methods'] as { access_url: { url: string } }[];
  expect(https?.access_url.url).toBe(`${server.url}/files/reads.bam`);
  expect(found['updated_time']).not.toContain('1970');
  const info = (await (await fetch(`${server.url}${API}/service-info`)).json()) as { type: { artifact: string } };
  expect(info.type.artifact).toBe('drs');
});

test('reads the body of OPTIONS of several objects', async () => {
  const { url } = await start();
  const body = JSON.stringify({ bulk_object_ids: ['reads.bam'] });
  const response = await fetch(`${url}${API}/objects`, { method: 'OPTIONS', body });
  expect(await response.json()).toMatchObject({
    resolved_drs_object: [{ drs_object_id: 'reads.bam', supported_types: ['None'] }],
  });
});

test('answers neither if DRS is switched off', async () => {
  const { url } = await start({ drs: { enabled: false } });
  for (const path of ['/files/reads.bam', `${API}/objects/reads.bam`, `${API}/service-info`]) {
    expect((await fetch(url + path)).status).toBe(404);
  }
});

/** Starts a server as a configuration describes it. */
async function configure(text: string): Promise<RunningServer> {
  const file = join(folder, 'htskit.yaml');
  writeFileSync(file, text);
  const { config } = parseConfig(text, { file, environment: {} });
  return start({
    ...(await toServeOptions({ config, file, flags: { paths: [folder] }, environment: {} })),
    log: () => undefined,
  });
}

test('tokens and rules hold for files and descriptions, and each leaves an audit record', async () => {
  const key = await createKey('one');
  const keys = await JsonServer.start(keySetOf(key));
  open.push({ close: () => keys.stop() });
  const audit = join(folder, 'audit.jsonl');
  const server = await configure(
    `auth:
  jwt: ${JSON.stringify(jwtOf(keys))}
  public: [variants/variants]
  rules:
    - { claims: { groups: [all] } }
    - { claims: { groups: [part] }, objects: [reads/**], regions: ["chr1:1-1000"] }
audit: ${audit}
`,
  );
  const scope = 'read:genomic_reads read:genomic_variants';
  const tokens: Readonly<Record<string, string | undefined>> = {
    none: undefined,
    all: await signToken(key, { scope, groups: ['all'], sub: 'alice' }),
    part: await signToken(key, { scope, groups: ['part'], sub: 'bob' }),
    other: await signToken(key, { scope, groups: [] }),
  };
  const ask = (path: string, name: string): Promise<Response> =>
    fetch(server.url + path, {
      headers: tokens[name] === undefined ? {} : { authorization: `Bearer ${tokens[name]}` },
    });
  const table: readonly (readonly [path: string, ...statuses: readonly number[]])[] = [
    ['/files/reads.bam', 401, 200, 403, 403],
    ['/files/reads.bam.bai', 401, 200, 403, 403],
    ['/files/missing.bam', 401, 404, 404, 403],
    ['/files/variants.vcf.gz', 200, 200, 200, 200],
    ['/files/genome.fa', 401, 200, 403, 403],
    ['/files/htskit.yaml', 401, 404, 404, 403],
    [`${API}/objects/reads.bam`, 401, 200, 200, 403],
    [`${API}/objects/reads.bam.bai`, 401, 200, 403, 403],
    [`${API}/objects/reads%2Freads`, 401, 200, 403, 403],
    [`${API}/objects/reads.bam/access/https`, 401, 200, 403, 403],
  ];
  for (const [path, ...statuses] of table) {
    const found = await Promise.all(Object.keys(tokens).map(async (name) => (await ask(path, name)).status));
    expect(found, path).toEqual(statuses);
  }
  const part = (await (await ask(`${API}/objects/reads.bam`, 'part')).json()) as { access_methods: { type: string }[] };
  expect(part.access_methods.map(({ type }) => type)).toEqual(['htsget']);
  const access = (await (await ask(`${API}/objects/reads.bam/access/https`, 'all')).json()) as { url: string };
  expect((await fetch(access.url)).status).toBe(200);
  const options = await fetch(`${server.url}${API}/objects/reads.bam`, { method: 'OPTIONS' });
  expect(await options.json()).toMatchObject({
    supported_types: ['BearerAuth'],
    bearer_auth_issuers: ['https://issuer.example'],
  });
  const records = readFileSync(audit, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(records).toContainEqual(
    expect.objectContaining({
      resource: 'file',
      object: 'files/reads.bam',
      subject: 'bob',
      status: 403,
      outcome: 'refused',
    }),
  );
  expect(records.at(-1)).toMatchObject({ resource: 'file', subject: 'alice', status: 200 });
});

test('redirects to the bucket for presigned delivery', async () => {
  const bucket = await startBucket();
  open.push({ close: () => bucket.server.close() });
  await bucket.put({ 'a.bam': 'reads.bam', 'a.bam.bai': 'reads.bam.bai' });
  const location = parseLocation(`s3://${bucket.server.bucket}`, '/');
  const server = await start({ paths: [], s3: bucket.s3, objectLocations: [{ location, delivery: 'presigned' }] });
  const redirected = await fetch(`${server.url}/files/a.bam`, { redirect: 'manual', headers: { range: 'bytes=0-9' } });
  expect(redirected.status).toBe(307);
  expect(redirected.headers.get('location')).toContain('X-Amz-Signature');
  const part = await fetch(`${server.url}/files/a.bam`, { headers: { range: 'bytes=0-9' } });
  expect([part.status, new Uint8Array(await part.arrayBuffer())]).toEqual([
    206,
    new Uint8Array(readFixture('reads.bam').subarray(0, 10)),
  ]);
  // The index is not presigned, since tickets never refer to it.
  expect((await fetch(`${server.url}/files/a.bam.bai`, { redirect: 'manual' })).status).toBe(200);
  const access = (await (await fetch(`${server.url}${API}/objects/a.bam/access/https`)).json()) as {
    url: string;
    headers: string[];
  };
  const headers = Object.fromEntries(access.headers.map((line) => line.split(': ') as [string, string]));
  expect((await fetch(access.url, { headers })).status).toBe(200);
});

test('keeps checksums in a folder, also those that a worker computes', async () => {
  const cache = join(folder, 'cache');
  const long = Buffer.concat([readFixture('reads.bam'), Buffer.alloc(2 ** 22)]);
  writeFileSync(join(folder, 'long.bam'), long);
  const server = await start({ drs: { cache } });
  await expect.poll(async () => (await fetch(`${server.url}${API}/objects/long.bam`)).status).toBe(200);
  const found = await describeObject(server, 'long.bam');
  const { createHash } = await import('node:crypto');
  expect(found['checksums']).toEqual([
    { type: 'sha-256', checksum: createHash('sha256').update(long).digest('hex') },
    { type: 'md5', checksum: createHash('md5').update(long).digest('hex') },
  ]);
  // They are sent before they are written.
  await expect.poll(() => readdirSync(cache)).toEqual([expect.stringMatching(/\.checksums\.json$/)]);
  const [file = ''] = readdirSync(cache);
  // Another server takes what is in the folder.
  writeFileSync(join(cache, file), '[{"type":"md5","checksum":"cafe"}]');
  expect((await describeObject(await start({ drs: { cache } }), 'long.bam'))['checksums']).toEqual([
    { type: 'md5', checksum: 'cafe' },
  ]);
  writeFileSync(join(cache, file), 'damaged');
  const other = await start({ drs: { cache } });
  await expect.poll(async () => (await fetch(`${other.url}${API}/objects/long.bam`)).status).toBe(200);
  expect((await describeObject(other, 'long.bam'))['checksums']).toHaveLength(2);
});
