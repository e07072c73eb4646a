import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HtsgetError } from '@htskit/protocol';
import { fixturePath } from '@htskit/testing';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, type ServeOptions, serve } from '../../src/runtime/serve.js';
import { hasChromium, launchChromium } from '../chromium.js';
import { lines, runTools } from '../interop-tools.js';

const SIZES = [
  { width: 1280, height: 1000 },
  { width: 390, height: 844 },
] as const;

/** A token that has expired, and one that is valid for long. Only their payloads count here. */
const tokenOf = (claims: object): string => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;
const OLD = tokenOf({ sub: 'alice', exp: 1_000_000_000 });
const VALID = tokenOf({ name: 'Alice', iss: 'https://login.example', exp: 4_000_000_000 });

describe.skipIf(!hasChromium).each(SIZES)('a person with a window of $width pixels', (viewport) => {
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

  async function open(url: string): Promise<{ readonly page: Page; readonly errors: readonly string[] }> {
    const page = await browser.newPage({ viewport, acceptDownloads: true });
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

  test('opens a BAM, sees reads, and looks at one of them', async () => {
    const { url } = await start();
    const { page, errors } = await open(url);
    await page.getByRole('link', { name: 'reads', exact: true }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'reads', exact: true }).click();
    const pileup = page.getByRole('img', { name: /^\d+ reads? in \d+ rows?$/ });
    await pileup.waitFor();
    await expectAccessible(page);
    const box = page.getByRole('combobox', { name: 'Region' });
    await box.fill('chr1 1001 20000');
    await box.press('Enter');
    await page.waitForURL(/region=chr1%3A1%2C001-20%2C000/);
    await page.getByText('142 records overlap the region.').waitFor();
    await page.getByRole('button', { name: 'r001231' }).press('Enter');
    const record = page.getByRole('region', { name: 'Record', exact: true });
    await record.getByText('chr1:1,788-1,827, forward strand').waitFor();
    expect(await record.getByRole('img', { name: 'CIGAR 20M2I20M' }).count()).toBe(1);
    // Two bases are inserted.
    expect(await record.locator('pre mark').allInnerTexts()).toHaveLength(2);
    await expectAccessible(page);
    await record.getByRole('button', { name: 'Close' }).click();
    await record.waitFor({ state: 'hidden' });
    await page.goBack();
    await pileup.waitFor();
    expect(page.url()).not.toContain('20%2C000');
    expect(errors).toEqual([]);
  });

  test('opens a file without reads, and its header', async () => {
    const { url } = await start();
    const { page, errors } = await open(`${url}/#/reads/empty`);
    await page.getByText('The depth is 0 everywhere.').waitFor();
    await page.getByText('Enter a region such as chr1:1,000-2,000').waitFor();
    expect(await page.locator('.region-track').isVisible()).toBe(false);
    const tab = page.getByRole('tab', { name: 'Header' });
    await page.goto(`${url}/#/reads/empty?tab=header`);
    await page.getByText('@HD').waitFor();
    const { x = 0, width = 0 } = (await tab.boundingBox()) ?? {};
    expect(x + width).toBeLessThanOrEqual(viewport.width);
    await expectAccessible(page);
    expect(errors).toEqual([]);
  });

  test('filters the reads, and sees that the depth stays', async () => {
    const { url } = await start();
    const { page } = await open(`${url}/#/reads/reads?region=chr1:1,001-20,000&minMappingQuality=254`);
    await page.getByText(/overlaps? the region and pass(?:es)? the filters\.$/).waitFor();
    const note = page.getByText('The filters do not change the depth.');
    await note.waitFor();
    expect(await note.count()).toBe(1);
    await expectAccessible(page);
  });

  test('compares the genotypes of a family, and shows them beside the reads of one sample', async () => {
    const { url } = await start();
    const { page, errors } = await open(`${url}/#/variants/variants?region=chr1:1,001-5,000`);
    await page.getByRole('img', { name: /^Genotypes of 4 samples at \d+ variants$/ }).waitFor();
    expect(await page.getByRole('list', { name: 'Samples' }).locator('li').allInnerTexts()).toEqual([
      'alice',
      'bob',
      'carol',
      'dave',
    ]);
    await expectAccessible(page);
    await page.getByText('Filters', { exact: true }).click();
    await page.getByRole('combobox', { name: 'Samples, with commas between them' }).fill('alice,carol');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL(/samples=alice%2Ccarol/);
    await page.getByRole('img', { name: /^Genotypes of 2 samples at \d+ variants$/ }).waitFor();
    await page.getByRole('tab', { name: 'Genome browser' }).click();
    await page.locator('.igv-track-label', { hasText: 'variants' }).waitFor();
    await page.getByRole('combobox', { name: 'Add a track' }).selectOption('reads/reads');
    await page.waitForURL(/track=reads%2Freads/);
    await page.locator('.igv-track-label', { hasText: 'reads' }).waitFor();
    await page.getByRole('button', { name: 'Remove reads/reads' }).click();
    await page.locator('.igv-track-label', { hasText: 'reads' }).waitFor({ state: 'detached' });
    expect(page.url()).not.toContain('track=');
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);
    expect(errors).toEqual([]);
  });

  test('compares a trio: finds a gene, sees the variant that only the child has, and opens three tracks', async () => {
    const { url } = await start({ paths: [fileURLToPath(new URL('../../../../demo', import.meta.url))] });
    const { page, errors } = await open(`${url}/#/variants/family`);
    const box = page.getByRole('combobox', { name: 'Region' });
    await page.getByRole('img', { name: /^Genotypes of 3 samples/ }).waitFor();
    await box.fill('demo3');
    await box.press('Enter');
    await page.waitForURL(/region=chr1%3A31%2C001-40%2C400/);
    await page.getByRole('button', { name: '34,124' }).click();
    const record = page.getByRole('region', { name: 'Record', exact: true });
    await record.waitFor();
    const genotypes = await record.getByRole('region', { name: 'Genotypes' }).locator('tbody tr').allInnerTexts();
    expect(genotypes.map((row) => row.split('\t').slice(0, 2))).toEqual([
      ['child', '0|1 (C|T)'],
      ['mother', '0|0 (C|C)'],
      ['father', '0|0 (C|C)'],
    ]);
    await page.getByRole('tab', { name: 'Genome browser' }).click();
    for (const name of ['child', 'mother', 'father']) {
      await page.getByRole('combobox', { name: 'Add a track' }).selectOption(`reads/${name}`);
      await page.locator('.igv-track-label', { hasText: name }).waitFor();
    }
    await page.locator('.igv-track-label', { hasText: 'genes.gff3.gz' }).waitFor();
    // igv.js finds the gene, too.
    await page.locator('.igv-search-input').fill('DEMO2');
    await page.locator('.igv-search-input').press('Enter');
    await page.waitForURL(/region=chr1%3A1\d%2C\d{3}-2\d%2C\d{3}&tab=igv/);
    expect(errors).toEqual([]);
  });

  test('finds a sequence by its name', async () => {
    const { url } = await start();
    const { page, errors } = await open(url);
    await page.locator('.top').getByRole('link', { name: 'Sequences' }).click();
    await page.getByRole('searchbox').fill('chrm');
    await page.getByRole('searchbox').press('Enter');
    await page.getByText('SQ.').first().waitFor();
    await page.getByText(/^ *1 {2}[A-Z]{60}\n/).waitFor();
    await page.getByRole('link', { name: 'genome.fa' }).first().waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.locator('.verdict').waitFor();
    expect(await page.locator('.verdict').textContent()).toMatch(/^[1-9N]/);
    await expectAccessible(page);
    expect(errors).toEqual([]);
  });

  test('downloads a region in several formats', async () => {
    const { url } = await start();
    const { page, errors } = await open(`${url}/#/reads/reads?region=chr1:1,001-20,000`);
    await page.getByText('142 records overlap the region.').waitFor();
    const folder = mkdtempSync(join(tmpdir(), 'htskit-'));
    closers.push(() => rmSync(folder, { recursive: true }));
    const save = async (format: string, name: string): Promise<string> => {
      await page.getByRole('combobox', { name: 'Format' }).selectOption(format);
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download' }).click();
      const download = await saved;
      expect(download.suggestedFilename()).toBe(name);
      const path = join(folder, name);
      await download.saveAs(path);
      await page.getByText(`Saved ${name}`).waitFor();
      return path;
    };
    const bam = await save('BAM', 'reads.chr1_1001-20000.bam');
    const cram = await save('CRAM', 'reads.chr1_1001-20000.cram');
    const [count, other] = await runTools([
      ['samtools', 'view', '-c', bam],
      ['samtools', 'quickcheck', '-v', cram],
    ]);
    expect([count?.trim(), other]).toEqual(['142', '']);
    const fasta = readFileSync(await save('FASTA', 'reads.chr1_1001-20000.fa'), 'utf8');
    const [expected = ''] = await runTools([['samtools', 'faidx', fixturePath('genome.fa'), 'chr1:1001-20000']]);
    expect(lines(fasta)[0]).toBe('>chr1:1001-20000');
    const basesOf = (text: string): string => lines(text).slice(1).join('').toUpperCase();
    expect(basesOf(fasta)).toBe(basesOf(expected));
    expect(errors).toEqual([]);
  });

  test('cancels a download', async () => {
    const { url } = await start();
    const { page } = await open(`${url}/#/reads/reads?region=chr1:1,001-20,000`);
    await page.getByText('142 records overlap the region.').waitFor();
    await page.route('**/blocks/**', () => undefined);
    await page.getByRole('button', { name: 'Download' }).click();
    await page.getByRole('progressbar').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('The download was cancelled.').waitFor();
    expect(await page.getByRole('progressbar').count()).toBe(0);
  });

  test('uses a token: an expired one is refused, a valid one says whose it is', async () => {
    const { url } = await start({
      htsget: {
        authorize: ({ request }) => {
          const header = request.headers.get('authorization');
          if (header === `Bearer ${VALID}`) return 'all';
          if (header === null) return 'unauthenticated';
          throw new HtsgetError('InvalidAuthentication', 'the token has expired');
        },
      },
    });
    const { page, errors } = await open(url);
    const use = async (button: string, token: string): Promise<void> => {
      await page.getByRole('button', { name: button }).first().click();
      await page.getByLabel('Token', { exact: true }).fill(token);
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Use' }).click();
    };
    await use('Enter a token', OLD);
    await page.getByText('No objects are shown: the token has expired.').waitFor();
    await page.getByRole('button', { name: 'Token of alice, expired' }).waitFor();
    await use('Token of alice', `Bearer ${VALID}`);
    await page.getByRole('link', { name: 'reads', exact: true }).waitFor();
    await page.getByRole('button', { name: /^Token of Alice, until .*2096/ }).click();
    await page.getByText(/^This token is of Alice, by https:\/\/login\.example\. It is valid until .*2096/).waitFor();
    await page.getByRole('button', { name: 'Forget' }).click();
    await page.getByRole('button', { name: 'Token', exact: true }).waitFor();
    await page.getByText('No alignments or variants are shown without a token.').waitFor();
    expect(errors).toEqual([]);
  });
});

/** Expects no violation of the rules of axe, and nothing wider than the window. igv.js has rules of its own. */
async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const { run } = Reflect.get(globalThis, 'axe') as typeof axe;
    const { violations: found } = await run({ exclude: ['.igv-frame'] });
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
  });
  expect(violations).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
}
