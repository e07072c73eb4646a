import { once } from 'node:events';
import { deferred } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { awaitResponse, exchange, type MountedServer, PREFIX, readAll, readSocket, start } from './mounted-server.js';

type Server = () => MountedServer;

const BYTES = Uint8Array.from({ length: 300_000 }, (_, index) => (index * 31) % 251);
const JSON_TYPE = { 'content-type': 'application/json' };

/** Registers the tests of request bodies. */
export function bodyTests(server: Server): void {
  describe('bodies of requests', () => {
    wholeBodyTests(server);
    typeTests(server);
    streamTests(server);
    unreadTests(server);
    interruptionTest(server);
  });
}

function wholeBodyTests(server: Server): void {
  test('JSON arrives as it was sent', async () => {
    // The number would change if it were parsed and serialised.
    const text = '{ "start": 9223372036854775807 }';
    server().handler = async (request) => new Response(await request.text());
    const { body } = await exchange(server(), { method: 'POST', headers: JSON_TYPE, body: text });
    expect(body.toString()).toBe(text);
  });

  test.each([
    ['with a length', BYTES],
    ['in chunks', [BYTES.subarray(0, 1), BYTES.subarray(1, 200_000), BYTES.subarray(200_000)]],
  ])('bytes that are sent %s arrive', async (_, body) => {
    server().handler = async (request) => new Response(await request.arrayBuffer());
    const received = await exchange(server(), { method: 'POST', body });
    expect(received.body.equals(BYTES)).toBe(true);
  });

  test.each([
    [{}],
    [JSON_TYPE],
    [{ 'content-length': '0' }],
    [{ 'transfer-encoding': 'chunked' }],
    [{ ...JSON_TYPE, 'transfer-encoding': 'chunked' }],
  ])('no body under %o is an empty body', async (headers: Record<string, string>) => {
    server().handler = async (request) => new Response(`[${await request.text()}]`);
    const { body } = await exchange(server(), { method: 'POST', headers });
    expect(body.toString()).toBe('[]');
  });
}

function typeTests(server: Server): void {
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'x-unknown/type',
  ];

  test.each(types)('a body of type %s arrives unread', async (type) => {
    server().handler = async (request) => new Response(await request.text());
    const { body } = await exchange(server(), { method: 'POST', headers: { 'content-type': type }, body: 'a=1&b' });
    expect(body.toString()).toBe('a=1&b');
  });
}

function streamTests(server: Server): void {
  test('a body is read while it arrives', async () => {
    const isHalfRead = deferred();
    server().handler = async ({ body }) => {
      let text = '';
      for await (const chunk of body ?? []) {
        text += Buffer.from(chunk).toString();
        isHalfRead.resolve();
      }
      return new Response(text);
    };
    const outgoing = start(server(), { method: 'POST' });
    outgoing.write('first ');
    await isHalfRead.promise;
    outgoing.end('second');
    expect((await readAll(await awaitResponse(outgoing))).toString()).toBe('first second');
  });

  test('a client that expects a 100 gets one', async () => {
    server().handler = async (request) => new Response(await request.text());
    const headers = { expect: '100-continue', 'content-length': '2' };
    const outgoing = start(server(), { method: 'POST', headers });
    outgoing.flushHeaders();
    await once(outgoing, 'continue');
    outgoing.end('ok');
    expect((await readAll(await awaitResponse(outgoing))).toString()).toBe('ok');
  });
}

function unreadTests(server: Server): void {
  test('a handler that cancels a body answers before its end', async () => {
    server().handler = async ({ body }) => {
      const reader = body?.getReader();
      await reader?.read();
      await reader?.cancel();
      return new Response('too large', { status: 413 });
    };
    const headers = { 'content-length': '1000000', connection: 'keep-alive' };
    const outgoing = start(server(), { method: 'POST', headers });
    outgoing.write(new Uint8Array(500_000));
    const response = await awaitResponse(outgoing);
    expect(response.statusCode).toBe(413);
    outgoing.end(new Uint8Array(500_000));
    expect((await readAll(response)).toString()).toBe('too large');
  });

  test.each([
    ['was not read', async () => {}],
    ['was read in part', async ({ body }: Request) => void (await body?.getReader().read())],
    ['was cancelled', ({ body }: Request) => body?.cancel()],
    // Hono's server waits 500 ms for the end of a body, which can be too short on a busy machine.
  ])('a body that %s does not block the next request', { retry: 2 }, async (_, read) => {
    server().handler = async (request) => {
      await read(request);
      return new Response(request.method, { headers: { 'content-length': String(request.method.length) } });
    };
    const socket = await server().connect();
    socket.write(`POST ${PREFIX}/ HTTP/1.1\r\nHost: x\r\nContent-Length: ${BYTES.length}\r\n\r\n`);
    socket.write(BYTES);
    socket.write(`GET ${PREFIX}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect((await readSocket(socket)).match(/(?:POST|GET)(?=HTTP|$)/g)).toEqual(['POST', 'GET']);
  });
}

function interruptionTest(server: Server): void {
  test('reading a body fails when the client disconnects', async () => {
    const isReading = deferred();
    const failure = deferred<unknown>();
    server().handler = async ({ body }) => {
      try {
        for await (const _ of body ?? []) isReading.resolve();
        failure.resolve('no failure');
      } catch (error) {
        failure.resolve(error);
      }
      return new Response(null);
    };
    const outgoing = start(server(), { method: 'POST', headers: { 'content-length': '1000' } });
    outgoing.on('error', () => {});
    outgoing.write('begin');
    await isReading.promise;
    outgoing.destroy();
    expect(await failure.promise).toBeInstanceOf(Error);
  });
}
