import { deferred } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { exchange, type MountedServer, PREFIX, readSocket } from './mounted-server.js';

type Server = () => MountedServer;

const JSON_TYPE = { 'content-type': 'application/json' };

/** Registers the tests of methods, statuses, headers and errors of the handler. */
export function messageTests(server: Server): void {
  describe('messages', () => {
    getTests(server);
    headTests(server);
    statusTests(server);
    headerTests(server);
    versionTests(server);
    concurrencyTests(server);
  });
  describe('errors of the handler', () => {
    errorTests(server);
  });
}

function getTests(server: Server): void {
  test('a GET is answered with status, headers, exact length and body', async () => {
    const text = JSON.stringify({ name: 'é' });
    const length = String(Buffer.byteLength(text));
    server().handler = () => new Response(text, { status: 201, headers: { ...JSON_TYPE, 'content-length': length } });
    const { status, headers, body } = await exchange(server());
    expect(status).toBe(201);
    expect(headers).toMatchObject({ ...JSON_TYPE, 'content-length': length });
    expect(headers).not.toHaveProperty('transfer-encoding');
    expect(body.toString()).toBe(text);
  });

  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s reaches the handler', async (method) => {
    server().handler = (request) => new Response(request.method);
    expect((await exchange(server(), { method })).body.toString()).toBe(method);
  });
}

function headTests(server: Server): void {
  test('a HEAD is answered with the headers of the GET, and its body is cancelled', async () => {
    const isCancelled = deferred();
    server().handler = () => {
      const body = new ReadableStream({ cancel: () => isCancelled.resolve() });
      return new Response(body, { headers: { 'content-length': '1234567' } });
    };
    const { status, headers, body } = await exchange(server(), { method: 'HEAD' });
    expect(status).toBe(200);
    expect(headers['content-length']).toBe('1234567');
    expect(body).toHaveLength(0);
    await isCancelled.promise;
  });

  test('a HEAD reaches the handler as HEAD and may be answered without a body', async () => {
    server().handler = ({ method }) => new Response(null, { headers: { 'content-length': '7', 'x-method': method } });
    const { headers } = await exchange(server(), { method: 'HEAD' });
    expect(headers).toMatchObject({ 'content-length': '7', 'x-method': 'HEAD' });
  });
}

function statusTests(server: Server): void {
  test.each([204, 304])('a %i goes out without a body', async (status) => {
    server().handler = () => new Response(null, { status, headers: { etag: '"1"' } });
    const received = await exchange(server());
    expect(received.status).toBe(status);
    expect(received.headers['etag']).toBe('"1"');
    expect(received.headers).not.toHaveProperty('content-length');
    expect(received.headers).not.toHaveProperty('transfer-encoding');
    expect(received.body).toHaveLength(0);
  });

  test.each([206, 400, 401, 404, 405, 416, 500, 503])('a %i keeps its body', async (status) => {
    server().handler = () => new Response('because', { status });
    const received = await exchange(server());
    expect([received.status, received.body.toString()]).toEqual([status, 'because']);
  });
}

function headerTests(server: Server): void {
  test('the handler sees the headers of the request, with repeated ones joined', async () => {
    server().handler = (request) => Response.json(Object.fromEntries(request.headers));
    const headers = { Accept: ['text/plain', 'application/json;q=0.5'], 'X-Latin': 'a é' };
    const { body } = await exchange(server(), { headers });
    const expected = { accept: 'text/plain, application/json;q=0.5', 'x-latin': 'a é' };
    expect(JSON.parse(body.toString())).toMatchObject(expected);
  });

  test('several Set-Cookie headers stay separate', async () => {
    server().handler = () => {
      const headers = new Headers({ vary: 'Origin' });
      headers.append('set-cookie', 'a=1, 2');
      headers.append('set-cookie', 'b=3');
      return new Response(null, { headers });
    };
    const { headers } = await exchange(server());
    expect(headers).toMatchObject({ vary: 'Origin', 'set-cookie': ['a=1, 2', 'b=3'] });
  });

  test('the handler never sees a host that the client chose', async () => {
    server().handler = ({ url }) => new Response(new URL(url).host);
    const { body } = await exchange(server(), { headers: { host: 'evil.example' } });
    expect(body.toString()).toBe('localhost');
  });
}

function versionTests(server: Server): void {
  test('an absolute-form target is accepted', async () => {
    server().handler = ({ url }) => new Response(url);
    const socket = await server().connect();
    const target = `http://evil.example${PREFIX}/a?b=%2F`;
    socket.write(`GET ${target} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`);
    expect(await readSocket(socket)).toContain('http://localhost/a?b=%2F');
  });

  test('HTTP/1.0 is answered without chunks', async () => {
    server().handler = () => new Response('whole');
    const socket = await server().connect();
    socket.write(`GET ${PREFIX}/ HTTP/1.0\r\nHost: x\r\n\r\n`);
    const response = await readSocket(socket);
    expect(response).toMatch(/\r\n\r\nwhole$/);
    expect(response).not.toMatch(/transfer-encoding/i);
  });
}

function concurrencyTests(server: Server): void {
  test('concurrent exchanges do not affect each other', async () => {
    const paths = Array.from({ length: 40 }, (_, index) => `/${index}`);
    const arrivals: Array<() => void> = [];
    server().handler = async ({ url }) => {
      await new Promise<void>((resolve) => {
        arrivals.push(resolve);
        // The last to arrive is answered first.
        if (arrivals.length === paths.length) for (const release of arrivals.reverse()) release();
      });
      return new Response(new URL(url).pathname);
    };
    const received = await Promise.all(paths.map((path) => exchange(server(), { path })));
    expect(received.map(({ body }) => body.toString())).toEqual(paths);
  });

  test('the signal of a successful exchange is not aborted', async () => {
    const signals: AbortSignal[] = [];
    server().handler = ({ signal }) => {
      signals.push(signal);
      return new Response('done');
    };
    await exchange(server());
    await exchange(server());
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
  });
}

function errorTests(server: Server): void {
  function fail(): never {
    throw new Error('of the handler');
  }

  test.each([
    ['throws', fail],
    ['rejects', async () => fail()],
  ])('if the handler %s, the response is a 500 without a stack trace and the server survives', async (_, handler) => {
    server().handler = handler;
    const { status, body } = await exchange(server());
    expect(status).toBe(500);
    expect(body.toString()).not.toMatch(/:\d+:\d+|node_modules/);
    server().handler = () => new Response('alive');
    expect((await exchange(server())).body.toString()).toBe('alive');
  });

  test('the response is a 500 even if the body of the request was not read', async () => {
    server().handler = fail;
    const headers = { connection: 'keep-alive' };
    const { status } = await exchange(server(), { method: 'POST', headers, body: new Uint8Array(1_000_000) });
    expect(status).toBe(500);
  });
}
