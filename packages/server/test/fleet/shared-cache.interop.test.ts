import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHtsget } from '@htskit/client';
import type { Ticket } from '@htskit/protocol';
import { areInstalled, fixturePath, JsonServer, startServer, type TestServer } from '@htskit/testing';
import { createKey, type IssuerKey, jwtOf, keySetOf, signToken } from '@htskit/testing/token-issuer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPort, Replica } from './replica.js';

const HOST = '127.0.0.1';
/** The regions of a browser that moves along a chromosome, and back. */
const SESSION = [0, 20_000, 40_000, 60_000, 40_000, 20_000].map((start) => ({
  referenceName: 'chr1',
  start,
  end: start + 20_000,
}));

let scratch = '';
let keys: JsonServer;
let key: IssuerKey;
let cache: TestServer<{ readonly url: string }>;
let htskit: Replica;

interface SeenBlock {
  readonly url: string;
  /** HIT, MISS and so on, as the cache names it. */
  readonly status: string;
}

function bearer(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

/** Downloads the regions of a session through the cache, as one user. Returns the blocks that were requested, and the bytes. */
async function replay(id: string, token?: string) {
  const seen: SeenBlock[] = [];
  const headers = bearer(token);
  const files: Buffer[] = [];
  for (const region of SESSION) {
    const { stream } = await openHtsget(`${cache.details.url}/reads/${id}`, region, {
      headers,
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        const status = response.headers.get('x-cache-status');
        if (status !== null) seen.push({ url: response.url, status });
        return response;
      },
    });
    files.push(Buffer.from(await new Response(stream).arrayBuffer()));
  }
  return { seen, files };
}

async function blockOf(id: string, { token, start = 5000 }: { token?: string | undefined; start?: number } = {}) {
  const headers = bearer(token);
  const response = await fetch(`${cache.details.url}/reads/${id}?referenceName=chr1&start=${start}&end=60000`, {
    headers,
  });
  const { htsget } = (await response.json()) as Ticket;
  return htsget.urls.find(({ url }) => url.startsWith('http'))?.url ?? '';
}

async function get(url: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(url, { headers });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, cached: response.headers.get('x-cache-status'), headers: response.headers, bytes };
}

describe.skipIf(!areInstalled('nginx'))('a cache that many clients share', () => {
  beforeAll(async () => {
    scratch = mkdtempSync(join(tmpdir(), 'htskit-cache-'));
    for (const folder of ['open', 'closed']) {
      mkdirSync(join(scratch, folder));
      for (const file of ['reads.bam', 'reads.bam.bai']) cpSync(fixturePath(file), join(scratch, folder, file));
    }
    key = await createKey('k');
    keys = await JsonServer.start(keySetOf(key));
    const port = await findPort(HOST);
    cache = await startServer('shared-cache.mjs', `${HOST}:${port}`);
    const config = join(scratch, 'htskit.yaml');
    const htsget = { publicBlockSeconds: 600, precision: 'exact', locations: [{ location: scratch }] };
    const auth = { jwt: jwtOf(keys), public: ['reads/open/**'], rules: [{ claims: { sub: ['ann', 'bob'] } }] };
    writeFileSync(config, JSON.stringify({ publicUrl: cache.details.url, htsget, auth }));
    htskit = new Replica({ host: HOST, port, config, environment: {} });
    await htskit.start();
  }, 60_000);
  afterAll(async () => {
    await (htskit as Replica | undefined)?.kill();
    await (cache as TestServer<unknown> | undefined)?.stop();
    await (keys as JsonServer | undefined)?.stop();
    rmSync(scratch, { recursive: true });
  });

  test('answers the blocks of public objects for all users but the first', async () => {
    const [first, second, third] = [await replay('open/reads'), await replay('open/reads'), await replay('open/reads')];
    const blocks = new Set(first.seen.map(({ url }) => url)).size;
    expect(first.seen.filter(({ status }) => status === 'MISS')).toHaveLength(blocks);
    for (const { seen, files } of [second, third]) {
      expect(new Set(seen.map(({ status }) => status))).toEqual(new Set(['HIT']));
      expect(files.every((file, at) => file.equals(first.files[at] ?? Buffer.alloc(0)))).toBe(true);
    }
  });

  test('keeps no block of an object that needs a token, for no user', async () => {
    const tokens = await Promise.all(['ann', 'bob'].map((sub) => signToken(key, { sub, scope: 'read:genomic_reads' })));
    const sessions = [];
    for (const token of [...tokens, ...tokens]) sessions.push(await replay('closed/reads', token));
    const open = await replay('open/reads');
    for (const { seen, files } of sessions) {
      expect(new Set(seen.map(({ status }) => status))).toEqual(new Set(['MISS']));
      expect(files.every((file, at) => file.equals(open.files[at] ?? Buffer.alloc(0)))).toBe(true);
    }
    expect((await fetch(`${cache.details.url}/reads/closed/reads`)).status).toBe(401);
    const again = await blockOf('closed/reads', { token: tokens[0] });
    expect([(await get(again)).cached, (await get(again)).cached]).toEqual(['MISS', 'MISS']);
  });

  test('no header, range or query of one client changes what others get', async () => {
    const attempts: Readonly<Record<string, string>>[] = [
      { range: 'bytes=10-19' },
      { range: 'bytes=-5', 'if-range': '"other"' },
      { 'if-none-match': '*' },
      { origin: 'https://evil.example' },
      { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', forwarded: 'host=evil.example' },
      { 'accept-encoding': 'gzip, br', accept: 'text/html' },
      { 'x-http-method-override': 'DELETE', 'x-original-url': '/reads/closed/reads', 'x-rewrite-url': '/' },
      { authorization: 'Bearer nobody', cookie: 'session=1', 'x-request-id': 'evil' },
    ];
    for (const [number, headers] of attempts.entries()) {
      // Another block each time, so that the attempt is what the cache sees first.
      const url = await blockOf('open/reads', { start: 6000 + number });
      await get(`${url}?attempt=${number}`, headers);
      const { status, cached, bytes, headers: found } = await get(url);
      const clean = await get(url.replace(cache.details.url, htskit.url));
      expect([status, cached, bytes.equals(clean.bytes)], JSON.stringify(headers)).toEqual([200, 'HIT', true]);
      expect(found.get('access-control-allow-origin')).toBe('*');
      expect([...found.values()].join(' ')).not.toContain('evil');
    }
  });

  test('keeps no error', async () => {
    const url = await blockOf('open/reads');
    const forged = `${url.slice(0, -3)}${url.endsWith('AAA') ? 'BBB' : 'AAA'}`;
    expect([await get(forged), await get(forged)].map(({ status, cached }) => [status, cached])).toEqual([
      [403, 'MISS'],
      [403, 'MISS'],
    ]);
  });
});
