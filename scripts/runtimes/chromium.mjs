import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { chromium } from 'playwright';
import { bundle } from './bundle.mjs';
import { Unavailable } from './runtime-install.mjs';

const TIMEOUT_MILLISECONDS = 60_000;
const CONTENT_TYPES = { '.js': 'text/javascript', '.html': 'text/html; charset=utf-8' };
const PAGE = '<!doctype html><title>suite</title><script type="module" src="./main.js"></script>';

/** Nothing that asks for a graphics card, or for the network. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The path of a Chromium that is installed. Throws Unavailable. */
export async function findChromium() {
  const path = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
  if (existsSync(path)) return path;
  throw new Unavailable(`there is no Chromium at ${path}: install it, or set CHROMIUM_PATH`);
}

/** Runs the suite in a page, served with `headers` on loopback. */
export async function runInChromium({ binary, tree, headers }) {
  const folder = await bundle({ tree, entry: 'page.mjs', conditions: ['browser'] });
  const server = createServer((request, response) => answer({ request, response, folder, headers }));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  let browser;
  try {
    browser = await chromium.launch({ executablePath: binary, args: ARGUMENTS, timeout: TIMEOUT_MILLISECONDS });
    const page = await browser.newPage();
    const errors = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    const report = await page
      .waitForFunction(() => globalThis.report, undefined, { timeout: TIMEOUT_MILLISECONDS })
      .catch((error) => {
        throw new Error([error.message, ...errors].join('\n'));
      });
    return { ...(await report.jsonValue()), version: `Chromium ${browser.version()}` };
  } finally {
    await browser?.close();
    server.closeAllConnections();
    server.close();
  }
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
