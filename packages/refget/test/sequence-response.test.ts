import { describe, expect, test } from 'vitest';
import type { RefgetOptions } from '../src/options.js';
import { accept, CIRCULAR, EMPTY, JSON_TYPE, LINEAR, service, TEXT_TYPE } from './sequence-service.js';

const get = service();
const { md5, sha512t24u, trunc512 } = LINEAR.metadata;

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
