import { once } from 'node:events';
import { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runReadmeExample } from '@htskit/testing';
import { expect, test } from 'vitest';

test('the example in the README serves requests', async () => {
  const { exports } = await runReadmeExample(new URL('../README.md', import.meta.url), {
    replace: { 'listen(3000)': 'listen(0)' },
  });
  const { server } = exports;
  if (!(server instanceof Server)) throw new Error('the example does not export a server');
  if (!server.listening) await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/data/reads/NA12878`);
  expect(await response.text()).toBe('you requested /reads/NA12878\n');
  server.close();
  server.closeAllConnections();
});
