import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { downloadNpmPackage } from '@htskit/testing';
import { type PageContent, type PageServer, servePage } from './page-server.js';

/** The version of JBrowse that the tests require, and a newer one that opens the same configuration. */
export const JBROWSE_VERSION = '3.7.0';
export const NEWER_JBROWSE_VERSION = '4.3.0';

/** The packages of JBrowse, each with a build for pages that holds React and everything else. */
const BUILDS = {
  'react-linear-genome-view2': 'dist/react-linear-genome-view.umd.production.min.js',
  'react-app2': 'dist/react-app.umd.production.min.js',
} as const;

const PAGE =
  '<!doctype html><meta charset="utf-8"><title>JBrowse</title><link rel="icon" href="data:,"><div id="browser"></div>' +
  '<script src="./jbrowse.js"></script><script type="module" src="./page.mjs"></script>';

/** Downloads a package of JBrowse into a folder. Returns its script, or undefined if no package registry is reachable. */
export async function downloadJBrowse(
  folder: string,
  name: keyof typeof BUILDS,
  version: string = JBROWSE_VERSION,
): Promise<Buffer | undefined> {
  const files = await downloadNpmPackage(folder, `@jbrowse/${name}@${version}`);
  return files === undefined ? undefined : readFileSync(join(files, BUILDS[name]));
}

/** Serves a page with JBrowse and a script beside this file, and other contents by their paths. */
export function serveJBrowse(
  jbrowse: Uint8Array,
  script: string,
  others: ReadonlyMap<string, PageContent> = new Map(),
): Promise<PageServer> {
  const page = readFileSync(fileURLToPath(new URL(script, import.meta.url)));
  return servePage(
    new Map([
      ['/', { type: 'text/html; charset=utf-8', body: PAGE }],
      ['/page.mjs', { type: 'text/javascript', body: page }],
      ['/jbrowse.js', { type: 'text/javascript', body: jbrowse }],
      ...others,
    ]),
  );
}
