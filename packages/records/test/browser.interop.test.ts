import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { extractExample } from '@htskit/testing';
import { chromium } from 'playwright-core';
import { build } from 'vite';
import { expect, onTestFinished, test } from 'vitest';
import { expectedCoverage, REGION } from './coverage.js';
import { serveFixtures } from './file-server.js';

const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const isInstalled = existsSync(CHROMIUM);
// Nothing may be left out there.
if (!isInstalled && process.env['CI'] === 'true') throw new Error(`there is no Chromium at ${CHROMIUM}`);

/** Resolves no names beyond loopback and uses no graphics card. */
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'];

const PAGE = `<!doctype html><title>coverage</title><link rel="icon" href="data:,">
<canvas width="${REGION.end - REGION.start}" height="255"></canvas><script type="module" src="/main.js"></script>`;

/** Counts the opaque pixels of each column. */
const READ_COLUMNS = `(() => {
  const { width, height } = document.querySelector('canvas');
  const { data } = document.querySelector('canvas').getContext('2d').getImageData(0, 0, width, height);
  const columns = new Array(width).fill(0);
  for (let pixel = 0; pixel < width * height; pixel++) if (data[4 * pixel + 3] > 0) columns[pixel % width]++;
  return columns;
})()`;

/** Bundles the example of the README for browsers, and returns the folder of its scripts. */
async function bundleExample(origin: string): Promise<string> {
  // Inside of the package, so that its dependencies can be resolved.
  const folder = mkdtempSync(fileURLToPath(new URL('.readme-', import.meta.url)));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const example = extractExample(readFileSync(new URL('../README.md', import.meta.url), 'utf8'), 1);
  writeFileSync(
    join(folder, 'main.ts'),
    `${example.replace('https://data.example.org', origin)}globalThis.isDrawn = true;\n`,
  );
  await build({
    configFile: false,
    root: folder,
    logLevel: 'error',
    resolve: { conditions: ['@htskit/source', 'browser'] },
    build: {
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: { input: join(folder, 'main.ts'), output: { entryFileNames: 'main.js' } },
    },
  });
  return join(folder, 'dist');
}

/** Serves the page and the scripts of a folder. */
async function servePage(scripts: string): Promise<string> {
  const server = createServer((request, response) => {
    const path = join(scripts, request.url ?? '');
    const isScript = path.endsWith('.js') && existsSync(path);
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html; charset=utf-8' });
    response.end(isScript ? readFileSync(path) : PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

test.skipIf(!isInstalled)('the example of the README for browsers draws coverage in Chromium', async () => {
  const files = await serveFixtures();
  const url = await servePage(await bundleExample(files.origin));
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await page.goto(url);
  await page.waitForFunction('globalThis.isDrawn', undefined, { timeout: 60_000 }).catch((error: unknown) => {
    throw new Error([String(error), ...errors].join('\n'));
  });
  expect(await page.evaluate(READ_COLUMNS)).toEqual(expectedCoverage());
  // Beside the index and the header, only the blocks of the region.
  expect(files.requests.length).toBeLessThan(10);
});
