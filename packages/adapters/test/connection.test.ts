import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { deferred } from '@htskit/testing';
import { expect, test, vi } from 'vitest';
import { onResponseClosed } from '../src/connection.js';
import { listen, openRaw, sendRaw } from './listen.js';

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
