import { RefgetError } from '@htskit/protocol';
import { StorageError } from '@htskit/storage';
import { describe, expect, test } from 'vitest';
import type { SequenceCatalogue } from '../src/catalogue.js';
import { accept, CIRCULAR, JSON_TYPE, LINEAR, service } from './sequence-service.js';

const get = service();
const { md5, sha512t24u, trunc512 } = LINEAR.metadata;

describe('service-info', () => {
  test.each(['/sequence/service-info', '/sequence/service-info/'])('%s describes the service', async (path) => {
    const response = await service({ subsequenceLimit: 400, serviceInfo: { name: 'mine' } })(path);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, JSON_TYPE]);
    expect(await response.json()).toMatchObject({
      name: 'mine',
      type: { group: 'org.ga4gh', artifact: 'refget', version: '2.0.0' },
      refget: {
        circular_supported: true,
        subsequence_limit: 400,
        algorithms: ['md5', 'ga4gh', 'trunc512'],
        identifier_types: ['insdc'],
      },
    });
  });

  test('is not shadowed by a catalogue that knows every id', async () => {
    const catalogue: SequenceCatalogue = { find: () => [LINEAR] };
    const response = await service({ catalogue })('/sequence/service-info');
    expect(await response.json()).toMatchObject({ type: { artifact: 'refget' } });
  });
});

describe('an identifier of several sequences', () => {
  test('is answered with 300 and their digests', async () => {
    const response = await get('/sequence/insdc:twin');
    expect([response.status, response.headers.get('content-type')]).toEqual([300, JSON_TYPE]);
    expect(await response.json()).toEqual([
      `ga4gh:${LINEAR.metadata.sha512t24u}`,
      `ga4gh:${CIRCULAR.metadata.sha512t24u}`,
    ]);
  });

  test('is answered with 409 by setting', async () => {
    const response = await service({ ambiguousIdentifier: 409 })('/sequence/insdc:twin/metadata');
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({ type: 'Conflict' });
  });
});

describe('methods', () => {
  test.each([
    [`/sequence/${md5}`, {}],
    [`/sequence/${md5}?start=2&end=5`, {}],
    [`/sequence/${md5}`, { range: 'bytes=2-4' }],
    [`/sequence/${md5}`, { accept: 'text/x-fasta' }],
    [`/sequence/${md5}/metadata`, {}],
    ['/sequence/service-info', {}],
    ['/sequence/unknown', {}],
    [`/sequence/${md5}?start=99`, {}],
  ] satisfies [string, Record<string, string>][])('HEAD %s %o is GET without the body', async (path, headers) => {
    const expected = await get(path, { headers });
    const before = LINEAR.reads.length;
    const response = await get(path, { headers, method: 'HEAD' });
    expect(response.status).toBe(expected.status);
    expect(Object.fromEntries(response.headers)).toEqual(Object.fromEntries(expected.headers));
    expect(response.body).toBeNull();
    expect(LINEAR.reads).toHaveLength(before);
    await expected.body?.cancel();
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH'])('%s is answered with 405 and Allow', async (method) => {
    const response = await get(`/sequence/${md5}`, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect(await response.json()).toMatchObject({ status: 405 });
  });

  test('OPTIONS allows any origin and any header', async () => {
    const response = await get(`/sequence/${md5}`, {
      method: 'OPTIONS',
      headers: { origin: 'http://browser.example', 'access-control-request-headers': 'range, authorization' },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('http://browser.example');
    expect(response.headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS');
    expect(response.headers.get('access-control-allow-headers')).toBe('range, authorization');
  });

  test.each([`/sequence/${md5}`, '/sequence/unknown', '/nowhere', '/sequence/service-info'])(
    '%s is open to scripts of any origin',
    async (path) => {
      const response = await get(path, { headers: { origin: 'http://browser.example' } });
      expect(response.headers.get('access-control-allow-origin')).toBe('http://browser.example');
      expect(response.headers.get('access-control-expose-headers')).toContain('Content-Range');
      expect(response.headers.get('vary')).toContain('Origin');
    },
  );
});

describe('errors', () => {
  test.each([
    '/',
    '/sequence/',
    `/sequence/${md5}/other`,
    '/sequence/unknown',
    '/sequence/%ff',
    `/sequence/${'0'.repeat(32)}`,
    `/sequence/${sha512t24u.toLowerCase()}`,
    `/sequence/md5:${trunc512}`,
    '/sequence/insdc:unknown',
    '/sequence/service-info/metadata',
  ])('%s is answered with 404', async (path) => {
    const response = await get(path);
    expect([response.status, response.headers.get('content-type')]).toEqual([404, JSON_TYPE]);
    const text = await response.text();
    expect(response.headers.get('content-length')).toBe(String(text.length));
    expect(JSON.parse(text)).toMatchObject({ status: 404, type: 'Not Found' });
    expect(JSON.parse(text)).toHaveProperty('message');
  });

  test('come in the order 401, 404, 406, 400, 416', async () => {
    let isAuthorized = false;
    const call = service({
      authorize() {
        if (!isAuthorized) throw new RefgetError('Unauthorized', 'no token');
      },
    });
    const png = accept('image/png');
    const unauthorized = await call('/sequence/unknown?start=x', png);
    expect([unauthorized.status, unauthorized.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    isAuthorized = true;
    expect((await call('/sequence/unknown?start=x', png)).status).toBe(404);
    expect((await call(`/sequence/${md5}?start=x`, png)).status).toBe(406);
    expect((await call(`/sequence/${md5}?start=x&end=99`)).status).toBe(400);
    expect((await call(`/sequence/${md5}?end=99`)).status).toBe(416);
  });

  test('answers that need a token are not for shared caches, and service-info needs none', async () => {
    const call = service({
      authorize(request) {
        if (request.headers.get('authorization') === null) throw new RefgetError('Unauthorized', 'no token');
      },
    });
    const response = await call(`/sequence/${md5}`, { headers: { authorization: 'Bearer x' } });
    expect(response.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
    expect((await call('/sequence/service-info')).status).toBe(200);
  });

  test.each([
    [new Error('secret'), 500, null],
    [new StorageError('UNAVAILABLE', 'secret', { key: 'secret', transient: true }), 503, '5'],
  ])('%s of the catalogue is answered with %i and reported', async (failure, status, retryAfter) => {
    const reported: unknown[] = [];
    const call = service({
      catalogue: { find: () => Promise.reject(failure) },
      onError: (error) => reported.push(error),
    });
    const response = await call(`/sequence/${md5}`);
    expect([response.status, response.headers.get('retry-after')]).toEqual([status, retryAfter]);
    expect(await response.text()).not.toContain('secret');
    expect(reported).toEqual([failure]);
  });

  test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('a limit of %d is refused', (subsequenceLimit) => {
    expect(() => service({ subsequenceLimit })).toThrow(RangeError);
  });
});
