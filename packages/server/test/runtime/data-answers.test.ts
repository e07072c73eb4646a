import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { HtsgetError, type Ticket } from '@htskit/protocol';
import { expectations, fixturePath } from '@htskit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, serve } from '../../src/runtime/serve.js';

let server: RunningServer;
beforeAll(async () => {
  server = await serve({
    paths: [fixturePath('.')],
    host: '127.0.0.1',
    port: 0,
    authority: 'ga4gh',
    log: () => undefined,
    htsget: {
      authorize: ({ id, request }) => {
        if (id === 'empty') throw new HtsgetError('PermissionDenied', 'access denied');
        if (request.headers.has('x-broken')) throw new Error('broken');
        return 'all';
      },
    },
  });
  await server.sequences.settled();
});
afterAll(() => server.close());

const SEQUENCE = `sequence/${expectations('genome.fa').sequences[0]?.md5 ?? ''}`;

/** Returns the headers that decide whether a browser runs the body as a script, or shows it as a document with scripts. */
function safetyOf({ headers }: Response): Record<string, unknown> {
  return {
    sniffing: headers.get('x-content-type-options'),
    policy: headers.get('content-security-policy'),
    isActive: /html|xml|svg|script|css/i.test(headers.get('content-type') ?? ''),
  };
}

const INERT = { sniffing: 'nosniff', policy: 'sandbox', isActive: false };

const json = { accept: 'application/json' };

describe.each<[string, number, RequestInit?]>([
  ['reads/reads', 200],
  ['reads/reads?referenceName=chr1', 200, { headers: { origin: 'https://a.example' } }],
  ['reads/reads', 405, { method: 'DELETE' }],
  ['reads/reads', 400, { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } }],
  ['reads/reads', 500, { headers: { 'x-broken': '1' } }],
  ['reads/reads?format=VCF', 400],
  ['reads/<script>', 404],
  ['reads/empty', 403],
  ['reads/service-info', 200],
  ['variants/variants?format=VCFTEXT', 200],
  ['blocks/altered', 403],
  [SEQUENCE, 200],
  [SEQUENCE, 206, { headers: { range: 'bytes=0-9' } }],
  [SEQUENCE, 200, { headers: { accept: 'text/x-fasta' } }],
  [SEQUENCE, 406, { headers: { accept: 'text/html' } }],
  [`${SEQUENCE}/metadata`, 200],
  ['sequence/<script>', 404],
  ['sequence/service-info', 200],
  ['service-info', 200],
  ['list/collection', 200],
  ['seqrepo/1/ping', 200],
  [`seqrepo/1/${SEQUENCE}`, 200],
  [`seqrepo/1/metadata/<script>`, 404],
  ['seqrepo/1/sequence/a?<script>=1', 400],
  ['collection/none', 404],
  ['comparison/a/b', 404],
  ['elsewhere', 404],
  ['', 200],
  ['', 200, { headers: json }],
  ['page/objects?search=%3Cscript%3E', 200],
  ['page/objects/reads/reads', 200],
  ['page/objects/reads/none', 404],
  ['openapi.json', 200],
  ['healthz', 200],
  ['readyz', 200],
  ['metrics', 200],
])('the answer to /%s with status %i', (path, status, init) => {
  test('is not run by browsers', async () => {
    const response = await fetch(`${server.url}/${path}`, init);
    expect(response.status).toBe(status);
    expect(safetyOf(response)).toEqual(INERT);
    await response.body?.cancel();
  });
});

test('blocks of every format and status are not run by browsers', async () => {
  for (const path of ['reads/reads?referenceName=chr1', 'variants/variants?format=VCFTEXT&referenceName=chr1']) {
    const { htsget } = (await (await fetch(`${server.url}/${path}`)).json()) as Ticket;
    const [block = ''] = htsget.urls.flatMap(({ url }) => (url.startsWith('data:') ? [] : [url]));
    for (const init of [{}, { method: 'HEAD' }, { method: 'DELETE' }, { headers: { range: 'bytes=999999999-' } }]) {
      const response = await fetch(block, init);
      expect(safetyOf(response)).toEqual(INERT);
      await response.body?.cancel();
    }
  }
});

test('files of a collection, and answers without a body, are not run by browsers', async () => {
  const { results } = (await (await fetch(`${server.url}/list/collection`)).json()) as { results: string[] };
  for (const path of ['', '?level=1', '/fasta', '/fasta.fai', '/regions']) {
    const response = await fetch(`${server.url}/collection/${results[0]}${path}`);
    expect(safetyOf(response)).toEqual(INERT);
    const etag = response.headers.get('etag');
    await response.body?.cancel();
    if (etag === null) continue;
    const unchanged = await fetch(response.url, { headers: { 'if-none-match': etag } });
    expect(unchanged.status).toBe(304);
    expect(safetyOf(unchanged)).toEqual(INERT);
  }
});

test('the answer to what is not HTTP is not run by browsers', async () => {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write('<script>\r\n\r\n');
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toMatch(/\r\nx-content-type-options: nosniff\r\ncontent-security-policy: sandbox\r\n/);
});

test.each([
  '/reads\\reads',
  '/reads/reads\\',
  '\\reads/reads',
  '/variants\\service-info',
  `/${SEQUENCE.replace('/', '\\')}`,
  `/${SEQUENCE}\\metadata`,
  '/list\\collection',
  '/page\\objects',
  '/healthz\\',
])('a backslash is not a slash: %s is answered with 404', async (path) => {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.end(`GET ${path.startsWith('/') ? '' : '/'}${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 404 /);
});
