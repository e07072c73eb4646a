import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { GatedResponse } from '../../../src/runtime/gate/gated-response.js';

/** Sends a request to a server with one answer. Returns what the client gets, and the bytes that were counted. */
async function exchange(
  answer: (outgoing: GatedResponse) => void,
  method = 'GET',
): Promise<{ readonly response: Response; readonly text: string; readonly bodyBytes: number | undefined }> {
  let counted: GatedResponse | undefined;
  const server = createServer({ ServerResponse: GatedResponse }, (_, outgoing) => {
    counted = outgoing;
    outgoing.requestId = 'r-1';
    answer(outgoing);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/`, { method, headers: { connection: 'close' } });
  return { response, text: await response.text(), bodyBytes: counted?.bodyBytes };
}

test.each<[string, (outgoing: GatedResponse) => void]>([
  ['a record', (outgoing) => void outgoing.writeHead(201, { etag: '"1"' }).end()],
  ['a list', (outgoing) => void outgoing.writeHead(201, ['etag', '"1"']).end()],
  ['a reason', (outgoing) => void outgoing.writeHead(201, 'Made', { etag: '"1"' }).end()],
  ['setHeader', (outgoing) => void outgoing.setHeader('etag', '"1"').writeHead(201).end()],
  [
    'an implicit head',
    (outgoing) => {
      outgoing.statusCode = 201;
      outgoing.setHeader('etag', '"1"').end();
    },
  ],
])('the headers of the gate are added to %s', async (_, answer) => {
  const { response } = await exchange(answer);
  expect([response.status, response.headers.get('etag'), response.headers.get('x-request-id')]).toEqual([
    201,
    '"1"',
    'r-1',
  ]);
});

test('counts the bytes of strings, in their encoding, and of buffers', async () => {
  const { text, bodyBytes } = await exchange((outgoing) => {
    outgoing.write('é');
    outgoing.write(Buffer.from('ab'));
    outgoing.end('abc', 'latin1');
  });
  expect([text, bodyBytes]).toEqual(['éababc', 7]);
  expect((await exchange((outgoing) => void outgoing.end('é', 'latin1'))).bodyBytes).toBe(1);
});

test('counts nothing for HEAD', async () => {
  expect((await exchange((outgoing) => void outgoing.end('body'), 'HEAD')).bodyBytes).toBe(0);
});

test.each<[string, (outgoing: GatedResponse) => void]>([
  ['a record', (outgoing) => void outgoing.writeHead(200, { 'cache-control': 'public, max-age=9' }).end()],
  ['a list', (outgoing) => void outgoing.writeHead(200, ['Cache-Control', 'public, max-age=9']).end()],
  ['setHeader', (outgoing) => void outgoing.setHeader('Cache-Control', 'public, max-age=9').writeHead(200).end()],
])('a response that a cache may send to other clients has no id of a request, by %s', async (_, answer) => {
  const { response } = await exchange(answer);
  expect([response.headers.get('cache-control'), response.headers.get('x-request-id')]).toEqual([
    'public, max-age=9',
    null,
  ]);
});
