import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixturePath } from '@htskit/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, type ServeOptions, serve } from '../../../src/runtime/serve.js';
import { hasChromium, launchChromium } from '../../chromium.js';
import { lines, runTool } from '../../interop-tools.js';
import { runCommand } from '../../run-command.js';
import { installedVersion } from '../installed-version.js';
import { drawnHeights } from './drawn-heights.js';
import { serveIgv } from './igv-server.js';
import { downloadJBrowse, JBROWSE_VERSION, NEWER_JBROWSE_VERSION, serveJBrowse } from './jbrowse-server.js';
import type { PageServer } from './page-server.js';

/** The region that both show at first: the first window of the index that has records. */
const REGION = { referenceName: 'chr1', start: 0, end: 16_384 };

const scratch = mkdtempSync(join(tmpdir(), 'htskit-'));
// Skipped without a package registry, also where CI is set: not every CI reaches one.
const jbrowse = new Map<string, Buffer>();
for (const version of [JBROWSE_VERSION, NEWER_JBROWSE_VERSION]) {
  const script = await downloadJBrowse(scratch, 'react-app2', version);
  if (script !== undefined) jbrowse.set(version, script);
}

const isKnown = ({ headers }: Request): boolean => headers.get('authorization') === 'Bearer secret';

async function start(folder: string, options: Partial<ServeOptions> = {}): Promise<RunningServer> {
  const given = { paths: [folder], host: '127.0.0.1', port: 0, authority: 'ga4gh', log: () => undefined } as const;
  const server = await serve({ ...given, ...options });
  await server.sequences.settled();
  return server;
}

interface Opened {
  readonly tracks: readonly string[];
  readonly reads: Readonly<Record<string, readonly string[]>>;
}

describe.skipIf(!hasChromium)('the configurations of browsers that the server has', () => {
  let browser: Browser;
  let server: RunningServer;
  /** Shows everything to a token alone. */
  let guarded: RunningServer;
  beforeAll(async () => {
    browser = await launchChromium();
    const folder = join(scratch, 'served');
    mkdirSync(join(folder, 'a b'), { recursive: true });
    copyFileSync(fixturePath('genome.fa'), join(folder, 'genome.fa'));
    for (const name of ['reads.bam', 'reads.bam.bai']) copyFileSync(fixturePath(name), join(folder, 'a b', name));
    for (const name of ['reads.cram', 'reads.cram.crai', 'variants.vcf.gz', 'variants.vcf.gz.tbi']) {
      copyFileSync(fixturePath(name), join(folder, name));
    }
    await runCommand(['index', '--coverage', join(folder, 'a b', 'reads.bam')]);
    server = await start(folder);
    guarded = await start(folder, {
      htsget: { authorize: ({ request }) => (isKnown(request) ? 'all' : 'unauthenticated') },
      refget: { authorize: ({ request }) => (isKnown(request) ? 'all' : 'unauthenticated') },
    });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await guarded?.close();
    rmSync(scratch, { recursive: true });
  });

  /** Opens a configuration. `errors` are what a person would see in the console. */
  async function open(
    { url }: PageServer,
    options: { readonly url: string; readonly oauthToken?: string },
  ): Promise<{ readonly page: Page; readonly opened: Opened; readonly errors: readonly string[] }> {
    const page = await browser.newPage({ viewport: { width: 1100, height: 620 } });
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await page.goto(url);
    const input = JSON.stringify({ ...options, region: REGION });
    return { page, opened: await page.evaluate<Opened>(`openSession(${input})`), errors };
  }

  /** Returns the names of the reads of the region without some flags, as samtools finds them. */
  async function samtoolsNames(flags: string): Promise<readonly string[]> {
    const text = await runTool(['samtools', 'view', '-F', flags, fixturePath('reads.bam'), 'chr1:1-16384']);
    return lines(text).map((line) => line.split('\t')[0] ?? '');
  }

  const sorted = (reads: Opened['reads']): object =>
    Object.fromEntries(Object.entries(reads).map(([name, values]) => [name, [...values].sort()]));

  test.each([
    ['', undefined],
    [' with a token', 'secret'],
  ])(`igv.js ${installedVersion('igv')} opens its session%s and reads what samtools finds`, async (_, oauthToken) => {
    const pages = await serveIgv();
    const { url } = oauthToken === undefined ? server : guarded;
    const options = { url: `${url}/igv/session.json`, ...(oauthToken !== undefined && { oauthToken }) };
    const { page, opened, errors } = await open(pages, options);
    expect(opened.tracks).toEqual(['a b/reads depth', 'variants']);
    const names = await samtoolsNames('UNMAP,QCFAIL,DUP');
    expect(sorted(opened.reads)).toEqual(sorted({ 'a b/reads': names, reads: names }));
    await page.locator('.igv-track-label', { hasText: 'a b/reads depth' }).waitFor();
    expect(errors).toEqual([]);
    await page.close();
    pages.close();
  });

  test.skipIf(jbrowse.size === 0).each([JBROWSE_VERSION, NEWER_JBROWSE_VERSION])(
    'JBrowse %s opens its configuration and draws all datatypes',
    async (version) => {
      const pages = await serveJBrowse(jbrowse.get(version) ?? Buffer.of(), 'jbrowse-app-page.mjs');
      const { page, opened, errors } = await open(pages, { url: `${server.url}/jbrowse/config.json` });
      expect(opened.tracks).toEqual(['a b/reads depth', 'reads depth', 'variants']);
      // The display leaves some out, and not the adapter.
      const names = await samtoolsNames('0');
      expect(sorted(opened.reads)).toEqual(sorted({ 'a b/reads': names, reads: names }));
      const tracks = page.locator('[data-testid^="trackRenderingContainer"]');
      await expect.poll(() => tracks.count()).toBe(4);
      const area = await tracks.first().boundingBox();
      if (area === null) throw new Error('there is no track');
      await expect.poll(async () => Math.max(...(await drawnHeights(page, area, 10)))).toBeGreaterThan(20);
      expect(await page.getByText(/error/i).allTextContents()).toEqual([]);
      expect(errors).toEqual([]);
      await page.close();
      pages.close();
    },
  );
});
