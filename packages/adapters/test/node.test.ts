import { once } from 'node:events';
import { createServer } from 'node:http';
import { deferred } from '@htskit/testing';
import { describe, expect, test, vi } from 'vitest';
import { type Handler, toNodeListener } from '../src/node.js';
import { adapterContract } from './contract/adapter-contract.js';
import { listen, openRaw, sendRaw } from './listen.js';

adapterContract('node', (handler, prefix) =>
  createServer(toNodeListener(handler, { prefix: prefix || '/', onError: () => {} })),
);

const ok = (): Response => new Response('ok');

function fail(): never {
  throw new Error('of the handler');
}

describe('targets and prefixes', () => {
  test.each(['GET *', 'OPTIONS *', 'GET ftp://host/a'])('answers %s with 400', async (line) => {
    const port = await listen(toNodeListener(ok));
    const answer = await sendRaw(port, `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
  });

  test.each(['/a', '/a/', '/a//'])('accepts the prefix %s with any number of trailing slashes', async (prefix) => {
    const port = await listen(toNodeListener(({ url }) => new Response(url), { prefix }));
    expect(await (await fetch(`http://127.0.0.1:${port}/a/b`)).text()).toBe('http://localhost/b');
    expect((await fetch(`http://127.0.0.1:${port}/ab`)).status).toBe(404);
  });

  test('accepts a prefix with characters that URLs escape', async () => {
    const port = await listen(toNodeListener(({ url }) => new Response(url), { prefix: '/größe' }));
    expect(await (await fetch(`http://127.0.0.1:${port}/größe/b`)).text()).toBe('http://localhost/b');
  });

  test.each(['', 'a', 'http://host/a', '/a?b', '/a#b'])('rejects the prefix "%s"', (prefix) => {
    expect(() => toNodeListener(ok, { prefix })).toThrow(expect.objectContaining({ code: 'INVALID_PREFIX' }));
  });
});

describe('errors', () => {
  test('are answered with an empty 500 and passed to onError', async () => {
    const onError = vi.fn<(error: unknown) => void>();
    const port = await listen(toNodeListener(fail, { onError }));
    const response = await fetch(`http://127.0.0.1:${port}/`);
    expect([response.status, await response.text(), response.headers.get('content-length')]).toEqual([500, '', '0']);
    expect(onError.mock.calls).toEqual([[expect.objectContaining({ message: 'of the handler' })]]);
  });

  test('are printed by console.error by default', async () => {
    const print = vi.spyOn(console, 'error').mockReturnValue();
    const port = await listen(toNodeListener(fail));
    await fetch(`http://127.0.0.1:${port}/`);
    expect(print.mock.calls).toEqual([[expect.objectContaining({ message: 'of the handler' })]]);
    print.mockRestore();
  });

  test('of a body that fails at once are answered with 500', async () => {
    const body = new ReadableStream({ pull: fail }, { highWaterMark: 0 });
    const port = await listen(toNodeListener(() => new Response(body), { onError: () => {} }));
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(500);
  });

  test('do not include a client that disconnected', async () => {
    const onError = vi.fn<(error: unknown) => void>();
    const asked = deferred<Request>();
    async function waitForAbort(request: Request): Promise<never> {
      asked.resolve(request);
      await once(request.signal, 'abort');
      throw request.signal.reason;
    }
    const handler: Handler = (request) => (request.url.endsWith('/wait') ? waitForAbort(request) : ok());
    const port = await listen(toNodeListener(handler, { onError }));
    const socket = await openRaw(port, 'GET /wait HTTP/1.1\r\nHost: x\r\n\r\n');
    const aborted = once((await asked.promise).signal, 'abort');
    socket.destroy();
    await aborted;
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('ok');
    expect(onError).not.toHaveBeenCalled();
  });
});

describe('onSent', () => {
  test.each(['short', 'x'.repeat(1_000_000)])('is called once when a response was sent', async (body) => {
    const sent = deferred<void>();
    const onSent = vi.fn<() => void>(() => sent.resolve());
    const port = await listen(toNodeListener(() => ({ status: 200, headers: {}, body, onSent })));
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe(body);
    await sent.promise;
    expect(onSent).toHaveBeenCalledOnce();
  });

  test('is not called if middleware has replaced write, which may keep the body', async () => {
    const onSent = vi.fn<() => void>();
    const listener = toNodeListener(() => ({ status: 200, headers: {}, body: 'kept', onSent }));
    const closed = deferred<void>();
    const port = await listen((incoming, outgoing) => {
      outgoing.write = outgoing.write.bind(outgoing);
      outgoing.on('close', closed.resolve);
      listener(incoming, outgoing);
    });
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('kept');
    await closed.promise;
    expect(onSent).not.toHaveBeenCalled();
  });

  test('is called when the client disconnects, and not before', async () => {
    const sent = deferred<void>();
    const onSent = vi.fn<() => void>(() => sent.resolve());
    const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new Uint8Array(10)) });
    const port = await listen(toNodeListener(() => ({ status: 200, headers: {}, body, onSent })));
    const abort = new AbortController();
    const { body: received } = await fetch(`http://127.0.0.1:${port}/`, { signal: abort.signal });
    await received?.getReader().read();
    expect(onSent).not.toHaveBeenCalled();
    abort.abort();
    await sent.promise;
  });
});

describe('pipelined requests', () => {
  test('are answered in order', async () => {
    const isSecondAnswered = deferred();
    const port = await listen(
      toNodeListener(async ({ url }) => {
        if (url.endsWith('/1')) await isSecondAnswered.promise;
        else isSecondAnswered.resolve();
        return new Response(url);
      }),
    );
    const head = 'HTTP/1.1\r\nHost: x\r\n';
    const answers = await sendRaw(port, `GET /1 ${head}\r\nGET /2 ${head}Connection: close\r\n\r\n`);
    expect(answers.match(/localhost\/\d/g)).toEqual(['localhost/1', 'localhost/2']);
  });

  test('are all aborted when their connection closes', async () => {
    const signals: AbortSignal[] = [];
    const allArrived = deferred();
    const port = await listen(
      toNodeListener(async (request) => {
        await request.text();
        signals.push(request.signal);
        if (signals.length === 3) allArrived.resolve();
        return new Promise(() => {});
      }),
    );
    const head = 'HTTP/1.1\r\nHost: x\r\n';
    const post = `POST /3 ${head}Content-Length: 2\r\n\r\nab`;
    const socket = await openRaw(port, `GET /1 ${head}\r\nGET /2 ${head}\r\n${post}`);
    await allArrived.promise;
    const aborted = Promise.all(signals.map((signal) => once(signal, 'abort')));
    socket.destroy();
    expect(await aborted).toHaveLength(3);
  });

  test('share one listener for the end of their connection', async () => {
    const listeners: number[] = [];
    const isAnswered = deferred();
    const listener = toNodeListener(async ({ url }) => {
      if (url.endsWith('/30')) isAnswered.resolve();
      await isAnswered.promise;
      return new Response(url);
    });
    const port = await listen((incoming, outgoing) => {
      listener(incoming, outgoing);
      listeners.push(incoming.socket.listenerCount('close'));
    });
    const ends = Array.from({ length: 30 }, (_, index) => (index === 29 ? 'Connection: close\r\n\r\n' : '\r\n'));
    const requests = ends.map((end, index) => `GET /${index + 1} HTTP/1.1\r\nHost: x\r\n${end}`);
    const answers = await sendRaw(port, requests.join(''));
    expect(answers.match(/localhost\/\d+/g)).toHaveLength(30);
    expect(listeners).toHaveLength(30);
    // The first request holds the connection; the second is the first that is queued.
    expect(new Set(listeners.slice(1)).size).toBe(1);
  });

  test('cancel a queued body without an error when their connection closes', async () => {
    const onError = vi.fn<(error: unknown) => void>();
    const isPulled = deferred();
    const isCancelled = deferred();
    const pull = (controller: ReadableStreamDefaultController): void => {
      controller.enqueue(new Uint8Array(1_000_000));
      isPulled.resolve();
    };
    const handler: Handler = ({ url }) => {
      if (url.endsWith('/0')) return ok();
      if (url.endsWith('/1')) return new Promise(() => {});
      const body = new ReadableStream({ pull, cancel: () => isCancelled.resolve() }, { highWaterMark: 0 });
      return new Response(body, { headers: { 'content-length': '1000000000' } });
    };
    const port = await listen(toNodeListener(handler, { onError }));
    const head = 'HTTP/1.1\r\nHost: x\r\n\r\n';
    const socket = await openRaw(port, `GET /1 ${head}GET /2 ${head}`);
    await isPulled.promise;
    socket.destroy();
    await isCancelled.promise;
    expect((await fetch(`http://127.0.0.1:${port}/0`)).status).toBe(200);
    expect(onError).not.toHaveBeenCalled();
  });
});
