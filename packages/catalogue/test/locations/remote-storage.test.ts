import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BlockCache } from '@htskit/storage/cache';
import { expect, onTestFinished, test } from 'vitest';
import { RemoteStorage, type RemoteStorageOptions } from '../../src/locations/remote-storage.js';

/** Starts a server on the loopback address, and returns its host. */
async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function openStorage(transport?: RemoteStorageOptions['transport']): RemoteStorage {
  return new RemoteStorage({ s3: {}, cache: new BlockCache(), presignSeconds: 60, transport });
}

test('a web server leads to other hosts only if they are allowed', async () => {
  let requestCount = 0;
  const other = await listen((_, outgoing) => {
    requestCount++;
    outgoing.writeHead(200, { etag: '"a"', 'content-length': 4 }).end();
  });
  const host = await listen((incoming, outgoing) => {
    if (incoming.url === '/same') outgoing.writeHead(302, { location: '/file' }).end();
    else if (incoming.url === '/file') outgoing.writeHead(200, { etag: '"b"', 'content-length': 4 }).end();
    else outgoing.writeHead(302, { location: `http://${other}/internal` }).end();
  });
  const location = { kind: 'http', url: `http://${host}/other` } as const;
  await expect(openStorage().open(location).source.stat()).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining('redirects to a host that is not allowed') as string,
  });
  expect(requestCount).toBe(0);
  const same = openStorage().open({ kind: 'http', url: `http://${host}/same` });
  expect(await same.source.stat()).toMatchObject({ size: 4, version: '"b"' });
  const allowing = openStorage({ redirectHosts: [other] });
  expect(await allowing.open(location).source.stat()).toMatchObject({ size: 4, version: '"a"' });
});

test('no part of a file is shared that is encrypted, or that is read with credentials of its own', async () => {
  const host = await listen(({ method }, outgoing) => {
    outgoing
      .writeHead(method === 'HEAD' ? 200 : 206, { etag: '"a"', 'content-length': 4, 'content-range': 'bytes 0-3/4' })
      .end('data');
  });
  const saved: string[] = [];
  const storage = openStorage();
  storage.share({ load: async () => undefined, save: async (name) => void saved.push(name) });
  const url = `http://${host}/a.bam`;
  const access = { key: 'of a user', headers: { authorization: 'Bearer token' } };
  for (const location of [{ url: `${url}.c4gh` }, { url, access }, { url }]) {
    const { source } = storage.open({ kind: 'http', ...location });
    const { version } = await source.stat();
    await source.read({ start: 0, end: 4 }, { version });
  }
  expect(saved).toEqual([JSON.stringify([url, '"a"', 0, 4])]);
});
