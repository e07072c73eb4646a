import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { type Handler, toHono } from '../src/hono.js';
import { adapterContract } from './contract/adapter-contract.js';

// Hono prints unhandled errors.
const print = vi.spyOn(console, 'error').mockImplementation(() => {});
afterAll(() => print.mockRestore());

adapterContract('Hono', (handler, prefix) => {
  const app = new Hono().all(`${prefix}/*`, toHono(handler));
  return createAdaptorServer({ fetch: app.fetch }) as Server;
});

const url: Handler = (request) => new Response(request.url);

describe('the mount point', () => {
  test.each([
    ['a route', new Hono().all('/a/b/*', toHono(url))],
    ['middleware', new Hono().use('/a/b/*', toHono(url))],
    ['a base path', new Hono().basePath('/a').all('/b/*', toHono(url))],
    ['a parameter', new Hono().all('/:tenant/b/*', toHono(url))],
    ['a nested application', new Hono().route('/a', new Hono().all('/b/*', toHono(url)))],
    ['a mounted application', new Hono().mount('/a', new Hono().all('/b/*', toHono(url)).fetch)],
  ])('is that of %s', async (_, app) => {
    const response = await app.request('http://host.example/a/b/c%2Fd?e=%2F');
    expect(await response.text()).toBe('http://localhost/c%2Fd?e=%2F');
  });

  test('without a wildcard is the root', async () => {
    const app = new Hono().all('/a/b', toHono(url));
    expect(await (await app.request('/a/b?c')).text()).toBe('http://localhost/?c');
  });

  test('is found after other middleware', async () => {
    const app = new Hono()
      .use('*', (_, next) => next())
      .use('/a/*', (_, next) => next())
      .all('/a/b/*', toHono(url));
    expect(await (await app.request('/a/b/c')).text()).toBe('http://localhost/c');
  });
});

describe('in an application', () => {
  test('the request keeps its method, headers, body and signal', async () => {
    const { signal } = new AbortController();
    const handler: Handler = async (request) => {
      const copy = request.clone();
      expect(copy.url).toBe('http://localhost/b');
      const { method, headers } = request;
      return Response.json([
        method,
        headers.get('x-a'),
        await request.text(),
        await copy.text(),
        request.signal.aborted,
      ]);
    };
    const init = { method: 'POST', headers: { 'x-a': 'y' }, body: 'text', signal };
    const response = await new Hono().all('/a/*', toHono(handler)).request('/a/b', init);
    expect(await response.json()).toEqual(['POST', 'y', 'text', 'text', false]);
  });

  test('an error that the handler throws is passed to onError', async () => {
    const error = new Error('of the handler');
    const app = new Hono().all(
      '/*',
      toHono(() => Promise.reject(error)),
    );
    app.onError((thrown, c) => c.text(thrown === error ? 'that' : 'another', 418));
    const response = await app.request('/');
    expect([response.status, await response.text()]).toEqual([418, 'that']);
  });

  test.each([
    ['a string', 'body'],
    ['bytes', new TextEncoder().encode('body')],
  ])('a plain response with %s is answered', async (_, body) => {
    const headers = new Headers({ 'content-type': 'x/y' });
    const app = new Hono().all(
      '/*',
      toHono(() => ({ status: 203, headers, body })),
    );
    const response = await app.request('/');
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      203,
      'x/y',
      'body',
    ]);
  });
});
