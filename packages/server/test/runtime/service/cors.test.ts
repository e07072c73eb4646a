import { expect, test } from 'vitest';
import { originHeaders, withOrigins } from '../../../src/runtime/service/cors.js';

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
  const headers = origin === undefined ? {} : { origin };
  const response = await withOrigins(answer, origins)(new Request('http://a.example/', { headers }));
  return [...response.headers.keys()].filter((name) => name !== 'content-type');
}

test('allows only scripts of the configured origins to read responses', async () => {
  const all = ['access-control-allow-origin', 'access-control-max-age', 'etag', 'vary'];
  expect(await headersFor('*', 'https://b.example')).toEqual(all);
  expect(await headersFor(['https://a.example'], 'https://a.example')).toEqual(all);
  expect(await headersFor(['https://a.example'], 'https://b.example')).toEqual(['etag', 'vary']);
  expect(await headersFor([], 'null')).toEqual(['etag', 'vary']);
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
