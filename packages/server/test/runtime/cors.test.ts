import { expect, onTestFinished, test, vi } from 'vitest';
import { originHeaders, withOrigins } from '../../src/runtime/cors.js';
import { routeOf } from '../../src/runtime/request-route.js';

const answer = (): Response =>
  new Response('x', {
    headers: {
      'Access-Control-Allow-Origin': 'https://a.example',
      'Access-Control-Max-Age': '1',
      Vary: 'Origin',
      ETag: '"1"',
    },
  });

async function headersFor(origins: '*' | string[], origin?: string): Promise<string[]> {
  const headers: Record<string, string> = origin === undefined ? {} : { origin };
  const response = await withOrigins(answer, origins)(new Request('http://a.example/', { headers }), routeOf('/'));
  return [...new Headers(response.headers).keys()].filter((name) => name !== 'content-type');
}

test('allows only scripts of the configured origins to read responses', async () => {
  const all = ['access-control-allow-origin', 'access-control-max-age', 'etag', 'vary'];
  expect(await headersFor('*', 'https://b.example')).toEqual(all);
  expect(await headersFor(['https://a.example'], 'https://a.example')).toEqual(all);
  expect(await headersFor(['https://a.example'], 'https://b.example')).toEqual(['etag', 'vary']);
  expect(await headersFor([], 'null')).toEqual(['etag', 'vary']);
});

test('keeps each cookie, and Headers of another class than the global one, in a response to another origin', async () => {
  const headers = new Headers([
    ['access-control-allow-origin', 'https://a.example'],
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
  ]);
  vi.stubGlobal('Headers', class extends Headers {});
  onTestFinished(() => void vi.unstubAllGlobals());
  const request = new Request('http://a.example/', { headers: { origin: 'https://b.example' } });
  const response = await withOrigins(() => ({ status: 200, headers, body: null }), [])(request, routeOf('/'));
  expect([...(response.headers as Headers)]).toEqual([
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
  ]);
});

test.each([
  ['https://a.example', { 'access-control-allow-origin': 'https://a.example', vary: 'Origin' }],
  ['https://b.example', { vary: 'Origin' }],
  [undefined, { vary: 'Origin' }],
])('a response for every origin varies if only some may read it, for a request of %s', async (origin, expected) => {
  const open = { status: 200, headers: { 'access-control-allow-origin': '*' }, body: null };
  const request = new Request('http://a.example/', { headers: origin === undefined ? {} : { origin } });
  const response = await withOrigins(async () => open, ['https://a.example'])(request, routeOf('/'));
  expect(Object.fromEntries(new Headers(response.headers))).toEqual(expected);
  expect(await withOrigins(async () => open, '*')(request, routeOf('/'))).toBe(open);
});

test('keeps the CORS headers for a request without an origin', async () => {
  expect(await headersFor([])).toHaveLength(4);
});

test.each([
  ['https://a.example', '*', 'https://a.example'],
  ['https://a.example', ['https://a.example'], 'https://a.example'],
  ['https://b.example', ['https://a.example'], undefined],
  [undefined, '*', undefined],
] as const)('a response to %s with origins %s allows %s', (origin, origins, told) => {
  const headers = originHeaders(origin, origins);
  expect([headers['Access-Control-Allow-Origin'], headers['Vary']]).toEqual([told, 'Origin']);
});
