import { createServer, type RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import express, { type Response as AnyResponse, type RequestHandler } from 'express';
import express4 from 'express-4';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { type Handler, toExpress } from '../src/express.js';
import { adapterContract } from './contract/adapter-contract.js';
import { listen } from './listen.js';

const VERSIONS: ReadonlyArray<readonly [string, typeof express]> = [
  ['Express 5', express],
  ['Express 4', express4 as unknown as typeof express],
];
const TEXT = '{ "start": 1, "name": "é" }';
const JSON_TYPE = { 'content-type': 'application/json' };

const echo: Handler = async (request) => {
  const headers = { 'x-length': request.headers.get('content-length') ?? 'none' };
  return new Response(await request.text(), { headers });
};

// Express prints unhandled errors.
const print = vi.spyOn(console, 'error').mockImplementation(() => {});
afterAll(() => print.mockRestore());

for (const [name, version] of VERSIONS) {
  adapterContract(name, (handler, prefix) => {
    // Outside of production, Express shows stack traces to clients.
    const app = version().set('env', 'production');
    return createServer(app.use(prefix || '/', toExpress(handler)) as RequestListener);
  });
}

test('fits the types of Express 4', () => {
  expect(express4().use('/prefix', toExpress(echo))).toBeTypeOf('function');
});

describe.each(VERSIONS)('after a body parser of %s', (_, version) => {
  async function post(parser: RequestHandler, init: RequestInit): Promise<Response> {
    const app = version().use(parser).use('/prefix', toExpress(echo));
    app.use((error: { code?: string }, _request: unknown, response: AnyResponse, _next: unknown) => {
      response.status(500).send(error.code);
    });
    return fetch(`http://127.0.0.1:${await listen(app as RequestListener)}/prefix/a`, { method: 'POST', ...init });
  }

  test.each([
    ['raw', version.raw({ type: '*/*' }), TEXT],
    ['text', version.text({ type: '*/*' }), TEXT],
    ['JSON', version.json(), JSON.stringify(JSON.parse(TEXT))],
  ])('a %s body is restored', async (_, parser, expected) => {
    const response = await post(parser, { body: TEXT, headers: JSON_TYPE });
    expect(await response.text()).toBe(expected);
    expect(response.headers.get('x-length')).toBe(String(Buffer.byteLength(expected)));
  });

  test('a compressed body arrives uncompressed', async () => {
    const headers = { ...JSON_TYPE, 'content-encoding': 'gzip' };
    const response = await post(version.json(), { body: gzipSync(TEXT), headers });
    expect(await response.json()).toEqual(JSON.parse(TEXT));
  });

  test('a body is exact if the parser keeps its bytes as rawBody', async () => {
    const parser = version.json({
      verify(request, _response, bytes) {
        Object.assign(request, { rawBody: bytes });
      },
    });
    expect(await (await post(parser, { body: TEXT, headers: JSON_TYPE })).text()).toBe(TEXT);
  });

  test.each(['text/plain', 'application/octet-stream'])('a body of type %s, unparsed, is untouched', async (type) => {
    const response = await post(version.json(), { body: TEXT, headers: { 'content-type': type } });
    expect(await response.text()).toBe(TEXT);
  });

  test('an empty JSON body stays empty', async () => {
    expect(await (await post(version.json(), { body: '', headers: JSON_TYPE })).text()).toBe('');
  });

  test('a form, which cannot be restored, is an error', async () => {
    const response = await post(version.urlencoded({ extended: true }), { body: new URLSearchParams('a=1') });
    expect([response.status, await response.text()]).toEqual([500, 'BODY_CONSUMED']);
  });
});

describe.each(VERSIONS)('in an application of %s', (_, version) => {
  test('an error that the handler throws is passed to the error handlers', async () => {
    const error = new Error('of the handler');
    const app = version().use(
      '/prefix',
      toExpress(() => Promise.reject(error)),
    );
    const onError = vi.fn<(error: unknown) => void>();
    app.use((thrown: unknown, _request: unknown, response: AnyResponse, _next: unknown) => {
      onError(thrown);
      response.sendStatus(418);
    });
    const port = await listen(app as RequestListener);
    expect((await fetch(`http://127.0.0.1:${port}/prefix`)).status).toBe(418);
    expect(onError).toHaveBeenCalledExactlyOnceWith(error);
  });

  test('next is not called for paths that are unknown to the handler', async () => {
    const beyond = vi.fn<() => void>();
    const notFound = toExpress(() => new Response('unknown', { status: 404 }));
    const app = version().use('/prefix', notFound).use(beyond);
    const port = await listen(app as RequestListener);
    expect(await (await fetch(`http://127.0.0.1:${port}/prefix/a`)).text()).toBe('unknown');
    expect(beyond).not.toHaveBeenCalled();
  });

  test('a router with parameters may lead to the handler', async () => {
    const url: Handler = (request) => new Response(request.url);
    const router = version.Router().use('/inner', toExpress(url));
    const port = await listen(version().use('/:tenant/outer', router) as RequestListener);
    const response = await fetch(`http://127.0.0.1:${port}/a%2Fb/outer/inner/c%2Fd?e=%2F`);
    expect(await response.text()).toBe('http://localhost/c%2Fd?e=%2F');
  });
});

test('a target without a path is answered with 400', async () => {
  const listener = toExpress(echo);
  const port = await listen((incoming, outgoing) => {
    incoming.url = '*';
    listener(incoming, outgoing, () => {});
  });
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(400);
});
