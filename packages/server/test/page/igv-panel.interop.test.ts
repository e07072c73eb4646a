import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deferred, fixturePath } from '@htskit/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, type ServeOptions, serve } from '../../src/runtime/serve.js';
import { hasChromium, launchChromium } from '../chromium.js';
import { IgvPage } from './igv-page.js';

describe.skipIf(!hasChromium)('igv.js on the page', () => {
  let browser: Browser;
  const closers: (() => Promise<void> | void)[] = [];
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });
  afterAll(async () => {
    await browser?.close();
  });

  async function start(options: Partial<ServeOptions> = {}): Promise<RunningServer> {
    const server = await serve({
      paths: [fixturePath('.')],
      host: '127.0.0.1',
      port: 0,
      authority: 'ga4gh',
      log: () => undefined,
      // A browser takes all processors at times, which must not shed its requests.
      serverLimits: { eventLoopMilliseconds: 60_000 },
      ...options,
    });
    closers.push(() => server.close());
    await server.sequences.settled();
    return server;
  }

  async function open(url: string, width = 1200): Promise<{ readonly page: Page; readonly errors: readonly string[] }> {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    closers.push(() => page.close());
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        errors.push(message.text());
    });
    await page.goto(url);
    return { page, errors };
  }

  /** Returns the place that igv.js shows. */
  const placeOf = (page: Page): Promise<string> => page.locator('.igv-search-input').inputValue();

  test('a new region moves it, and moving it changes the region of the link', async () => {
    const { url } = await start();
    const { page, errors } = await open(`${url}/#/reads/reads?region=chr1:10,001-11,000`);
    const igv = await IgvPage.open(page);
    // Another browser would not have the mark.
    await page.evaluate(() => document.querySelector('.igv-frame')?.setAttribute('data-mark', ''));
    await expect.poll(() => placeOf(page)).toMatch(/^chr1:10,00\d-11,00\d$/);
    await page.getByRole('button', { name: 'Move right' }).click();
    await page.waitForURL(/region=chr1%3A10%2C501-11%2C500/);
    await expect.poll(() => placeOf(page)).toMatch(/^chr1:10,50\d-11,50\d$/);
    await igv.goTo('chr2:5,001-6,000');
    await page.waitForURL(/region=chr2%3A5%2C00\d-6%2C00\d&tab=igv/);
    await page.goBack();
    await page.waitForURL(/region=chr1%3A10%2C501-11%2C500/);
    await expect.poll(() => placeOf(page)).toMatch(/^chr1:10,50\d-11,50\d$/);
    expect(await page.getByRole('combobox', { name: 'Region' }).inputValue()).toBe('chr1:10,501-11,500');
    expect(await page.locator('.igv-frame[data-mark]').count()).toBe(1);
    await page.getByRole('tab', { name: 'Data' }).click();
    await page.getByText(/records? overlaps? the region/).waitFor();
    await page.getByRole('tab', { name: 'Genome browser' }).click();
    expect(await page.locator('.igv-frame[data-mark]').count()).toBe(1);
    expect(errors).toEqual([]);
  });

  test('moving it while it still loads a region changes the region of the link', async () => {
    const { url } = await start();
    const { page } = await open(`${url}/#/reads/reads?region=chr1:10,001-11,000`);
    const igv = await IgvPage.open(page);
    const mayLoad = deferred<void>();
    await page.route('**/blocks/**', async (route) => {
      await mayLoad.promise;
      await route.continue();
    });
    await page.getByRole('combobox', { name: 'Region' }).fill('chr1:60,001-61,000');
    const isLoading = page.waitForRequest('**/blocks/**');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await isLoading;
    await igv.goTo('chr2:5,001-6,000');
    await expect.poll(() => page.url()).toMatch(/region=chr2%3A5%2C00\d-6%2C00\d&tab=igv/);
    mayLoad.resolve();
  });

  test('a link has the region and the tracks that it is shared with', async () => {
    const { url } = await start();
    const shared = `${url}/#/reads/reads?region=chr1:10,001-11,000&tab=igv&track=variants/variants&track=reads/reads-csi`;
    const { page, errors } = await open(shared);
    for (const name of ['variants', 'reads-csi'])
      await page.locator('.igv-track-label', { hasText: name }).last().waitFor();
    expect(await page.locator('.igv-track-label').count()).toBe(3);
    await expect.poll(() => placeOf(page)).toMatch(/^chr1:10,00\d-11,00\d$/);
    expect(errors).toEqual([]);
  });

  test('objects that are chosen in the list are shown together', async () => {
    const { url } = await start();
    const { page } = await open(url);
    await page.getByRole('checkbox', { name: 'Show reads/reads with others' }).check();
    await page.getByRole('checkbox', { name: 'Show variants/variants with others' }).check();
    await page.getByRole('link', { name: 'Show 2 together' }).click();
    await page.locator('.igv-track-label', { hasText: 'variants' }).waitFor();
    expect(page.url()).toMatch(/#\/reads\/reads\?tab=igv&track=variants%2Fvariants$/);
  });

  test('shows reads on bare chromosomes if the server has no genome', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'htskit-'));
    closers.push(() => rmSync(folder, { recursive: true }));
    for (const name of ['reads.bam', 'reads.bam.bai']) copyFileSync(fixturePath(name), join(folder, name));
    const { url } = await start({ paths: [folder] });
    const { page, errors } = await open(`${url}/#/reads/reads?region=chr1:1,001-2,000`);
    const igv = await IgvPage.open(page);
    await page.getByText('No genome of this server has these references').waitFor();
    expect(await igv.clickFor({ x: 0.23, y: 61 }, 'Read Name')).toContain('r003037');
    expect(await page.locator('.igv-chromosome-select-widget-container option').allInnerTexts()).toContain('chr2');
    // igv.js reports the bases that there are not.
    expect(errors.filter((error) => !error.startsWith('No sequence for'))).toEqual([]);
  });

  test('says that genomes cannot be listed, rather than that there are none', async () => {
    const { url } = await start({ refget: { authorize: () => 'forbidden' } });
    const { page } = await open(`${url}/#/reads/reads?region=chr1:1,001-2,000&tab=igv`);
    await page.getByText('The genomes of this server cannot be listed').waitFor();
    await page.getByRole('button', { name: 'Enter a token' }).waitFor();
    await page.locator('.igv-track-label', { hasText: 'reads' }).waitFor();
    expect(await page.getByText('No genome of this server').count()).toBe(0);
  });

  test('fits the width of a phone, with its whole toolbar', async () => {
    const { url } = await start();
    const { page } = await open(`${url}/#/reads/reads?region=chr1:1,001-2,000`, 390);
    await IgvPage.open(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    for (const part of ['.igv-search-icon-container', '.igv-windowsize-panel-container', '.igv-zoom-widget-900']) {
      const { x, width } = (await page.locator(part).first().boundingBox()) ?? { x: Number.NaN, width: 0 };
      expect(x + width, part).toBeLessThanOrEqual(390);
    }
  });
});
