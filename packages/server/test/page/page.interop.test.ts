import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fixturePath } from '@htskit/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { writeCoverageFile } from '../../src/coverage/coverage-file.js';
import { type RunningServer, type ServeOptions, serve } from '../../src/runtime/serve.js';
import { hasChromium, launchChromium } from '../chromium.js';
import { lines, runTools } from '../interop-tools.js';

describe.skipIf(!hasChromium)('the page in Chromium', () => {
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

  /** Opens a place. `errors` are what a person would see in the console, apart from statuses. */
  async function open(url: string): Promise<{ readonly page: Page; readonly errors: readonly string[] }> {
    const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
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

  test('lists the objects, and those that a search finds', async () => {
    const { url } = await start();
    const { page, errors } = await open(url);
    await page.getByRole('link', { name: 'long-cigar' }).waitFor();
    for (const name of ['a session of igv.js', 'a configuration of JBrowse']) {
      const href = (await page.getByRole('link', { name }).getAttribute('href')) ?? '';
      expect((await fetch(href)).status).toBe(200);
    }
    const links = await page.getByRole('link', { name: /^(?:JBrowse|IGV)\b/ }).all();
    for (const link of links) {
      const [value = ''] = new URL((await link.getAttribute('href')) ?? '').searchParams.values();
      expect((await fetch(value)).status, value).toBe(200);
    }
    expect(links).toHaveLength(3);
    await page.getByRole('searchbox').fill('VARIANTS-');
    await page.getByRole('link', { name: 'long-cigar' }).waitFor({ state: 'detached' });
    expect(await page.locator('tbody tr').allInnerTexts()).toEqual([
      expect.stringMatching(/^\s*variants-csi\s+variants\s+VCF BCF VCFTEXT\s+VCF\s+CSI\s+47\.3 kB\s*$/),
    ]);
    await page.getByRole('searchbox').fill('nothing like it');
    await page.getByText('No id contains').waitFor();
    expect(errors).toEqual([]);
  });

  test('shows the ticket and the records of a region, as samtools finds them', async () => {
    const { url } = await start();
    const { page, errors } = await open(`${url}/#/reads/reads?region=chr1:1,001-20,000`);
    await page.getByText('142 records overlap the region.').waitFor();
    const names = await page.locator('.records tbody tr td:first-child').allInnerTexts();
    const [sam = ''] = await runTools([['samtools', 'view', fixturePath('reads.bam'), 'chr1:1001-20000']]);
    expect(names).toEqual(
      lines(sam)
        .slice(0, 25)
        .map((line) => line.split('\t')[0]),
    );
    await page.getByRole('tab', { name: 'How it is delivered' }).click();
    await page.waitForURL(/tab=delivery/);
    expect(await page.locator('.picture .block.cut').count()).toBe(2);
    expect(await page.locator('.facts').textContent()).toMatch(/Over-fetch\s*1\.00 ×/);
    await page.getByRole('tab', { name: 'Data' }).click();
    await page.getByRole('button', { name: 'Show more' }).click();
    expect(await page.locator('.records tbody tr').count()).toBe(142);
    expect(errors).toEqual([]);
  });

  test.each([
    ['a BAM', 'reads/reads'],
    ['a CRAM alone', 'reads/v31'],
    ['a VCF', 'variants/variants'],
  ])('the first command for %s reads the region that is shown', async (_, object) => {
    const { url } = await start();
    const { page } = await open(`${url}/#/${object}?region=chr1:1,001-20,000`);
    const shown = (await page.getByText(/records overlap the region/).textContent()) ?? '';
    const count = Number(shown.replace(/ .*/, '').replaceAll(',', ''));
    const command = (await page.locator('.command code').first().textContent()) ?? '';
    const script = command.replace('view -h', 'view').replace('bcftools view', 'bcftools view -H');
    const { stdout } = await promisify(execFile)('sh', ['-c', script]);
    expect(lines(stdout)).toHaveLength(count);
    expect(count).toBeGreaterThan(10);
  });

  test('moves to another region with the keyboard alone', async () => {
    const { url } = await start();
    const { page } = await open(`${url}/#/reads/reads?region=chr1:1,001-2,000`);
    const box = page.getByRole('combobox', { name: 'Region' });
    await box.fill('chr2:1-1k');
    await box.press('Enter');
    await page.waitForURL(/region=chr2%3A1-1%2C000/);
    await page.getByRole('button', { name: 'Zoom out' }).press('Enter');
    await page.waitForURL(/region=chr2%3A1-2%2C000/);
    await page.getByRole('combobox', { name: 'Region' }).fill('chr2:9-1');
    await page.getByRole('button', { name: 'Show', exact: true }).press('Enter');
    expect(await page.getByText('ends before it begins').textContent()).toContain('chr2:9-1');
  });

  test('skips to the content, and stays in the view', async () => {
    const { url } = await start();
    const { page } = await open(`${url}/#/sequences`);
    await page.getByText('chr1, chr2').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    expect(page.url()).toMatch(/#\/sequences$/);
  });

  test.each(['reads/reads?region=chr1:1,001-20,000', 'sequences?search=md5:fe785a241d1b4693a312935effb31b74', 'docs'])(
    'fits the width of a phone: %s',
    async (place) => {
      const { url } = await start();
      const { page } = await open(place === 'docs' ? `${url}/docs` : `${url}/#/${place}`);
      await page.setViewportSize({ width: 390, height: 844 });
      await page.waitForLoadState('networkidle');
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    },
  );

  test('selects a command to copy if there is no clipboard', async () => {
    const { url } = await start();
    const { page, errors } = await open(`${url}/#/reads/reads?region=chr1:1,001-2,000&tab=clients`);
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    // The commands are written again once the genome is known.
    await page.getByRole('tab', { name: 'JBrowse' }).waitFor();
    // What is above them moves them while it loads: a click begins on the button and must end there.
    await page.getByText(/Bars end at/).waitFor();
    await page.waitForLoadState('networkidle');
    await page.getByRole('button', { name: 'Copy the code for samtools' }).click();
    expect(await page.evaluate(() => String(getSelection()))).toMatch(/^samtools view -h /);
    expect(errors).toEqual([]);
  });

  test('requests a ticket and the depth once per region, and the object only once', async () => {
    const { url } = await start();
    const { page } = await open(`${url}/#/reads/reads`);
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url().slice(url.length)));
    await page.getByText(/records overlap the region/).waitFor();
    requested.length = 0;
    await page.evaluate(() => {
      location.hash = '#/reads/reads?region=chr1:1,001-20,000';
    });
    await page.getByText('142 records overlap the region.').waitFor();
    await page.waitForLoadState('networkidle');
    expect(requested.filter((each) => !/^\/(?:blocks|page\/icon)/.test(each)).sort()).toEqual([
      '/coverage/reads?datatype=reads&referenceName=chr1&start=1000&end=20000&bins=500',
      '/reads/reads?referenceName=chr1&start=1000&end=20000',
    ]);
  });

  test.each([
    ['an unknown object', 'reads/nothing', 'There is no such object.'],
    ['an unknown reference', 'reads/reads?region=chr9', /chr9/],
    ['an object whose file is damaged', 'reads/no-references?region=chr1', /chr1/],
    ['an unknown sequence', 'sequences?search=abc', /./],
    ['an unknown collection', 'collection/abc', /./],
  ])('says why there is nothing for %s', async (_, place, message) => {
    const { url } = await start();
    const { page, errors } = await open(`${url}/#/${place}`);
    const alert = page.locator('.notice.failure').first();
    await alert.waitFor();
    expect(await alert.textContent()).toMatch(message);
    expect(errors).toEqual([]);
  });

  test('says why the text of a link is not a region', async () => {
    const { url } = await start();
    const { page } = await open(`${url}/#/reads/reads?region=chr1:9-1`);
    await page.getByText(/^Enter a region such as/).waitFor();
    expect(await page.getByText('ends before it begins').textContent()).toContain('chr1:9-1');
    expect(await page.getByRole('combobox', { name: 'Region' }).inputValue()).toBe('chr1:9-1');
  });

  test('shows the depth of all references, each as a link, and that of the region', async () => {
    const { url } = await start();
    const { page, errors } = await open(`${url}/#/reads/reads?region=chr1:1,001-20,000`);
    await page.getByText(/^Exact depth\. Bars end at 1\.96\.$/).waitFor();
    await page.getByRole('img', { name: /^depth, 0\.277 on average, at most 4$/ }).waitFor();
    await page.getByRole('link', { name: /^chr2, mean depth / }).click();
    await page.waitForURL(/region=chr2$/);
    await page.getByText(/records overlap the region/).waitFor();
    expect(await page.getByRole('link', { name: /^chr2, mean depth / }).getAttribute('aria-current')).not.toBeNull();
    expect(errors).toEqual([]);
  });

  test('marks the region within the depth of all references', async () => {
    const { url } = await start();
    const { page, errors } = await open(`${url}/#/reads/reads?region=chr1:30,001-60,000`);
    await page.getByRole('link', { name: /^chr1, mean depth / }).waitFor();
    const place = async (selector: string): Promise<{ left: number; width: number }> => {
      const { x, width: pixels } = (await page.locator(selector).boundingBox()) ?? { x: 0, width: 0 };
      return { left: x, width: pixels };
    };
    const bars = await place('.reference[title=chr1] .bars');
    const mark = await place('.overview .window');
    expect((mark.left - bars.left) / bars.width).toBeCloseTo(30_000 / 150_000, 2);
    expect(mark.width / bars.width).toBeCloseTo(30_000 / 150_000, 2);
    expect(errors).toEqual([]);
  });

  test('shows the density of variants', async () => {
    const { url } = await start();
    const { page, errors } = await open(`${url}/#/variants/variants?region=chr1:1-150,000`);
    await page.getByRole('img', { name: /^density per 300 bases, 5\.73 on average, at most 13$/ }).waitFor();
    await page.getByRole('link', { name: /^chr1, mean density per 538 bases / }).waitFor();
    expect(errors).toEqual([]);
  });

  test('moves and zooms the region by the wheel, by dragging and by keys, and keeps the focus', async () => {
    const { url } = await start();
    const { page, errors } = await open(`${url}/#/reads/reads?region=chr1:10,001-20,000`);
    const track = page.getByRole('application', { name: /^depth of chr1:10,001-20,000/ });
    await page.getByRole('img', { name: /^depth, / }).waitFor();
    await track.press('ArrowRight');
    await page.waitForURL(/region=chr1%3A12%2C501-22%2C500/);
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('depth');
    await page.keyboard.press('+');
    await page.waitForURL(/region=chr1%3A15%2C001-20%2C000/);
    await page.getByRole('img', { name: /^depth, / }).waitFor();
    const { x = 0, y = 0, width = 0 } = (await page.locator('#depth').boundingBox()) ?? {};
    await page.mouse.move(x + width / 2, y + 20);
    await page.mouse.wheel(0, 300);
    await page.waitForURL(/region=chr1%3A12%2C501-22%2C500/);
    await page.getByRole('img', { name: /^depth, / }).waitFor();
    await page.mouse.move(x + width / 2, y + 20);
    await page.mouse.down();
    await page.mouse.move(x + width / 4, y + 20, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL(/region=chr1%3A15%2C001-25%2C000/);
    await page.goBack();
    await page.waitForURL(/region=chr1%3A12%2C501-22%2C500/);
    expect(errors).toEqual([]);
  });

  test('igv.js shows the region on the genome of this server', async () => {
    const { url } = await start();
    const { page, errors } = await open(`${url}/#/reads/reads?region=chr1:1,001-1,400`);
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    await page.getByRole('tab', { name: 'Genome browser' }).click();
    await page.locator('.igv-track-label', { hasText: 'reads' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(requested.some((each) => each.endsWith('/fasta.fai'))).toBe(true);
    expect(requested.filter((each) => !each.startsWith(url) && !each.startsWith('data:'))).toEqual([]);
    expect(errors).toEqual([]);
  });

  test('igv.js shows the depth of a whole file, if there is a bigWig beside it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'htskit-'));
    closers.push(() => rmSync(folder, { recursive: true }));
    for (const name of ['reads.bam', 'reads.bam.bai', 'genome.fa']) copyFileSync(fixturePath(name), join(folder, name));
    const { signal } = new AbortController();
    const output = join(folder, 'reads.bam.coverage.bw');
    await writeCoverageFile(join(folder, 'reads.bam'), output, { signal, onWarning: () => undefined });
    const { url } = await start({ paths: [folder] });
    const { page, errors } = await open(`${url}/#/reads/reads?region=chr1:1,001-20,000`);
    const statuses: number[] = [];
    page.on('response', (response) => {
      if (response.url().endsWith('.bw') && response.request().method() === 'GET') statuses.push(response.status());
    });
    await page.getByRole('tab', { name: 'Genome browser' }).click();
    await page.locator('.igv-track-label', { hasText: 'depth' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(new Set(statuses)).toEqual(new Set([206]));
    expect(errors).toEqual([]);
  });

  test('finds a sequence by its MD5 and shows some bases', async () => {
    const { url } = await start();
    const { page, errors } = await open(`${url}/#/sequences`);
    await page.getByRole('searchbox').fill('md5:FE785A241D1B4693A312935EFFB31B74');
    await page.getByRole('searchbox').press('Enter');
    await page.getByText('SQ.8AoUMqlDSUokL3gK4yn8Hq9TC6dHKFYN').first().waitFor();
    await page.getByRole('spinbutton', { name: 'Last base' }).fill('70');
    await page.getByRole('spinbutton', { name: 'Last base' }).press('Enter');
    await expect
      .poll(() => page.locator('.slice code').first().textContent())
      .toMatch(/^ 1 {2}GGTGAGG[A-Z]{53}\n61 {2}[A-Z]{10}$/);
    expect(errors).toEqual([]);
  });

  test('compares two collections', async () => {
    const { url } = await start();
    const { page, errors } = await open(`${url}/#/sequences`);
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByText('Names with lengths').waitFor();
    expect(await page.locator('.drawing .box').count()).toBe(8);
    expect(errors).toEqual([]);
  });

  test('shows the documentation of the API', async () => {
    const { url } = await start();
    const { page, errors } = await open(`${url}/docs`);
    await page.getByText('A block of a ticket').first().waitFor();
    expect(errors).toEqual([]);
  });

  test('shows what a token may see, and forgets it', async () => {
    const { url } = await start({
      htsget: {
        authorize: ({ request, id }) =>
          request.headers.get('authorization') === 'Bearer secret' && id === 'reads' ? 'all' : 'unauthenticated',
      },
      refget: {
        authorize: ({ request }) =>
          request.headers.get('authorization') === 'Bearer secret' ? 'all' : 'unauthenticated',
      },
    });
    const { page, errors } = await open(url);
    await page.getByText('No alignments or variants are shown without a token.').waitFor();
    await page.getByRole('link', { name: 'Sequences' }).click();
    await page.getByRole('button', { name: 'Enter a token' }).click();
    await page.getByLabel('Token', { exact: true }).fill('secret');
    await page.getByRole('button', { name: 'Use' }).click();
    await page.getByText('chr1, chr2').waitFor();
    await page.getByRole('link', { name: 'Objects' }).click();
    await page.getByRole('link', { name: 'reads', exact: true }).click();
    await page.getByText(/records overlap the region/).waitFor();
    expect(await page.locator('.command code').first().textContent()).toContain('HTS_AUTH_LOCATION=token.txt');
    expect(await page.content()).not.toContain('secret');
    await page.getByRole('button', { name: 'Token' }).click();
    await page.getByRole('button', { name: 'Forget' }).click();
    await page.getByText('There is no such object, or the token may not see it.').waitFor();
    expect(errors).toEqual([]);
  });

  test('Escape closes the dialog for a token, and Enter saves it', async () => {
    const { url } = await start();
    const { page } = await open(url);
    const saved = (): Promise<string | null> => page.evaluate(() => sessionStorage.getItem('htskit-token'));
    await page.getByRole('button', { name: 'Token' }).press('Enter');
    await page.keyboard.type('abc');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await saved()).toBeNull();
    await page.getByRole('button', { name: 'Token' }).press('Enter');
    await page.keyboard.type('abc');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await saved()).toBe('abc');
  });

  test('works below the path of a proxy, and with blocks from another origin', async () => {
    const { server: proxy, url: publicUrl } = await startProxy('/genomics');
    closers.push(() => void proxy.close());
    const { url } = await start({ publicUrl });
    proxy.target = url;
    for (const base of [publicUrl, url]) {
      const { page, errors } = await open(`${base}/#/reads/reads?region=chr1:1,001-20,000`);
      await page.getByText('142 records overlap the region.').waitFor();
      await page.getByRole('link', { name: 'API' }).click();
      await page.getByText('A block of a ticket').first().waitFor();
      await page.locator('.top').getByRole('link', { name: 'Sequences' }).click();
      await page.getByText('chr1, chr2').waitFor();
      expect(errors).toEqual([]);
    }
  });
});

/** Starts a proxy that removes a path. Its target is set when it is known. */
async function startProxy(prefix: string): Promise<{ server: Server & { target?: string }; url: string }> {
  const server: Server & { target?: string } = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '', headers } = incoming;
    const target = new URL(url.slice(prefix.length) || '/', server.target);
    const request = forward(target, { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    incoming.pipe(request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${port}${prefix}` };
}
