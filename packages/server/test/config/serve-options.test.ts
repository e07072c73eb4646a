import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importFasta } from '@htskit/sequences';
import { fileSource } from '@htskit/storage/file';
import { folderStore } from '@htskit/storage/folder';
import { s3ObjectStore } from '@htskit/storage/s3';
import { credentialsFromEnvironment } from '@htskit/storage/s3/environment';
import { decodeBam, expectations, fixturePath, readFixture } from '@htskit/testing';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parseConfig } from '../../src/config/parse-config.js';
import { type ConfiguredOptions, type ServeFlags, toServeOptions } from '../../src/config/serve-options.js';
import { PACKAGE_VERSION } from '../../src/package-version.js';
import { type RunningServer, serve } from '../../src/runtime/serve.js';
import { startBucket, type TestBucket } from '../bucket.js';

let folder: string;
let bucket: TestBucket;
let server: RunningServer | undefined;
const logged: string[] = [];

beforeEach(async () => {
  logged.length = 0;
  folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  bucket = await startBucket();
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'id');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  vi.stubEnv('AWS_SESSION_TOKEN', '');
});

afterEach(async () => {
  await server?.close();
  server = undefined;
  vi.unstubAllEnvs();
  await bucket.server.close();
  rmSync(folder, { recursive: true });
});

function configure(lines: readonly string[], flags: Partial<ServeFlags> = {}): Promise<ConfiguredOptions> {
  const file = join(folder, 'htskit.yaml');
  const { config } = parseConfig(lines.join('\n'), { file, environment: process.env });
  return toServeOptions({ config, file, flags: { paths: [], ...flags }, environment: process.env });
}

/** Serves what a configuration says, with the bucket of the test, and gives the URL. */
async function start(...lines: readonly string[]): Promise<string> {
  const s3 = `s3: { endpoint: "${bucket.server.endpoint}", forcePathStyle: true }`;
  const options = await configure(['listen: { port: 0 }', s3, ...lines]);
  server = await serve({ ...options, log: (message) => logged.push(message) });
  await server.sequences.settled();
  return server.url;
}

interface Block {
  readonly url: string;
  readonly headers?: Record<string, string>;
}

async function ticket(url: string): Promise<Block[]> {
  const response = await fetch(url);
  expect(response.status).toBe(200);
  return ((await response.json()) as { htsget: { urls: Block[] } }).htsget.urls;
}

async function namesOf(blocks: readonly Block[]): Promise<string[]> {
  const bytes = blocks.map(async ({ url, headers = {} }) =>
    Buffer.from(await (await fetch(url, { headers })).arrayBuffer()),
  );
  return decodeBam(Buffer.concat(await Promise.all(bytes))).records.map(({ name }) => name);
}

test('flags and paths take precedence over the configuration', async () => {
  const lines = [
    'listen: { host: 0.0.0.0, port: 1 }',
    'publicUrl: https://a.example',
    'authority: std',
    'htsget: { locations: [{ location: data }] }',
    'refget: { sources: [{ location: a.fa }] }',
  ];
  expect(await configure(lines)).toMatchObject({
    host: '0.0.0.0',
    port: 1,
    publicUrl: 'https://a.example',
    authority: 'std',
    paths: [],
    objectLocations: [{ location: { kind: 'path', path: join(folder, 'data') } }],
    sequenceLocations: [{ location: { kind: 'path', path: join(folder, 'a.fa') } }],
  });
  const flags = { host: '::1', port: 2, publicUrl: 'https://b.example', authority: 'ga4gh', paths: ['x'] } as const;
  expect(await configure(lines, flags)).toMatchObject({ ...flags, objectLocations: [], sequenceLocations: [] });
  expect(await configure([])).toMatchObject({ host: '127.0.0.1', port: 8080, authority: 'ga4gh', paths: [] });
});

test('passes each limit to its part of the server', async () => {
  const options = await configure([
    'htsget: { maxBlockBytes: 5, precision: exact, truncated: refuse }',
    'limits: { regions: 2, concurrency: 3, blockCacheBytes: 4, blockUrlSeconds: 60 }',
  ]);
  expect(options).toMatchObject({
    htsget: { precision: 'exact', truncated: 'refuse' },
    blockCacheBytes: 4,
    serverLimits: { concurrency: 3 },
  });
  expect(options.htsget?.limits).toEqual({ regions: 2, blockUrlSeconds: 60, blockBytes: 5 });
});

test('lets caches keep the blocks of objects that require no token', async () => {
  const isPublic = async (...lines: readonly string[]): Promise<(boolean | undefined)[]> => {
    const { htsget } = await configure(['htsget: { publicBlockSeconds: 60 }', ...lines]);
    expect(htsget?.publicBlocks?.seconds).toBe(60);
    const ids = ['open/a', 'closed/a'];
    return ids.map((id) => htsget?.publicBlocks?.isPublic?.({ datatype: 'reads', id }));
  };
  expect(await isPublic()).toEqual([undefined, undefined]);
  const jwt = '{ jwksUrl: "https://a.example/jwks", issuer: "https://a.example", audience: b }';
  expect(await isPublic(`auth: { jwt: ${jwt}, public: ["reads/open/**"] }`)).toEqual([true, false]);
  expect((await configure([])).htsget?.publicBlocks).toBeUndefined();
});

test('names the program in converted headers only if the configuration says so', async () => {
  expect((await configure([])).htsget?.program).toBeUndefined();
  const { htsget } = await configure(['htsget: { programLine: on, conversions: off }']);
  expect(htsget).toMatchObject({ program: { name: 'htskit', version: PACKAGE_VERSION }, conversions: false });
});

test('shares a cache only with replicas that have the same signing keys', async () => {
  const sharedCache = 'sharedCache: s3://cache/htskit';
  await expect(configure([sharedCache])).rejects.toThrow('sharedCache requires auth.signingKeys');
  const configured = await configure([sharedCache, 'auth: { signingKeys: ["utf8:0123456789abcdef"] }']);
  expect(configured.sharedCache).toEqual({ kind: 's3', bucket: 'cache', key: 'htskit' });
});

test('takes credentials from the environment if it has any', async () => {
  expect((await configure([])).s3?.credentials).toBeTypeOf('function');
  vi.stubEnv('AWS_ACCESS_KEY_ID', '');
  expect((await configure([])).s3?.credentials).toBeUndefined();
});

test('takes credentials from where the configuration says', async () => {
  expect((await configure(['s3: { credentials: none }'])).s3?.credentials).toBeUndefined();
  const environment = (await configure(['s3: { credentials: environment }'])).s3?.credentials;
  expect(environment).toBe(credentialsFromEnvironment);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'from-the-chain');
  const chain = (await configure(['s3: { credentials: chain }'])).s3?.credentials;
  if (typeof chain !== 'function') throw new Error('expected a provider');
  expect(chain).not.toBe(credentialsFromEnvironment);
  expect(await chain()).toMatchObject({ accessKeyId: 'from-the-chain' });
});

test.each([
  ['files: { blocking: false }', false],
  ['files: { blocking: auto }', 'auto'],
  ['', undefined],
])('passes on whether reads of files may block: %j', async (line, blocking) => {
  expect((await configure([line])).blocking).toBe(blocking);
});

test('lets half of the requests in flight wait for one store, unless another number is configured', async () => {
  expect((await configure([])).stores?.concurrency).toBe(128);
  expect((await configure(['limits: { concurrency: 11 }'])).stores?.concurrency).toBe(5);
  expect((await configure(['limits: { concurrency: 1 }'])).stores?.concurrency).toBe(1);
  const stores = (await configure(['limits: { concurrency: 11 }', 'stores: { concurrency: 9, retries: 0 }'])).stores;
  expect(stores).toMatchObject({ concurrency: 9, retries: 0, failures: 10, redirectHosts: [] });
});

test('the hosts of redirects are those of stores and of the service of references', async () => {
  const lines = [
    'stores: { redirectHosts: [cdn.example, "10.0.0.1:8080"] }',
    'reference: { refget: "https://a.example" }',
  ];
  const redirectHosts = ['cdn.example', '10.0.0.1:8080'];
  expect(await configure(lines)).toMatchObject({ stores: { redirectHosts }, reference: { redirectHosts } });
  for (const host of ['https://cdn.example', 'cdn.example/', 'CDN.example', '*', '']) {
    expect(() => configure([`stores: { redirectHosts: ["${host}"] }`])).toThrow('expected a host');
  }
});

test.each([
  ['region: eu-west-1, forcePathStyle: true', 'https://s3.eu-west-1.amazonaws.com'],
  ['region: eu-west-1', 'https://trio.s3.eu-west-1.amazonaws.com'],
  ['endpoint: "https://store.example:9000", forcePathStyle: true', 'https://store.example:9000'],
])('allows the page to read presigned blocks with s3: { %s }', async (s3, origin) => {
  const locations = [
    '{ prefix: a, location: s3://trio/a, delivery: presigned }',
    '{ prefix: b, location: s3://other }',
  ];
  const { storeOrigins } = await configure([`s3: { ${s3} }`, `htsget: { locations: [${locations.join(', ')}] }`]);
  expect(storeOrigins).toEqual([origin]);
});

test('serves the same objects by proxied and presigned delivery', async () => {
  await bucket.put({ 'trio/NA1.bam': 'reads.bam', 'trio/NA1.bam.bai': 'reads.bam.bai' });
  const url = await start(
    'htsget:',
    '  locations:',
    '    - { prefix: proxied, location: s3://bucket/trio }',
    '    - { prefix: presigned, location: s3://bucket/trio, delivery: presigned }',
  );
  const stored = decodeBam(readFixture('reads.bam')).records.map(({ name }) => name);
  const proxied = await ticket(`${url}/reads/proxied/NA1`);
  const presigned = await ticket(`${url}/reads/presigned/NA1`);
  expect(await namesOf(proxied)).toEqual(stored);
  expect(await namesOf(presigned)).toEqual(stored);
  expect(proxied.filter((block) => block.url.startsWith(bucket.server.endpoint))).toEqual([]);
  expect(presigned.filter((block) => block.url.startsWith(bucket.server.endpoint)).length).toBeGreaterThan(0);
  expect(presigned.filter((block) => block.url.startsWith(`${url}/blocks/`))).toEqual([]);
  expect((await fetch(`${url}/reads/proxied/NA2`)).status).toBe(404);
  expect(logged).toEqual([]);
});

test('caches the version of a remote file and never mixes two versions', async () => {
  await bucket.put({ 'a.bam': 'reads.bam', 'a.bam.bai': 'reads.bam.bai' });
  const url = await start(
    'htsget: { locations: [{ location: s3://bucket }] }',
    'limits: { statSeconds: 3600, blockCacheBytes: 0 }',
  );
  const region = `${url}/reads/a?referenceName=chr1`;
  await ticket(region);
  bucket.requests.length = 0;
  const blocks = await ticket(region);
  for (let i = 0; i < 5; i++) await ticket(region);
  expect(bucket.requests).toEqual([]);
  await bucket.put({ 'a.bam': 'straddle.bam', 'a.bam.bai': 'straddle.bam.bai' });
  const [body = ''] = blocks.map((block) => block.url).filter((each) => each.startsWith(url));
  const statuses = [];
  for (let i = 0; i < 2; i++) statuses.push((await fetch(body)).status);
  expect(statuses).toEqual([409, 409]);
  const stored = decodeBam(readFixture('straddle.bam')).records.map(({ name }) => name);
  expect(await namesOf(await ticket(`${url}/reads/a`))).toEqual(stored);
});

test('checks the versions of the file and its index for each ticket if statSeconds is 0', async () => {
  await bucket.put({ 'a.bam': 'reads.bam', 'a.bam.bai': 'reads.bam.bai' });
  const url = await start('htsget: { locations: [{ location: s3://bucket }] }', 'limits: { statSeconds: 0 }');
  await ticket(`${url}/reads/a`);
  bucket.requests.length = 0;
  await ticket(`${url}/reads/a`);
  expect(bucket.requests).toEqual(['HEAD a.bam', 'HEAD a.bam.bai']);
});

test('caches blocks of remote files across a reload', async () => {
  await bucket.put({ 'a.bam': 'reads.bam', 'a.bam.bai': 'reads.bam.bai' });
  const s3 = `s3: { endpoint: "${bucket.server.endpoint}", forcePathStyle: true }`;
  const lines = [s3, 'listen: { port: 0 }', 'htsget: { locations: [{ location: s3://bucket }] }'];
  const url = await start(...lines.slice(2));
  const region = `${url}/reads/a?referenceName=chr1&start=1000&end=2000`;
  const names = await namesOf(await ticket(region));
  expect(names.length).toBeGreaterThan(0);
  bucket.requests.length = 0;
  expect(await namesOf(await ticket(region))).toEqual(names);
  expect(bucket.requests.filter((request) => request.startsWith('GET'))).toEqual([]);
  const options = await configure([...lines, 'limits: { regions: 5 }']);
  await server?.reload({ ...options, log: (message) => logged.push(message) });
  expect(await namesOf(await ticket(region))).toEqual(names);
  expect(bucket.requests.filter((request) => request.startsWith('GET'))).toEqual([]);
});

test('does not report a failing bucket as a missing object', async () => {
  const url = await start('htsget: { locations: [{ location: s3://bucket }] }');
  bucket.server.interfere = () => ({ status: 400, headers: {}, body: new Uint8Array() });
  const response = await fetch(`${url}/reads/a`);
  expect(response.status).toBe(500);
  expect(await response.json()).toMatchObject({ htsget: { error: 'InternalServerError' } });
});

test('imports FASTA that cannot be read in place into the cache, with the characters of the configuration', async () => {
  writeFileSync(join(folder, 'uneven.fa'), '>a\nAC\nMKV*\n');
  const lines = ['refget:', '  characters: sam', '  cache: ./sequence-cache', '  sources: [{ location: uneven.fa }]'];
  const url = await start(...lines);
  const md5 = createHash('md5').update('ACMKV*').digest('hex');
  expect(await (await fetch(`${url}/sequence/${md5}`)).text()).toBe('ACMKV*');
  expect(readdirSync(join(folder, 'sequence-cache')).some((name) => /^uneven\.fa\..*\.store$/.test(name))).toBe(true);
});

test('answers as SeqRepo does, with the limits of refget, unless that is off', async () => {
  writeFileSync(join(folder, 'a.fa'), '>chr1\nACGT\n');
  const source = '  sources: [{ location: a.fa, namingAuthority: GRCh38 }]';
  const on = await start('refget:', '  subsequenceLimit: 2', source);
  expect(await (await fetch(`${on}/seqrepo/1/sequence/GRCh38:1?end=2`)).text()).toBe('AC');
  expect((await fetch(`${on}/seqrepo/1/sequence/GRCh38:1?end=3`)).status).toBe(422);
  const off = await start('refget:', '  seqrepo: off', source);
  expect((await fetch(`${off}/seqrepo/1/ping`)).status).toBe(404);
});

test('applies the rules and limits of names and collections', async () => {
  cpSync(fixturePath('genome.fa'), join(folder, 'a.fa'));
  writeFileSync(join(folder, 'b.fa'), '>chr1\nACGT\n');
  const url = await start(
    'refget:',
    '  ambiguousIdentifier: 409',
    '  comparisonRules: reference',
    '  sources:',
    '    - { location: a.fa, namingAuthority: same }',
    '    - { location: b.fa, namingAuthority: same }',
    'limits: { postBodyBytes: 100, collectionBodyBytes: 5000000 }',
  );
  expect((await fetch(`${url}/sequence/same:chr1`)).status).toBe(409);
  const { results } = (await (await fetch(`${url}/list/collection`)).json()) as { results: string[] };
  const compare = (body: object): Promise<Response> =>
    fetch(`${url}/comparison/${results[0]}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  const comparison = (await (
    await compare({ names: ['chr1'], lengths: [4], x: Array.from({ length: 100 }, () => 'x'.repeat(45_000)) })
  ).json()) as object;
  expect(comparison).not.toHaveProperty('attributes.a_only', expect.arrayContaining(['sorted_name_length_pairs']));
  expect(comparison).toHaveProperty('array_elements.a_and_b_same_order.names', true);
  expect((await compare({ names: ['x'.repeat(5_000_000)] })).status).toBe(413);
});

test('serves the sequences of files and of a store in a bucket', async () => {
  await importFasta({
    store: s3ObjectStore({ ...bucket.s3, bucket: 'bucket', prefix: 'store/' }),
    data: fileSource(fixturePath('crlf.fa')),
    namingAuthority: 'stored',
  });
  cpSync(fixturePath('genome.fa.gz'), join(folder, 'a.fa.gz'));
  cpSync(fixturePath('crlf.fa'), join(folder, 'b.fa'));
  const url = await start(
    'refget:',
    '  rangeOutOfBounds: 416',
    '  subsequenceLimit: 100',
    '  sources:',
    '    - { location: a.fa.gz, namingAuthority: one, circular: [chrM] }',
    '    - { location: b.fa, namingAuthority: two }',
    '    - { location: s3://bucket/store }',
  );
  const status = async (path: string, headers = {}): Promise<number> =>
    (await fetch(`${url}/sequence/${path}`, { headers })).status;
  expect(await status('one:chr1?end=10')).toBe(200);
  expect(await status('two:tiny?end=1')).toBe(200);
  expect(await status('stored:tiny?end=1')).toBe(200);
  expect([await status('one:tiny'), await status('two:chr1')]).toEqual([404, 404]);
  expect([await status('one:chrM?start=16568&end=1'), await status('one:chr1?start=5&end=1')]).toEqual([200, 416]);
  expect(await status('one:chr1?end=101')).toBe(416);
  const [chr1] = expectations('genome.fa.gz').sequences;
  expect(await status(chr1?.md5 ?? '', { range: 'bytes=999999999-' })).toBe(416);
});

test.each([
  [['refget: { sources: [{ location: store, circular: [a] }] }'], /store: a sequence store has its own names/],
  [
    ['refget: { sources: [{ location: a.bam }] }'],
    /a\.bam: expected a folder, a FASTA or 2bit file, or a sequence store/,
  ],
  [['refget: { sources: [{ location: s3://bucket/none }] }'], /^s3:\/\/bucket\/none: /],
  [['htsget: { locations: [{ location: nowhere }] }'], /ENOENT.*nowhere/],
])('does not start without %j', async (lines, message) => {
  cpSync(fixturePath('reads.bam'), join(folder, 'a.bam'));
  await importFasta({ store: folderStore(join(folder, 'store')), data: fileSource(fixturePath('crlf.fa')) });
  await expect(start(...lines)).rejects.toThrow(message);
});

test('applies service-info, origins and the authority', async () => {
  const url = await start(
    'authority: std',
    'service: { id: org.example.htskit, name: Example, organization: { name: Org, url: https://org.example }, environment: test }',
    'cors: { origins: [https://a.example] }',
  );
  const info = await fetch(`${url}/reads/service-info`, { headers: { origin: 'https://a.example' } });
  expect(info.headers.get('access-control-allow-origin')).toBe('https://a.example');
  expect(await info.json()).toMatchObject({
    id: 'org.example.htskit.reads',
    name: 'Example',
    type: { group: 'org.std' },
    organization: { name: 'Org', url: 'https://org.example' },
    environment: 'test',
  });
  const other = await fetch(`${url}/sequence/service-info`, { headers: { origin: 'https://b.example' } });
  expect(other.headers.get('access-control-allow-origin')).toBeNull();
  expect(await other.json()).toMatchObject({ id: 'org.example.htskit.refget' });
  expect(logged).toEqual(['nothing to serve: give a path, or locations in the configuration']);
});

test.each([
  ['{}', 'org.htskit'],
  ['{ id: org.example.htskit }', 'org.example.htskit'],
])('with service: %s, each service-info has an id of its own', async (section, beginning) => {
  const url = await start(`service: ${section}`);
  const paths = ['/reads', '/variants', '/sequence', ''].map((path) => `${url}${path}/service-info`);
  const documents = await Promise.all(paths.map(async (path) => (await fetch(path)).json() as Promise<{ id: string }>));
  const ids = documents.map(({ id }) => id);
  expect(ids.filter((id) => id.startsWith(`${beginning}.`))).toHaveLength(4);
  expect(new Set(ids).size).toBe(4);
});

test('applies the authorization to both protocols', async () => {
  cpSync(fixturePath('reads.bam'), join(folder, 'a.bam'));
  cpSync(fixturePath('reads.bam'), join(folder, 'b.bam'));
  const url = await start(
    'htsget: { locations: [{ location: . }] }',
    'auth: { jwt: { jwksUrl: "https://id.example/jwks", issuer: "https://id.example", audience: htskit }, public: [reads/b] }',
  );
  const status = async (path: string): Promise<number> => (await fetch(url + path)).status;
  expect([await status('/reads/a'), await status('/reads/b'), await status('/reads/nothing')]).toEqual([401, 200, 401]);
  expect(await status(`/sequence/${'0'.repeat(32)}`)).toBe(401);
  expect([await status('/reads/service-info'), await status('/sequence/service-info')]).toEqual([200, 200]);
});

test('accepts the block URLs of any replica with the same signing keys', async () => {
  cpSync(fixturePath('reads.bam'), join(folder, 'a.bam'));
  vi.stubEnv('BLOCK_KEY', 'utf8:0123456789abcdef');
  const lines = ['htsget: { locations: [{ location: . }] }', `auth: { signingKeys: ["\${BLOCK_KEY}"] }`];
  const first = await start(...lines);
  const [, block] = await ticket(`${first}/reads/a`);
  const options = await configure(['listen: { port: 0 }', ...lines]);
  const replica = await serve({ ...options, log: (message) => logged.push(message) });
  expect((await fetch((block?.url ?? '').replace(first, replica.url))).status).toBe(200);
  await replica.close();
});
