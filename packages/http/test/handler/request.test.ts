import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { queryParameters, readJsonBody, stripPrefix, toAsciiJson } from '../../src/handler/request.js';

const post = (body: BodyInit | null, contentType = 'application/json') =>
  new Request('http://localhost/', { method: 'POST', body, headers: { 'content-type': contentType } });
const encoded = (coding: string) =>
  new Request('http://localhost/', { method: 'POST', body: '{}', headers: { 'content-encoding': coding } });
const failsWith = (code: string) => expect.objectContaining({ name: 'RequestBodyError', code }) as unknown;

test.each([
  'application/json',
  'Application/JSON; charset=utf-8',
  'application/json;Charset="UTF8"',
  'application/json; charset=us-ascii; q=1',
  'application/vnd.example.v1+json',
  'application/x-www-form-urlencoded',
  'text/plain;charset=UTF-8',
  'no media type',
])('reads a body of %s', async (contentType) => {
  await expect(readJsonBody(post('{"é":1}', contentType), 8)).resolves.toBe('{"é":1}');
});

test('no body is an empty text', async () => {
  await expect(readJsonBody(post(null), 0)).resolves.toBe('');
});

test.each([
  'application/json; charset=utf-16',
  'text/plain;charset="ISO-8859-1"',
  'a/b; x=y; charset = latin1',
  'a/b;charset=',
])('refuses a body of %s', async (contentType) => {
  await expect(readJsonBody(post('{}', contentType), 8)).rejects.toEqual(failsWith('NOT_UTF8'));
});

test.each(['gzip', 'identity, br'])('refuses a body with the content coding "%s"', async (coding) => {
  await expect(readJsonBody(encoded(coding), 8)).rejects.toEqual(failsWith('ENCODED'));
});

test.each(['identity', ''])('reads a body with the content coding "%s"', async (coding) => {
  await expect(readJsonBody(encoded(coding), 8)).resolves.toBe('{}');
});

test('refuses what is not UTF-8', async () => {
  await expect(readJsonBody(post(Uint8Array.of(0x22, 0xff, 0x22)), 8)).rejects.toEqual(failsWith('NOT_UTF8'));
  await expect(readJsonBody(post(Uint8Array.of(0x22, 0xc3)), 8)).rejects.toEqual(failsWith('NOT_UTF8'));
});

test('reads an endless body no further than its bound', async () => {
  let pulled = 0;
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(10).fill(0x20));
      },
      cancel() {
        isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
  await expect(readJsonBody(new Request('http://localhost/', init), 25)).rejects.toEqual(failsWith('TOO_LARGE'));
  expect(pulled).toBe(3);
  expect(isCancelled).toBe(true);
});

test.each([
  ['/htsget/reads/x', '/htsget', '/reads/x'],
  ['/htsget/reads/x', '/htsget/', '/reads/x'],
  ['/htsget', '/htsget', '/'],
  ['/reads/x', undefined, '/reads/x'],
  ['/reads/x', '/', '/reads/x'],
  ['/htsgetter/x', '/htsget', undefined],
  ['/reads/x', '/htsget', undefined],
])('strips from %j the prefix %j: %j', (pathname, prefix, rest) => {
  expect(stripPrefix(pathname, prefix)).toBe(rest);
});

test('escapes what is not ASCII', () => {
  expect(toAsciiJson({ name: 'Universität 🧬' })).toBe('{"name":"Universit\\u00e4t \\ud83e\\uddec"}');
});

test('is ASCII that reads back as the value', () => {
  const value = fc.object({ values: [fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean()] });
  fc.assert(
    fc.property(value, (object) => {
      const text = toAsciiJson(object);
      expect(new TextEncoder().encode(text)).toHaveLength(text.length);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(object)));
    }),
  );
});

test.each([
  'http://localhost/reads/a',
  'http://localhost/reads/a?',
  'http://localhost/reads/a?start=1&start=2&name=a%20b+c',
  'http://localhost/reads/a?a=1?b=2',
  'http://localhost/reads/a?a=1#b?c=2',
  'http://localhost/reads/a#b?c=2',
])('reads the query parameters of %s as URL does', (url) => {
  expect([...queryParameters(new Request(url))]).toEqual([...new URL(url).searchParams]);
});

test('query parameters of any text are those of URLSearchParams, and bytes that are not UTF-8 differ', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }))), (pairs) => {
      const expected = new URLSearchParams(pairs);
      const url = `http://localhost/reads/a?${expected}`;
      const parameters = queryParameters({ url });
      expect([...parameters]).toEqual([...expected]);
      for (const [name] of pairs) {
        expect(parameters.get(name)).toBe(expected.get(name));
        expect(parameters.getAll(name)).toEqual(expected.getAll(name));
        expect(parameters.has(name)).toBe(true);
      }
    }),
  );
  const names = queryParameters({ url: 'http://localhost/?a=c%E9&a=c%e8&a=c%C3%A9&a=c%EF%BF%BD&a=100%' }).getAll('a');
  expect(names).toEqual(['c\udce9', 'c\udce8', 'cé', 'c\ufffd', '100%']);
});
