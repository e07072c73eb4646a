import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { fixturePath } from '@htskit/testing';

const PAGE =
  '<!doctype html><title>igv.js</title><link rel="icon" href="data:,"><div id="igv"></div>' +
  '<script type="importmap">{"imports":{"igv":"./igv.js"}}</script><script type="module" src="./page.mjs"></script>';

const script = (path: string): Buffer => readFileSync(fileURLToPath(new URL(path, import.meta.url)));

/** What is served, by its path. */
const CONTENTS = new Map<string, { readonly type: string; readonly body: Buffer }>([
  ['/', { type: 'text/html; charset=utf-8', body: Buffer.from(PAGE) }],
  ['/page.mjs', { type: 'text/javascript', body: script('igv-page.mjs') }],
  ['/igv.js', { type: 'text/javascript', body: script('../../node_modules/igv/dist/igv.esm.min.js') }],
  ['/genome.fa', { type: 'text/plain', body: readFileSync(fixturePath('genome.fa')) }],
]);

export interface PageServer {
  readonly url: string;
  close(): void;
}

/** Serves a page with igv.js on loopback, at a port, and so an origin, of its own. */
export async function servePage(): Promise<PageServer> {
  const server = createServer((request, response) => {
    const content = CONTENTS.get(request.url ?? '');
    response.writeHead(content === undefined ? 404 : 200, { 'content-type': content?.type ?? 'text/plain' });
    response.end(content?.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, close };
}
