import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixturePath } from '@htskit/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, serve } from '../../../src/runtime/serve.js';
import { hasChromium, launchChromium } from '../../chromium.js';
import { lines, runTool } from '../../interop-tools.js';
import { runCommand } from '../../run-command.js';
import { collectionOf } from '../collection-of.js';
import { installedVersion } from '../installed-version.js';
import { drawnHeights } from './drawn-heights.js';
import { serveIgv } from './igv-server.js';
import { downloadJBrowse, JBROWSE_VERSION, serveJBrowse } from './jbrowse-server.js';
import type { PageServer } from './page-server.js';

/** Two heaps of reads, a few others, and long stretches without any. */
const DRAWN = { referenceName: 'chr1', start: 2500, end: 142_500 };
/** None of their borders is near a read of a heap or a stretch. */
const PARTS = 28;
/** The depth within a heap and the height of its bars, in pixels, are more than this, and all others are less. */
const HIGH = { depth: 10, height: 30 };
/** The borders of the first heap. */
const READ = { referenceName: 'chr1', start: 19_500, end: 27_000 };

const scratch = mkdtempSync(join(tmpdir(), 'htskit-'));
// Skipped without a package registry, also where CI is set: not every CI reaches one.
const jbrowse = await downloadJBrowse(scratch, 'react-linear-genome-view2');

/** Returns the depth of each base of a region, as samtools counts. */
async function samtoolsDepth({ referenceName, start, end }: typeof DRAWN): Promise<readonly number[]> {
  const region = `${referenceName}:${start + 1}-${end}`;
  const text = await runTool(['samtools', 'depth', '-a', '-r', region, fixturePath('reads.bam')]);
  return lines(text).map((line) => Number(line.split('\t')[2]));
}

/** Returns the greatest depth of each part of `DRAWN`. */
async function greatestDepths(): Promise<readonly number[]> {
  const depths = await samtoolsDepth(DRAWN);
  const size = depths.length / PARTS;
  return Array.from({ length: PARTS }, (_, part) => Math.max(...depths.slice(part * size, (part + 1) * size)));
}

describe.skipIf(!hasChromium)('the depth of reads in browsers', () => {
  let browser: Browser;
  let server: RunningServer;
  beforeAll(async () => {
    browser = await launchChromium();
    const folder = join(scratch, 'served');
    mkdirSync(folder);
    for (const name of ['reads.bam', 'reads.bam.bai', 'genome.fa']) copyFileSync(fixturePath(name), join(folder, name));
    await runCommand(['index', '--coverage', join(folder, 'reads.bam')]);
    server = await serve({ paths: [folder], host: '127.0.0.1', port: 0, authority: 'ga4gh', log: () => undefined });
    await server.sequences.settled();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    rmSync(scratch, { recursive: true });
  });

  /** Opens the depth of `DRAWN`. `errors` are what a person would see in the console. */
  async function show(url: string): Promise<{ readonly page: Page; readonly errors: readonly string[] }> {
    const page = await browser.newPage({ viewport: { width: 1000, height: 500 } });
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await page.goto(url);
    const genome = `${server.url}/collection/${await collectionOf(server.url)}/fasta`;
    const shown = { genome, bigWig: `${server.url}/coverage/reads.bw`, region: DRAWN };
    await page.evaluate(`showDepth(${JSON.stringify(shown)})`);
    return { page, errors };
  }

  /** Checks what is drawn in an element that is as wide as `DRAWN`. Returns the depths of `READ`, and the errors. */
  async function examine(pages: PageServer, track: string): Promise<{ depths: number[]; errors: readonly string[] }> {
    const { page, errors } = await show(pages.url);

    const area = await page.locator(track).boundingBox();
    if (area === null) throw new Error('there is no track');
    const greatest = await greatestDepths();
    const expected = {
      hasReads: greatest.map((depth) => depth > 0),
      isHigh: greatest.map((depth) => depth > HIGH.depth),
    };
    await expect
      .poll(async () => {
        const heights = await drawnHeights(page, area, PARTS);
        return {
          hasReads: heights.map((height) => height > 0),
          isHigh: heights.map((height) => height > HIGH.height),
        };
      })
      .toEqual(expected);

    const values = await page.evaluate<[number, number, number][]>(`readDepth(${JSON.stringify(READ)})`);
    const read = Array.from({ length: READ.end - READ.start }, () => 0);
    for (const [start, end, depth] of values) {
      read.fill(depth, Math.max(start - READ.start, 0), Math.min(end, READ.end) - READ.start);
    }
    const messages = await page.getByText(/error/i).allTextContents();
    await page.close();
    pages.close();
    return { depths: read, errors: [...errors, ...messages] };
  }

  test(`igv.js ${installedVersion('igv')} draws it, and reads what samtools counts`, async () => {
    const found = await examine(await serveIgv(), '.igv-viewport:has(.igv-track-label)');
    expect(found).toEqual({ depths: await samtoolsDepth(READ), errors: [] });
  });

  test.skipIf(jbrowse === undefined)(
    `JBrowse ${JBROWSE_VERSION} draws it, and reads what samtools counts`,
    async () => {
      const found = await examine(
        await serveJBrowse(jbrowse ?? Buffer.of(), 'jbrowse-page.mjs'),
        '[data-testid^="trackRenderingContainer"]',
      );
      expect(found).toEqual({ depths: await samtoolsDepth(READ), errors: [] });
    },
  );
});
