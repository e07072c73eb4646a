import { RefgetError } from '@htskit/protocol';
import { StorageError } from '@htskit/storage';
import { describe, expect, test } from 'vitest';
import { createCatalogue, type SequenceCatalogue } from '../src/catalogue.js';
import { createRefgetHandler } from '../src/handler.js';
import type { RefgetOptions } from '../src/options.js';
import { textSequence } from './text-sequence.js';

const JSON_TYPE = 'application/vnd.ga4gh.refget.v2.0.0+json; charset=us-ascii';
const TEXT_TYPE = 'text/vnd.ga4gh.refget.v2.0.0+plain; charset=us-ascii';

const LINEAR = textSequence('ACGTNACGTR', {
  aliases: [
    { alias: 'X.1', namingAuthority: 'insdc' },
    { alias: 'twin', namingAuthority: 'insdc' },
  ],
});
const CIRCULAR = textSequence('AACCGGTT', { circular: true, aliases: [{ alias: 'twin', namingAuthority: 'insdc' }] });
const EMPTY = textSequence('');
const { md5, sha512t24u, trunc512 } = LINEAR.metadata;

type Call = (path: string, init?: RequestInit & { readonly base?: string }) => Promise<Response>;

function service(options: Partial<RefgetOptions> = {}): Call {
  const handle = createRefgetHandler({ catalogue: createCatalogue([LINEAR, CIRCULAR, EMPTY]), ...options });
  return (path, init) => handle(new Request(`http://localhost${path}`, init));
}
const get = service();

const accept = (value: string) => ({ headers: { accept: value } });

describe('a whole sequence', () => {
  test('is answered with 200, its bases and its exact length', async () => {
    const response = await get(`/sequence/${md5}`);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toEqual({
      'accept-ranges': 'bytes',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-length': '10',
      'content-type': TEXT_TYPE,
      etag: `"${sha512t24u}"`,
      vary: 'Accept, Origin',
    });
    expect(await response.text()).toBe('ACGTNACGTR');
  });

  test.each([
    md5,
    md5.toUpperCase(),
    `md5:${md5}`,
    `MD5:${md5}`,
    trunc512,
    trunc512.toUpperCase(),
    `trunc512:${trunc512}`,
    sha512t24u,
    `ga4gh:${sha512t24u}`,
    `GA4GH:${sha512t24u}`,
    `std:${sha512t24u}`,
    encodeURIComponent(`ga4gh:${sha512t24u}`),
    'insdc:X.1',
    'INSDC%3aX.1',
    `${md5}/`,
  ])('is found as %s', async (id) => {
    const response = await get(`/sequence/${id}`);
    expect([response.status, await response.text()]).toEqual([200, 'ACGTNACGTR']);
  });

  test('may be empty', async () => {
    const response = await get(`/sequence/${EMPTY.metadata.md5}`);
    expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([200, '0', '']);
    expect(EMPTY.reads).toEqual([]);
  });

  test('is not immutable under a name, which may be given to another one', async () => {
    const response = await get('/sequence/insdc:X.1');
    expect(response.headers.get('cache-control')).toBe('public, no-cache');
  });
});

describe('a part of a sequence', () => {
  test('by start and end is answered with 200', async () => {
    const response = await get(`/sequence/${md5}?start=2&end=5`);
    expect(response.status).toBe(200);
    expect(response.headers.get('accept-ranges')).toBe('none');
    expect(response.headers.get('content-length')).toBe('3');
    expect(response.headers.get('content-range')).toBeNull();
    expect(await response.text()).toBe('GTN');
  });

  test('by Range is answered with 206', async () => {
    const response = await get(`/sequence/${md5}`, { headers: { range: 'bytes=2-4' } });
    expect(response.status).toBe(206);
    expect(response.headers.get('accept-ranges')).toBe('bytes');
    expect(response.headers.get('content-length')).toBe('3');
    expect(response.headers.get('content-range')).toBe('bytes 2-4/10');
    expect(await response.text()).toBe('GTN');
  });

  test('may wrap around the origin of a circular sequence', async () => {
    const response = await get(`/sequence/${CIRCULAR.metadata.md5}?start=5&end=3`);
    expect([response.status, response.headers.get('content-length')]).toEqual([200, '6']);
    expect(await response.text()).toBe('GTTAAC');
  });

  test('may be empty, and is then read from nowhere', async () => {
    const before = LINEAR.reads.length;
    const response = await get(`/sequence/${md5}?start=5&end=5`);
    expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([200, '0', '']);
    expect(LINEAR.reads).toHaveLength(before);
  });

  test.each([
    ['?start=11', {}, 400],
    ['?start=10', {}, 416],
    ['?end=11', {}, 416],
    ['?start=5&end=3', {}, 416],
    ['?start=5&end=3', { circularSupported: false }, 501],
    ['?start=0&end=5', { subsequenceLimit: 4 }, 416],
    ['?start=abc', {}, 400],
    ['?start=-1', {}, 400],
    ['?start=', {}, 400],
    ['?start=1.5', {}, 400],
    ['?start=%2B1', {}, 400],
    ['?end=4294967296', {}, 400],
    ['?start=1&start=2', {}, 400],
  ] satisfies [string, Partial<RefgetOptions>, number][])(
    '%s with %o is answered with %i',
    async (query, options, status) => {
      const response = await service(options)(`/sequence/${md5}${query}`);
      expect(response.status).toBe(status);
      expect(response.headers.get('content-range')).toBeNull();
      expect(await response.json()).toMatchObject({ status });
    },
  );

  test.each([
    ['bytes=10-', {}, 400, 'bytes */10'],
    ['bytes=10-', { rangeOutOfBounds: 416 }, 416, 'bytes */10'],
    ['bytes=5-2', {}, 416, 'bytes */10'],
    ['bytes=0-1,3-4', {}, 400, null],
  ] satisfies [string, Partial<RefgetOptions>, number, string | null][])(
    'Range %s with %o is answered with %i and Content-Range %s',
    async (range, options, status, contentRange) => {
      const response = await service(options)(`/sequence/${md5}`, { headers: { range } });
      expect([response.status, response.headers.get('content-range')]).toEqual([status, contentRange]);
    },
  );

  test('cannot be asked for twice', async () => {
    const response = await get(`/sequence/${md5}?start=0`, { headers: { range: 'bytes=0-1' } });
    expect(response.status).toBe(400);
  });

  test('ignores other parameters', async () => {
    expect(await (await get(`/sequence/${md5}?start=8&x=1`)).text()).toBe('TR');
  });
});

describe('formats', () => {
  test.each([
    ['*/*', TEXT_TYPE],
    ['text/*', TEXT_TYPE],
    ['text/plain', TEXT_TYPE],
    ['text/vnd.ga4gh.refget.v2.0.0+plain; charset=us-ascii', TEXT_TYPE],
    ['text/vnd.ga4gh.refget.v1.0.0+plain', TEXT_TYPE],
    ['text/vnd.std.refget.v2.0.0+plain', 'text/vnd.std.refget.v2.0.0+plain; charset=us-ascii'],
    ['application/json', JSON_TYPE],
    ['application/vnd.std.refget.v2.0.0+json', 'application/vnd.std.refget.v2.0.0+json; charset=us-ascii'],
    ['text/x-fasta', 'text/x-fasta; charset=us-ascii'],
    ['text/plain;q=0.5, application/json', JSON_TYPE],
  ])('a sequence for Accept %s comes as %s', async (value, contentType) => {
    const response = await get(`/sequence/${md5}`, accept(value));
    expect([response.status, response.headers.get('content-type')]).toEqual([200, contentType]);
    expect((await response.arrayBuffer()).byteLength).toBe(Number(response.headers.get('content-length')));
  });

  test('FASTA is named by its digest, and a part by its bases too', async () => {
    const whole = await get(`/sequence/${md5}`, accept('text/x-fasta'));
    expect(await whole.text()).toBe(`>${sha512t24u}\nACGTNACGTR\n`);
    const part = await get(`/sequence/${md5}?start=2&end=5`, accept('text/x-fasta'));
    expect(await part.text()).toBe(`>${sha512t24u}:3-5\nGTN\n`);
  });

  test('a Range counts bases, whatever stands around them', async () => {
    const response = await get(`/sequence/${md5}`, { headers: { accept: 'application/json', range: 'bytes=2-4' } });
    expect([response.status, response.headers.get('content-range')]).toEqual([206, 'bytes 2-4/10']);
    expect(await response.json()).toEqual({ id: `${sha512t24u}:3-5`, sequence: 'GTN' });
  });

  test('every format has an entity tag of its own', async () => {
    const formats = ['text/plain', 'application/json', 'text/x-fasta'];
    const responses = await Promise.all(formats.map((format) => get(`/sequence/${md5}`, accept(format))));
    expect(new Set(responses.map(({ headers }) => headers.get('etag'))).size).toBe(3);
  });

  test.each([
    [`/sequence/${md5}`, 'image/png'],
    [`/sequence/${md5}`, 'text/plain;q=0'],
    [`/sequence/${md5}`, 'text/html, application/xml'],
    [`/sequence/${md5}/metadata`, 'text/plain'],
    ['/sequence/service-info', 'text/plain'],
  ])('%s for Accept %s is answered with 406, naming what there is', async (path, value) => {
    const response = await get(path, accept(value));
    expect([response.status, response.headers.get('content-type')]).toEqual([406, JSON_TYPE]);
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ type: 'Not Acceptable' });
    expect(text).toContain('application/json');
  });
});

describe('metadata', () => {
  test('names every digest, the aliases and the id that was asked for', async () => {
    const response = await get(`/sequence/${md5}/metadata`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, JSON_TYPE]);
    const text = await response.text();
    expect(response.headers.get('content-length')).toBe(String(text.length));
    expect(JSON.parse(text)).toEqual({
      metadata: {
        id: md5,
        md5,
        ga4gh: sha512t24u,
        trunc512,
        length: 10,
        aliases: [
          { alias: 'X.1', naming_authority: 'insdc' },
          { alias: 'twin', naming_authority: 'insdc' },
        ],
        circular: false,
      },
    });
  });

  test('has the authority that Accept names, or else that of the settings, as its key', async () => {
    const named = await get(`/sequence/${md5}/metadata`, accept('application/vnd.std.refget.v2.0.0+json'));
    expect(await named.json()).toMatchObject({ metadata: { std: sha512t24u } });
    const set = await service({ authority: 'std' })(`/sequence/${md5}/metadata`);
    expect(await set.json()).toMatchObject({ metadata: { std: sha512t24u } });
  });

  test('is checked by its entity tag', async () => {
    const path = `/sequence/${md5}/metadata`;
    const etag = (await get(path)).headers.get('etag') ?? '';
    expect((await get(path, { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await get(path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });
});

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

describe('caching', () => {
  test.each([`"${sha512t24u}"`, `"x", W/"${sha512t24u}"`, '*'])(
    'If-None-Match %s is answered with 304, without a read',
    async (value) => {
      const before = LINEAR.reads.length;
      const response = await get(`/sequence/${md5}`, { headers: { 'if-none-match': value } });
      expect([response.status, response.headers.get('etag')]).toEqual([304, `"${sha512t24u}"`]);
      expect(response.headers.get('cache-control')).toContain('immutable');
      expect(await response.text()).toBe('');
      expect(LINEAR.reads).toHaveLength(before);
    },
  );

  test('an error is no 304', async () => {
    const response = await get(`/sequence/${md5}?start=99`, { headers: { 'if-none-match': '*' } });
    expect(response.status).toBe(400);
  });

  test.each([
    [`"${sha512t24u}"`, 206],
    ['"other"', 200],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 200],
  ])('If-Range %s with a Range is answered with %i', async (value, status) => {
    const response = await get(`/sequence/${md5}`, { headers: { 'if-range': value, range: 'bytes=0-1' } });
    expect(response.status).toBe(status);
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
