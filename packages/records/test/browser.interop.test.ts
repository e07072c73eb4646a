import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { extractExample } from '@htskit/testing';
import { chromium, type Page } from 'playwright-core';
import { build } from 'vite';
import { expect, onTestFinished, test } from 'vitest';
import { repeatBam, repeatCram } from './ahead/long-files.js';
import { expectedCoverage, REGION } from './coverage.js';
import { serveFixtures } from './file-server.js';

const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const isInstalled = existsSync(CHROMIUM);
// Nothing may be left out there.
if (!isInstalled && process.env['CI'] === 'true') throw new Error(`there is no Chromium at ${CHROMIUM}`);

/** Resolves no names beyond loopback and uses no graphics card. */
const ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'];

/** The result of the page for a file. */
interface ReadAhead {
  readonly alone: { readonly count: number; readonly sum: number };
  readonly ahead: ReadAhead['alone'];
  /** The jobs that workers have done. */
  readonly jobs: number;
}

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

/** Reads files on one thread, and on workers until one has done a job. */
const READ_AHEAD = `
import { openAlignments } from '@htskit/records';
import { memorySource } from '@htskit/storage/memory';

let jobs = 0;
globalThis.Worker = class extends Worker {
  constructor(...parameters) {
    super(...parameters);
    this.addEventListener('message', ({ data }) => {
      if (data.kind === 'answer' && data.outcome.isDone) jobs++;
    });
  }
};

async function readAll(bytes, workers) {
  const file = await openAlignments(memorySource(bytes, { version: '1' }), { workers, onWarning: () => undefined });
  let [count, sum] = [0, 0];
  for await (const { name, end, sequenceLength } of file.records()) {
    count++;
    sum = (31 * sum + name.length + end + sequenceLength) % 2 ** 32;
  }
  return { count, sum };
}

globalThis.readAhead = async (path) => {
  const bytes = new Uint8Array(await (await fetch(path)).arrayBuffer());
  const alone = await readAll(bytes, 0);
  jobs = 0;
  let ahead;
  for (let round = 0; round < 100 && jobs === 0; round++) ahead = await readAll(bytes, 2);
  return { alone, ahead, jobs };
};
globalThis.isDrawn = true;
`;

/** Bundles a module for browsers, from the sources of the packages or as they are built. Returns the folder of its scripts. */
async function bundlePage(module: string, conditions: readonly string[]): Promise<string> {
  // Inside of the package, so that its dependencies can be resolved.
  const folder = mkdtempSync(fileURLToPath(new URL('.readme-', import.meta.url)));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'main.ts'), module);
  await build({
    configFile: false,
    root: folder,
    logLevel: 'error',
    resolve: { conditions: [...conditions] },
    worker: { format: 'es' },
    build: {
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: { input: join(folder, 'main.ts'), output: { entryFileNames: 'main.js' } },
    },
  });
  return join(folder, 'dist');
}

/** Serves the page, the scripts of a folder, and files by their paths. */
async function servePage(scripts: string, files: Readonly<Record<string, Uint8Array>> = {}): Promise<string> {
  const server = createServer((request, response) => {
    const path = join(scripts, request.url ?? '');
    const isScript = path.endsWith('.js') && existsSync(path);
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html; charset=utf-8' });
    response.end(files[request.url ?? ''] ?? (isScript ? readFileSync(path) : PAGE));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Opens a page in Chromium, and waits until its script has run. */
async function openPage(url: string): Promise<Page> {
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
  return page;
}

test.skipIf(!isInstalled)('the example of the README for browsers draws coverage in Chromium', async () => {
  const files = await serveFixtures();
  const example = extractExample(readFileSync(new URL('../README.md', import.meta.url), 'utf8'), 1);
  const module = `${example.replace('https://data.example.org', files.origin)}globalThis.isDrawn = true;\n`;
  const page = await openPage(await servePage(await bundlePage(module, ['@htskit/source', 'browser'])));
  expect(await page.evaluate(READ_COLUMNS)).toEqual(expectedCoverage());
  // Beside the index and the header, only the blocks of the region.
  expect(files.requests.length).toBeLessThan(10);
});

// The worker scripts are those of the build, as in a published package.
test.skipIf(!isInstalled)('workers of a bundled page decode CRAM and inflate BAM in Chromium', async () => {
  const files = { '/long.cram': repeatCram('reads.cram', 1_100_000), '/long.bam': repeatBam('reads.bam', 2 ** 23) };
  const page = await openPage(await servePage(await bundlePage(READ_AHEAD, ['browser']), files));
  const scripts: string[] = [];
  page.on('worker', (worker) => scripts.push(basename(worker.url())));
  for (const path of Object.keys(files)) {
    const { alone, ahead, jobs } = await page.evaluate<ReadAhead>(`globalThis.readAhead(${JSON.stringify(path)})`);
    expect(alone.count).toBeGreaterThan(1000);
    expect(ahead).toEqual(alone);
    expect(jobs).toBeGreaterThan(0);
  }
  const kinds = new Set(scripts.map((script) => script.replace(/-.*/, '')));
  expect(kinds.size).toBe(2);
});
