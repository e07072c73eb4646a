import { expect, test } from 'vitest';
import type { HtsgetOptions } from '../../src/index.js';
import { fixtureFile, fixtureHandler } from '../fixture-files.js';
import { fetchTicket, type Handler, PUBLIC_URL } from '../read-ticket.js';

const REGION = '/reads/reads.bam?referenceName=chr1&start=1000&end=9000';
/** At the start of an hour. */
const HOUR = Date.UTC(2026, 0, 1, 12);
const PRIVATE = 'private, no-transform';
const publicFor = (seconds: number): string => `public, max-age=${seconds}, immutable, no-transform`;

/** A service whose tickets have the same block URLs for ten minutes, and whose time can be set. */
function createService(options: Partial<HtsgetOptions> = {}) {
  const clock = { now: HOUR };
  const handler = fixtureHandler({ publicBlocks: { seconds: 600 }, now: () => clock.now, ...options });
  return { clock, handler };
}

async function blockUrl(handler: Handler, path = REGION, init?: RequestInit): Promise<string> {
  const { htsget } = await fetchTicket(handler, path, init);
  return htsget.urls.find(({ url }) => url.startsWith('http'))?.url ?? '';
}

async function headersOf(handler: Handler, url: string, init?: RequestInit): Promise<Headers> {
  const { headers, body } = await handler(new Request(url, init));
  await body?.cancel();
  return headers;
}

test('all tickets of a period have the same block URLs, which stay valid after it for the usual time', async () => {
  const { clock, handler } = createService();
  const seconds = [1, 300, 600, 601];
  const urls = [];
  for (const second of seconds) {
    clock.now = HOUR + second * 1000;
    urls.push(await blockUrl(handler));
  }
  expect(new Set(urls.slice(0, 3)).size).toBe(1);
  expect(urls[3]).not.toBe(urls[0]);
  clock.now = HOUR + (600 + 3600) * 1000 - 1;
  const responses = await Promise.all(urls.map((url) => handler(new Request(url))));
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  clock.now += 1;
  expect((await handler(new Request(urls[0] ?? ''))).status).toBe(403);
});

test('a shared cache may keep a block until its URL expires, whichever site asks for it', async () => {
  const { clock, handler } = createService();
  const url = await blockUrl(handler);
  clock.now = HOUR + 60_500;
  const requests = [{}, { headers: { origin: 'https://a.example' } }, { headers: { origin: 'https://b.example' } }];
  const answers = await Promise.all(requests.map((init) => headersOf(handler, url, init)));
  const [first] = answers.map((headers) => Object.fromEntries(headers));
  expect(answers.map((headers) => Object.fromEntries(headers))).toEqual([first, first, first]);
  expect(first).toMatchObject({ 'cache-control': publicFor(3600 - 61), 'access-control-allow-origin': '*' });
  expect(first).not.toHaveProperty('vary');
  expect(first?.['etag']).toMatch(/^"/);
});

test('the entity tag of a block does not depend on who may keep it', async () => {
  const [shared, own] = [createService(), createService({ publicBlocks: undefined })];
  const tags = await Promise.all(
    [shared, own].map(async ({ handler }) => (await headersOf(handler, await blockUrl(handler))).get('etag')),
  );
  expect(tags[0]).toBe(tags[1]);
});

test('errors are kept by no cache', async () => {
  const { handler } = createService();
  const url = await blockUrl(handler);
  for (const [path, init] of [
    [`${url}x`, {}],
    [url, { headers: { range: 'bytes=999999999-' } }],
    [url, { method: 'DELETE' }],
    [`${PUBLIC_URL}/reads/none`, {}],
  ] as const) {
    const response = await handler(new Request(path, init));
    expect([response.status >= 400, response.headers.get('cache-control')], path).toEqual([true, 'no-store']);
  }
});

test.each<[string, Partial<HtsgetOptions>]>([
  ['by default', { publicBlocks: undefined }],
  ['of a service with permissions', { authorize: () => 'all' }],
  [
    'for a subject',
    { publicBlocks: { seconds: 600, isPublic: () => true }, authorize: () => ({ regions: 'all', subject: 'ann' }) },
  ],
  [
    'of a permission for a region',
    {
      publicBlocks: { seconds: 600, isPublic: () => true },
      authorize: () => ({ regions: [{ referenceName: 'chr1', start: 0, end: 5000 }] }),
    },
  ],
  ['of an object that is not public', { publicBlocks: { seconds: 600, isPublic: ({ id }) => id !== 'reads.bam' } }],
])('only the client keeps a block %s', async (_name, options) => {
  const { handler } = createService(options);
  const headers = await headersOf(handler, await blockUrl(handler), { headers: { origin: 'https://a.example' } });
  expect([headers.get('cache-control'), headers.get('vary')]).toEqual([PRIVATE, 'Origin']);
});

test('only the client keeps a block of a file that a store sends for the headers of its request', async () => {
  const forwarded = { authorization: 'Bearer ann' };
  const file = { ...fixtureFile('reads.bam'), forwarded };
  const handler = fixtureHandler({ publicBlocks: { seconds: 600 }, now: () => HOUR }, { own: [file] });
  const url = await blockUrl(handler, '/reads/own?referenceName=chr1', { headers: forwarded });
  expect((await headersOf(handler, url, { headers: forwarded })).get('cache-control')).toBe(PRIVATE);
});

test('blocks of public objects may be kept although others need a permission', async () => {
  const isPublic = ({ id }: { readonly id: string }): boolean => id === 'reads.bam';
  const { handler } = createService({ publicBlocks: { seconds: 600, isPublic }, authorize: () => 'all' });
  expect((await headersOf(handler, await blockUrl(handler))).get('cache-control')).toBe(publicFor(3600));
});

test('an object that is no longer public is kept no more, also by the URLs of earlier tickets', async () => {
  const names = new Set(['reads.bam']);
  const { handler } = createService({ publicBlocks: { seconds: 600, isPublic: ({ id }) => names.has(id) } });
  const url = await blockUrl(handler);
  names.clear();
  expect((await headersOf(handler, url)).get('cache-control')).toBe(PRIVATE);
});

test('the period must be a positive integer of seconds', () => {
  for (const seconds of [0, 0.5, Number.NaN, -1]) {
    expect(() => createService({ publicBlocks: { seconds } })).toThrow(RangeError);
  }
});
