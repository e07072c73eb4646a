import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runReadmeExample } from '@htskit/testing';
import { expect, onTestFinished, test } from 'vitest';

test('the example in the README downloads, retries and reports a status', async () => {
  let requestCount = 0;
  const server = createServer((request, response) => {
    requestCount++;
    const status = request.url === '/missing' ? 404 : requestCount === 1 ? 503 : 200;
    response.writeHead(status, { 'retry-after': '0' }).end('Hello');
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { output } = await runReadmeExample(new URL('../README.md', import.meta.url), {
    replace: { 'http://127.0.0.1:8080': `http://127.0.0.1:${port}` },
  });
  expect(output).toBe('retry after SERVER_ERROR\nHello\nSERVER_ERROR 404\n');
});
