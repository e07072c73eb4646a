import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fixturePath } from '@htskit/testing';
import { type PageServer, servePage } from './page-server.js';

const PAGE =
  '<!doctype html><title>igv.js</title><link rel="icon" href="data:,"><div id="browser"></div>' +
  '<script type="importmap">{"imports":{"igv":"./igv.js"}}</script><script type="module" src="./page.mjs"></script>';

const script = (path: string): Buffer => readFileSync(fileURLToPath(new URL(path, import.meta.url)));

/** Serves a page with igv.js. */
export function serveIgv(): Promise<PageServer> {
  return servePage(
    new Map([
      ['/', { type: 'text/html; charset=utf-8', body: Buffer.from(PAGE) }],
      ['/page.mjs', { type: 'text/javascript', body: script('igv-page.mjs') }],
      ['/igv.js', { type: 'text/javascript', body: script('../../../node_modules/igv/dist/igv.esm.min.js') }],
      ['/genome.fa', { type: 'text/plain', body: readFileSync(fixturePath('genome.fa')) }],
    ]),
  );
}
