import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { chromium } from 'playwright';
import { bundle } from './bundle.mjs';
import { Unavailable } from './runtime-install.mjs';

const TIMEOUT_MILLISECONDS = 120_000;
const CONTENT_TYPES = { '.js': 'text/javascript', '.html': 'text/html; charset=utf-8' };
const PAGE = '<!doctype html><title>suite</title><script type="module" src="./main.js"></script>';

/** Disables everything that needs a graphics card or the network. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Returns the path of an installed Chromium. Throws Unavailable. */
export async function findChromium() {
  const path = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
  if (existsSync(path)) return path;
  throw new Unavailable(`there is no Chromium at ${path}: install it, or set CHROMIUM_PATH`);
}

/** Opens a browser that runs the suite in a page, served with `headers` on loopback. It serves nothing itself. */
export async function openChromium({ binary, tree, headers }) {
  const folder = await bundle({ tree, entry: 'suite/entries/page.mjs', conditions: ['browser'] });
  const server = createServer((request, response) => answer({ request, response, folder, headers }));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}/`;
  let browser;
  return {
    origins: [],
    run: async (services) => {
      browser = await chromium.launch({ executablePath: binary, args: ARGUMENTS, timeout: TIMEOUT_MILLISECONDS });
      const report = await readReport(await browser.newPage(), `${url}?${new URLSearchParams(services)}`);
      return { ...report, version: `Chromium ${browser.version()}` };
    },
    close: async () => {
      await browser?.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

async function readReport(page, url) {
  const errors = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(url);
  const report = await page
    .waitForFunction(() => globalThis.report, undefined, { timeout: TIMEOUT_MILLISECONDS })
    .catch((error) => {
      throw new Error([error.message, ...errors].join('\n'));
    });
  return report.jsonValue();
}

function answer({ request, response, folder, headers }) {
  const path = normalize(new URL(request.url, 'http://localhost').pathname);
  const file = join(folder, path);
  const isPage = path === '/';
  const status = isPage || existsSync(file) ? 200 : 404;
  const contentType = CONTENT_TYPES[isPage ? '.html' : extname(path)] ?? 'application/octet-stream';
  response.writeHead(status, { ...headers, 'content-type': contentType });
  response.end(isPage ? PAGE : status === 200 ? readFileSync(file) : '');
}
