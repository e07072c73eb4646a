import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { deferred } from '@htskit/testing';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Handler, type PlainResponse, toNodeListener } from '../src/node.js';
import { onResponseClosed, sendResponse } from '../src/outgoing-response.js';
import { listen, openRaw, sendRaw } from './listen.js';

const GET = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
const HEAD = GET.replace('GET', 'HEAD');

/** Returns everything that the server sends and the codes of the errors passed to `onError`. */
async function send(handler: Handler, text = GET): Promise<{ answer: string; codes: unknown[] }> {
  const codes: unknown[] = [];
  const onError = (error: unknown): void => {
    codes.push((error as { code?: unknown }).code);
  };
  const port = await listen(toNodeListener(handler, { onError }));
  return { answer: await sendRaw(port, text), codes };
}

function plain(body: PlainResponse['body'], headers: Record<string, string> = {}, status = 200): PlainResponse {
  return { status, headers: new Headers(headers), body };
}

/** Creates a stream of the given chunks that leaves time for each to be sent. An error in the list errors it. */
function streamOf(...chunks: Array<string | Error>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      await setImmediate();
      const chunk = chunks.shift();
      if (chunk instanceof Error) throw chunk;
      if (chunk === undefined) controller.close();
      else controller.enqueue(Buffer.from(chunk));
    },
  });
}

describe('plain responses', () => {
  test.each([
    ['a string', 'né', 3],
    ['bytes', new Uint8Array([65, 66]), 2],
    ['nothing', null, 0],
  ])('with %s have their exact length', async (_, body, length) => {
    const { answer } = await send(() => plain(body));
    expect(answer).toContain(`\r\ncontent-length: ${length}\r\n`);
    expect(answer).not.toMatch(/transfer-encoding/i);
    expect(Buffer.from(answer.slice(answer.indexOf('\r\n\r\n') + 4), 'latin1')).toHaveLength(length);
  });

  test('answer HEAD with the length of the GET', async () => {
    const { answer } = await send(() => plain('body'), HEAD);
    expect(answer).toMatch(/\r\ncontent-length: 4\r\n.*\r\n\r\n$/s);
  });

  test('may be returned as a promise', async () => {
    expect((await send(async () => plain('body'))).answer).toMatch(/body$/);
  });

  test.each(['3', '5', 'four', '-4', ''])(
    'of four bytes are rejected if the Content-Length is "%s"',
    async (length) => {
      const { answer, codes } = await send(() => plain('body', { 'content-length': length }));
      expect(answer).toMatch(/^HTTP\/1.1 500 /);
      expect(codes).toEqual([/\d/.test(length) && Number(length) > 0 ? 'LENGTH_MISMATCH' : 'INVALID_LENGTH']);
    },
  );
});

describe('the length of a streamed response', () => {
  const declared = { 'content-length': '6' };

  test('is kept', async () => {
    const { answer, codes } = await send(() => new Response(streamOf('abc', '', 'def', ''), { headers: declared }));
    expect(answer).toMatch(/\r\ncontent-length: 6\r\n.*\r\n\r\nabcdef$/s);
    expect(answer).not.toMatch(/transfer-encoding/i);
    expect(codes).toEqual([]);
  });

  test.each([
    ['shorter', ['abc']],
    ['empty', []],
    ['longer', ['abc', 'defg']],
    ['longer by a chunk', ['abc', 'def', 'g']],
  ])('is not reached if the body is %s', async (_, chunks) => {
    const { answer, codes } = await send(() => new Response(streamOf(...chunks), { headers: declared }));
    expect(answer).not.toMatch(/def/);
    expect(codes).toEqual(['LENGTH_MISMATCH']);
  });

  test('is not reached if the body fails after its last byte', async () => {
    const body = streamOf('abc', 'def', Object.assign(new Error('at the end'), { code: 'AT_THE_END' }));
    const { answer, codes } = await send(() => new Response(body, { headers: declared }));
    expect(answer).not.toMatch(/def/);
    expect(codes).toEqual(['AT_THE_END']);
  });
});

describe('framing', () => {
  test('is not chosen by the handler', async () => {
    const headers = { 'transfer-encoding': 'gzip', 'content-length': '3' };
    const { answer } = await send(() => new Response(streamOf('abc'), { headers }));
    expect(answer).not.toMatch(/transfer-encoding/i);
  });

  test('omits the length of a 204', async () => {
    const { answer } = await send(() => new Response(null, { status: 204, headers: { 'content-length': '0' } }));
    expect(answer).not.toMatch(/content-length/i);
  });

  test('keeps the length in a 304', async () => {
    const { answer } = await send(() => new Response(null, { status: 304, headers: { 'content-length': '10' } }));
    expect(answer).toMatch(/content-length: 10/);
  });

  test('by the end of the connection is truncated with a reset', async () => {
    let fail = (): void => {};
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(Buffer.from('begin'));
        fail = () => controller.error(new Error('of the body'));
      },
    });
    const port = await listen(toNodeListener(() => new Response(body), { onError: () => {} }));
    const socket = await openRaw(port, 'GET / HTTP/1.0\r\n\r\n');
    await once(socket, 'data');
    fail();
    await expect(once(socket, 'end')).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  test('keeps the connection for the next request', async () => {
    const port = await listen(toNodeListener(({ url }) => plain(url)));
    const answers = await sendRaw(port, GET.replace('Connection: close\r\n', '') + GET);
    expect(answers.match(/HTTP\/1.1 200 OK/g)).toHaveLength(2);
  });
});

describe('headers that middleware has set', () => {
  function listenAfter(headers: Record<string, string | string[]>, handler: Handler): Promise<number> {
    const listener = toNodeListener(handler);
    return listen(
      createServer((incoming, outgoing) => {
        for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value);
        listener(incoming, outgoing);
      }),
    );
  }

  test('are kept, joined or replaced', async () => {
    const before = { vary: 'Cookie', 'set-cookie': ['a=1', 'b=2'], 'x-kept': 'yes', 'x-replaced': 'old' };
    const after = { vary: 'Origin', 'set-cookie': 'c=3', 'x-replaced': 'new' };
    const port = await listenAfter(before, () => new Response('ok', { headers: after }));
    const { headers } = await fetch(`http://127.0.0.1:${port}/`);
    expect(headers.get('vary')).toBe('Cookie, Origin');
    expect(headers.getSetCookie()).toEqual(['a=1', 'b=2', 'c=3']);
    expect([headers.get('x-kept'), headers.get('x-replaced')]).toEqual(['yes', 'new']);
  });
});

test('sends Headers of another class than the global one, and each cookie by itself', async () => {
  const headers = new Headers([
    ['x-kept', 'yes'],
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
  ]);
  vi.stubGlobal('Headers', class extends Headers {});
  onTestFinished(() => void vi.unstubAllGlobals());
  const { answer } = await send(() => ({ status: 200, headers, body: 'ok' }));
  expect(answer).toMatch(/\r\nx-kept: yes\r\n/);
  expect(answer).toMatch(/\r\nset-cookie: a=1\r\nset-cookie: b=2\r\n/);
});

describe('a response that middleware has already started', () => {
  // Long enough to be still in transit when the handler answers.
  const given = 'too late'.repeat(2_000_000);

  test.each([
    ['a stream', (cancel: () => void) => new ReadableStream({ cancel })],
    ['a string', () => 'late'],
  ])('is not changed by a handler that returns %s', async (_, toBody) => {
    const cancel = vi.fn<() => void>();
    const onError = vi.fn<(error: unknown) => void>();
    const answered = deferred<Response>();
    const listener = toNodeListener(() => answered.promise, { onError });
    const body = toBody(cancel);
    const port = await listen((incoming, outgoing) => {
      listener(incoming, outgoing);
      outgoing.writeHead(503).end(given);
      answered.resolve(new Response(body));
    });
    const response = await fetch(`http://127.0.0.1:${port}/`);
    expect([response.status, (await response.text()).length]).toEqual([503, given.length]);
    expect(cancel).toHaveBeenCalledTimes(body instanceof ReadableStream ? 1 : 0);
    expect(onError).not.toHaveBeenCalled();
  });
});

test('sending resolves when the client disconnects while its buffers are full', async () => {
  let sending: Promise<void> | undefined;
  const body = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(1_000_000)),
  });
  const port = await listen((_incoming, outgoing) => {
    sending = sendResponse(new Response(body, { headers: { 'content-length': '1000000000' } }), outgoing);
  });
  const socket = await openRaw(port, GET);
  await once(socket, 'readable');
  socket.destroy();
  await expect(sending).resolves.toBeUndefined();
});

const REQUEST = 'GET / HTTP/1.1\r\nHost: x\r\n';

test('onResponseClosed calls back once for each of several pipelined responses', async () => {
  const listeners = [vi.fn<() => void>(), vi.fn<() => void>()];
  const responses: ServerResponse[] = [];
  const port = await listen((_incoming, outgoing) => {
    onResponseClosed(outgoing, listeners[responses.length] ?? vi.fn<() => void>());
    responses.push(outgoing);
    // The second response is complete before the first, and waits for it.
    if (responses.length === 2) for (const response of responses.toReversed()) response.end('ok');
  });
  await sendRaw(port, `${REQUEST}\r\n${REQUEST}Connection: close\r\n\r\n`);
  expect(listeners.map((listener) => listener.mock.calls.length)).toEqual([1, 1]);
});

test('onResponseClosed calls back once for a queued response whose connection closes', async () => {
  const isClosed = [deferred(), deferred()];
  const listener = vi.fn<(index: number) => void>((index) => isClosed[index]?.resolve());
  const isQueued = deferred();
  let count = 0;
  const port = await listen((_incoming, outgoing) => {
    const index = count++;
    onResponseClosed(outgoing, () => listener(index));
    if (index === 1) isQueued.resolve();
  });
  const socket = await openRaw(port, `${REQUEST}\r\n${REQUEST}\r\n`);
  await isQueued.promise;
  socket.destroy();
  await once(socket, 'close');
  await Promise.all(isClosed.map(({ promise }) => promise));
  expect(listener.mock.calls.flat().toSorted((a, b) => a - b)).toEqual([0, 1]);
});
