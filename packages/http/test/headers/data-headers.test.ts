import { expect, onTestFinished, test, vi } from 'vitest';
import { DATA_HEADERS, withDataHeaders } from '../../src/headers/data-headers.js';

const ORIGIN = 'https://igv.org';

test('lets browsers neither guess a media type nor run a script', () => {
  expect(DATA_HEADERS).toEqual({ 'x-content-type-options': 'nosniff', 'content-security-policy': 'sandbox' });
});

const present = { vary: 'Accept', 'access-control-allow-origin': 'https://other.example', etag: '"1"' };

test.each([
  ['a record', present],
  ['Headers', new Headers(present)],
])('replaces the headers of %s, and extends Vary', (_, headers) => {
  const request = { headers: new Headers({ origin: ORIGIN }) };
  const response = withDataHeaders({ status: 200, headers, body: null }, request);
  expect(Object.fromEntries(new Headers(response.headers))).toEqual({
    vary: 'Accept, Origin',
    etag: '"1"',
    'access-control-allow-origin': ORIGIN,
    'access-control-expose-headers': expect.any(String) as string,
    ...DATA_HEADERS,
  });
});

test('replaces Headers of another class than the global one', () => {
  const headers = new Headers(present);
  vi.stubGlobal('Headers', class extends Headers {});
  onTestFinished(() => void vi.unstubAllGlobals());
  const request = { headers: new Headers({ origin: ORIGIN }) };
  const response = withDataHeaders({ status: 200, headers, body: null }, request);
  expect(response.headers).toBe(headers);
  expect([headers.get('vary'), headers.get('etag')]).toEqual(['Accept, Origin', '"1"']);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
});

test('adds Vary to a record without it', () => {
  const response = withDataHeaders({ status: 200, headers: {}, body: null }, { headers: new Headers() });
  expect(response.headers).toEqual({ vary: 'Origin', ...DATA_HEADERS });
});
