import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { IncomingBody } from '../src/exchange.js';
import { type Handler, toNodeListener } from '../src/node.js';
import { listen } from './listen.js';

let handler: Handler = () => new Response(null);
const server = createServer(toNodeListener((request) => handler(request)));

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
});

/** Sends a request and returns the result of `look` for the `Request` that the handler receives. */
async function inspect<T>(look: (request: Request) => T | Promise<T>, init: RequestInit = {}): Promise<T> {
  const { port } = server.address() as AddressInfo;
  let seen: T | undefined;
  handler = async (request) => {
    seen = await look(request);
    return new Response(null);
  };
  const response = await fetch(`http://127.0.0.1:${port}/a?b=c`, init);
  expect(response.status).toBe(200);
  return seen as T;
}

const POST = { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } };

describe('the request that a handler receives', () => {
  test('is a Request', async () => {
    expect(await inspect((incoming) => incoming instanceof Request)).toBe(true);
  });

  test('has the rarely used properties of a native request', async () => {
    const { port } = server.address() as AddressInfo;
    const native = new Request(`http://127.0.0.1:${port}/a?b=c`);
    const keys = ['cache', 'credentials', 'destination', 'integrity', 'keepalive', 'mode', 'redirect'] as const;
    const seen = await inspect((request) => keys.map((key) => request[key]));
    expect(seen).toEqual(keys.map((key) => native[key]));
  });

  test('has no body in a GET', async () => {
    expect(await inspect(async (request) => [request.body, request.bodyUsed, await request.text()])).toEqual([
      null,
      false,
      '',
    ]);
  });

  test.each([
    ['json', (request: Request) => request.json(), { a: 1 }],
    ['text', (request: Request) => request.text(), '{"a":1}'],
    ['arrayBuffer', async (request: Request) => Buffer.from(await request.arrayBuffer()).toString(), '{"a":1}'],
    ['blob', async (request: Request) => (await request.blob()).type, 'application/json'],
  ])('reads its body by %s', async (_, read, expected) => {
    expect(await inspect<unknown>(read, POST)).toEqual(expected);
  });

  test('reads a form', async () => {
    const form = await inspect((request) => request.formData(), { method: 'POST', body: new URLSearchParams('a=1') });
    expect(form.get('a')).toBe('1');
  });

  test('reports that its body is used', async () => {
    const used = await inspect(async (request) => {
      const before = request.bodyUsed;
      await request.text();
      return [before, request.bodyUsed];
    }, POST);
    expect(used).toEqual([false, true]);
  });

  test('returns chunks of its body as plain bytes, not as Buffers', async () => {
    const prototype = await inspect(async ({ body }) => {
      const chunk = await body?.getReader().read();
      return Object.getPrototypeOf(chunk?.value) as unknown;
    }, POST);
    expect(prototype).toBe(Uint8Array.prototype);
  });

  test('is cloned with its body', async () => {
    const texts = await inspect(async (request) => {
      const clone = request.clone();
      return [await clone.text(), await request.text(), clone.url];
    }, POST);
    expect(texts).toEqual(['{"a":1}', '{"a":1}', 'http://localhost/a?b=c']);
  });

  test('can be forwarded under another URL', async () => {
    const copy = await inspect(async (request) => {
      const sent = new Request('http://other.example/x', request);
      return [sent.method, sent.headers.get('content-type'), await sent.text()];
    }, POST);
    expect(copy).toEqual(['POST', 'application/json', '{"a":1}']);
  });

  test('has one signal, also in a clone', async () => {
    const signals = await inspect((request) => [request.signal, request.signal, request.clone().signal.aborted]);
    expect(signals[0]).toBe(signals[1]);
    expect(signals[2]).toBe(false);
  });
});

test('the signal is already aborted if it is first read after the client has disconnected', async () => {
  const { port } = server.address() as AddressInfo;
  const client = request({ port, host: '127.0.0.1', agent: false });
  client.on('error', () => {});
  const asked = new Promise<Request>((resolve) => {
    handler = (incoming) => {
      resolve(incoming);
      return new Promise(() => {});
    };
  });
  const connected = once(server, 'connection') as Promise<[Socket]>;
  client.end();
  const [socket] = await connected;
  const incoming = await asked;
  client.destroy();
  await once(socket, 'close');
  expect(incoming.signal.aborted).toBe(true);
});

test('works if a library has replaced the global class with a subclass', async () => {
  const { Request: native } = globalThis;
  vi.resetModules();
  globalThis.Request = class extends native {};
  try {
    const later = await import('../src/node.js');
    const listener = later.toNodeListener(async (incoming) => {
      return Response.json([incoming instanceof Request, incoming.redirect, await incoming.text()]);
    });
    const port = await listen(listener);
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'text' });
    expect(await response.json()).toEqual([true, 'follow', 'text']);
  } finally {
    globalThis.Request = native;
  }
});

/** Creates an endless stream that counts how often it is read. */
function countReads(): { readable: Readable; reads: () => number } {
  let reads = 0;
  const readable = new Readable({
    highWaterMark: 1,
    read() {
      reads += 1;
      this.push(Buffer.from('chunk'));
    },
  });
  return { readable, reads: () => reads };
}

async function turn(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await setImmediate();
}

describe('an incoming body', () => {
  test('is not read before its consumer reads it', async () => {
    const { readable, reads } = countReads();
    const body = new IncomingBody(readable);
    await turn(10);
    expect(reads()).toBe(0);
    body.abandon();
    readable.destroy();
  });

  test('is read one chunk at a time', async () => {
    const { readable, reads } = countReads();
    const reader = new IncomingBody(readable).stream.getReader();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('chunk');
    await turn(10);
    expect(reads()).toBeLessThan(4);
    await reader.cancel();
    readable.destroy();
  });

  test('passes on the error of the stream', async () => {
    const { readable } = countReads();
    const reader = new IncomingBody(readable).stream.getReader();
    const error = new Error('of the stream');
    readable.destroy(error);
    await expect(reader.read()).rejects.toBe(error);
  });

  test('fails if the stream is closed before its end', async () => {
    const { readable } = countReads();
    const reader = new IncomingBody(readable).stream.getReader();
    readable.destroy();
    await expect(reader.read()).rejects.toThrow('Premature close');
  });

  test('of strings is read as UTF-8', async () => {
    const { stream } = new IncomingBody(Readable.from(['é', '']));
    expect(await new Response(stream).text()).toBe('é');
  });

  test('fails pending reads and discards the rest when it is abandoned', async () => {
    const readable = new Readable({ read() {} });
    const body = new IncomingBody(readable);
    const read = body.stream.getReader().read();
    body.abandon();
    await expect(read).rejects.toMatchObject({ code: 'BODY_INTERRUPTED' });
    expect(readable.readableFlowing).toBe(true);
  });

  test('may be abandoned after it has been read', async () => {
    const body = new IncomingBody(Readable.from([Buffer.from('whole')]));
    expect(await new Response(body.stream).text()).toBe('whole');
    expect(() => body.abandon()).not.toThrow();
  });
});
