import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HtsgetError, RefgetError, type Ticket } from '@htskit/protocol';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, serve } from '../../src/runtime/serve.js';
import { hasChromium, launchChromium } from '../chromium.js';
import { CANARY, HOSTILE_OBJECTS, SCRIPT_ID, writeHostileFiles, writeScriptVcf } from './hostile-files.js';
import { IgvPage } from './igv-page.js';

const TOKEN = 'the-token-of-a-person';
const AUTHORIZATION = `Bearer ${TOKEN}`;
/** The middle of a base of the reads that differs from the reference, of 800 bases that are shown. */
const MISMATCH = 400.5 / 800;

/** A page, with a record of its actions since it was opened. */
interface Watched {
  readonly page: Page;
  readonly requests: string[];
  /** Dialogs, and errors and warnings of the console: what the policy of a document refuses is among them. */
  readonly reports: string[];
}

/** No script has run, no markup is an element, no other server was asked, no URL has the token, and nothing was refused. */
const HARMLESS: {
  readonly stolen: unknown;
  readonly elements: number;
  readonly elsewhere: readonly string[];
  readonly withToken: readonly string[];
  readonly reports: readonly string[];
} = { stolen: null, elements: 0, elsewhere: [], withToken: [], reports: [] };

describe.skipIf(!hasChromium)('the page with hostile files', () => {
  let browser: Browser;
  let server: RunningServer;
  let blockUrl: string;
  const folder = mkdtempSync(join(tmpdir(), 'htskit-'));
  const pages: Page[] = [];
  beforeAll(async () => {
    browser = await launchChromium();
    await writeScriptVcf(folder);
    // The markup in the other files names a block of this one.
    const first = await startGuarded(folder);
    blockUrl = await findScriptBlock(first.url);
    await first.close();
    await writeHostileFiles(folder, exploitOf(blockUrl));
    server = await startGuarded(folder, Number(new URL(first.url).port));
    await server.sequences.settled();
  });
  afterEach(async () => {
    for (const page of pages.splice(0)) await page.close();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    rmSync(folder, { recursive: true });
  });

  /** Opens a place of the page with the token. */
  async function open(path: string): Promise<Watched> {
    const page = await browser.newPage({ viewport: { width: 1200, height: 1000 } });
    pages.push(page);
    const watched: Watched = { page, requests: [], reports: [] };
    page.on('request', (request) => watched.requests.push(request.url()));
    page.on('pageerror', ({ message }) => watched.reports.push(message));
    page.on('dialog', (dialog) => {
      watched.reports.push(dialog.message());
      void dialog.dismiss();
    });
    page.on('console', (message) => {
      const isStatus = message.text().startsWith('Failed to load resource');
      if (['error', 'warning'].includes(message.type()) && !isStatus) watched.reports.push(message.text());
    });
    await page.addInitScript((token) => {
      if (location.protocol === 'http:') sessionStorage.setItem('htskit-token', token);
    }, TOKEN);
    await page.goto(`${server.url}/${path}`);
    return watched;
  }

  /** Returns the effects of files on the page, all of which must be empty. */
  async function effectsOf({ page, requests, reports }: Watched): Promise<typeof HARMLESS> {
    return {
      stolen: (await page.evaluate(() => Reflect.get(globalThis, 'stolen') as unknown)) ?? null,
      // A locator looks into shadow trees, too.
      elements: await page.locator('.canary, [class^="canary/"], iframe, frame, object, embed').count(),
      elsewhere: requests.filter((url) => !url.startsWith(`${server.url}/`) && !url.startsWith('data:')),
      withToken: requests.filter((url) => url.includes('/stolen') || url.includes(TOKEN)),
      reports,
    };
  }

  test.each(HOSTILE_OBJECTS)('shows $extension of the id $id as text', async ({ datatype, id, extension }) => {
    const path = id.split('/').map(encodeURIComponent).join('/');
    const watched = await open(`#/${datatype}/${path}?region=chr1:1-800`);
    const { page } = watched;
    await page.getByText(/records overlap the region/).waitFor();
    await page.locator('.records button').first().click();
    await page.getByRole('region', { name: 'Record', exact: true }).waitFor();
    for (const tab of ['Data', 'Use elsewhere', 'How it is delivered', 'Header']) {
      await page.getByRole('tab', { name: tab }).click();
      for (const summary of await page.locator('details:not([open]) > summary:visible').all()) await summary.click();
    }
    expect(await page.locator('main').textContent()).toContain(CANARY);
    const igv = await IgvPage.open(page);
    expect(await page.locator('.igv-track-label').textContent()).toBe(id);
    if (datatype === 'reads') await clickReads(igv);
    else await clickVariants(igv);
    // htslib writes no BCF with such a name.
    if (extension !== '.bcf') await igv.goTo('<b/class=canary>:1-800');
    await igv.clickMenus();
    expect(await effectsOf(watched)).toEqual(HARMLESS);
  });

  test.each([
    '#/',
    `#/?search=${encodeURIComponent(CANARY)}`,
    '#/sequences',
    `#/sequences?search=${encodeURIComponent(CANARY)}`,
    `#/reads/${encodeURIComponent(CANARY)}`,
    `#/reads/alignments?region=${encodeURIComponent(CANARY)}`,
    `#/reads/alignments?region=${encodeURIComponent(`${CANARY}:1-2`)}`,
    `#/collection/${encodeURIComponent(CANARY)}`,
    `#/comparison/${encodeURIComponent(CANARY)}/b`,
    'docs',
    `docs#?route=${encodeURIComponent(CANARY)}`,
  ])('shows names and errors as text: %s', async (place) => {
    const watched = await open(place);
    await watched.page.waitForLoadState('networkidle');
    expect(await effectsOf(watched)).toEqual(HARMLESS);
  });

  test('shows the names of sequences as text', async () => {
    const watched = await open('#/sequences');
    const { page } = watched;
    await page.getByText('<b/class=canary>').first().waitFor();
    await page.locator('main a[href^="#/collection/"]').first().click();
    await page.getByRole('cell', { name: '<b/class=canary>' }).first().waitFor();
    expect(await effectsOf(watched)).toEqual(HARMLESS);
  });

  test('igv.js asks no other server for a name, a base that differs, an alignment of bases, or after a failure', async () => {
    const watched = await open('#/reads/alignments?region=chr1:1-800');
    const igv = await IgvPage.open(watched.page);
    await igv.clickFor({ x: MISMATCH, y: 30 }, 'Total Count');
    await igv.clickFor({ x: MISMATCH, y: 61 }, 'Read Name');
    await igv.goTo('BRCA1');
    await igv.dismiss('BRCA1');
    await igv.clickMenu({ x: MISMATCH, y: 61 }, 'BLAT visible sequence');
    await igv.dismiss('sends no bases to other servers');
    await watched.page.route('**/reads/alignments?**', (route) => route.fulfill({ status: 503, body: '{}' }));
    await igv.goTo('<b/class=canary>:1-500');
    await igv.dismiss('503');
    const reports = watched.reports.splice(0);
    expect(await effectsOf(watched)).toEqual(HARMLESS);
    expect(reports.filter((report) => !/status: 503|unrecognized locus/i.test(report))).toEqual([]);
  });

  test('no browser runs a block as a script', async () => {
    const page = await browser.newPage();
    pages.push(page);
    await page.setContent(`<script src="${blockUrl}"></script>`, { waitUntil: 'networkidle' });
    expect(await page.evaluate(() => Reflect.get(globalThis, 'hasRun') as unknown)).toBeUndefined();
    const response = await fetch(blockUrl);
    expect(await response.text()).toContain('top.hasRun=1');
  });

  test('the policy of a document refuses frames, and scripts without its nonce, to browsers without Trusted Types', async () => {
    const page = await browser.newPage();
    pages.push(page);
    await page.route(`${server.url}/`, async (route) => {
      const response = await route.fetch();
      const policy = response.headers()['content-security-policy']?.replace(/; require-trusted-types-for .*$/, '');
      await route.fulfill({ response, headers: { ...response.headers(), 'content-security-policy': policy ?? '' } });
    });
    // As if a block were a script.
    await page.route('**/blocks/**', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: 'top.hasRun=1' }),
    );
    await page.goto(server.url);
    await page.getByText('are shown without a token').waitFor();
    await page.evaluate(injectScripts, new URL(blockUrl).pathname);
    await expect
      .poll(() => page.evaluate(() => [...new Set(Reflect.get(globalThis, 'refused') as string[])].sort()))
      .toEqual(['frame-src', 'object-src', 'script-src-attr', 'script-src-elem']);
    expect(await page.evaluate(() => Reflect.get(globalThis, 'hasRun') as unknown)).toBeUndefined();
  });

  test('no string is HTML, a script or the URL of a script', async () => {
    const { page } = await open('#/');
    const thrown = await page.evaluate(() =>
      [
        () => document.body.insertAdjacentHTML('beforeend', '<b></b>'),
        () => Object.assign(document.createElement('script'), { src: '/blocks/a' }),
        () => Object.assign(document.createElement('script'), { text: '1' }),
        () => Object.assign(document.createElement('iframe'), { srcdoc: '<b></b>' }),
      ].map((act) => {
        try {
          act();
          return undefined;
        } catch (error) {
          return String(error).match(/Trusted\w+/)?.[0];
        }
      }),
    );
    expect(thrown).toEqual(['TrustedHTML', 'TrustedScriptURL', 'TrustedScript', 'TrustedHTML']);
  });
});

/** Runs in the page: adds elements that run the script at a path, and notes what the policy refuses. */
function injectScripts(path: string): void {
  const directives: string[] = [];
  Reflect.set(globalThis, 'refused', directives);
  addEventListener('securitypolicyviolation', ({ effectiveDirective }) => directives.push(effectiveDirective));
  const script = `<script src="${path}"></script>`;
  document.body.insertAdjacentHTML(
    'beforeend',
    `<iframe src="${path}"></iframe><iframe srcdoc='${script}'></iframe><object data="${path}"></object><img src="data:," onerror="top.hasRun=1">`,
  );
  document.body.append(document.createRange().createContextualFragment(script));
}

/** Clicks on the coverage, on reads, and on what opens there. */
async function clickReads(igv: IgvPage): Promise<void> {
  await igv.clickFor({ x: MISMATCH, y: 30 }, 'Total Count');
  for (const y of [61, 70]) {
    expect(await igv.clickFor({ x: MISMATCH, y }, 'Read Name')).toContain(`'"><b/class=canary>x</b><iframe/srcdoc="`);
  }
  await igv.clickMenu({ x: MISMATCH, y: 61 }, 'View read sequence');
  await igv.dismiss('GCGTAGCA');
  await igv.clickMenu({ x: MISMATCH, y: 61 }, 'Group by base @chr1:401');
  // The name of the reference of the mate is on a label of its own.
  await igv.clickMenu({ x: MISMATCH, y: 61 }, 'View mate in split screen');
  const label = igv.page.locator('.igv-frame').getByText(/<b\/class=canary>\s*[\d,.]+\s*[kM]?b/);
  await label.first().waitFor();
}

/** Clicks on a variant, and on the genotypes of both samples. */
async function clickVariants(igv: IgvPage): Promise<void> {
  for (const y of [15, 25, 40]) {
    expect(await igv.clickFor({ x: 399.5 / 800, y }, 'PLAIN')).toContain(`'"><b/class=canary>x</b><iframe/srcdoc="`);
  }
}

/** Returns markup whose script is a block of the server. */
function exploitOf(url: string): string {
  return `'"><b/class=canary>x</b><iframe/srcdoc="<script/src='${new URL(url).pathname}'></script>"></iframe>`;
}

function startGuarded(folder: string, port = 0): Promise<RunningServer> {
  const isPermitted = ({ headers }: Request): boolean => headers.get('authorization') === AUTHORIZATION;
  return serve({
    paths: [folder],
    host: '127.0.0.1',
    port,
    authority: 'ga4gh',
    log: () => undefined,
    signingKeys: [new Uint8Array(32)],
    // A browser takes all processors at times, which must not shed its requests.
    serverLimits: { eventLoopMilliseconds: 60_000 },
    htsget: {
      authorize: ({ request }) => {
        if (!isPermitted(request)) throw new HtsgetError('InvalidAuthentication', 'a token is needed');
        return 'all';
      },
    },
    refget: {
      authorize: ({ request }) => {
        if (!isPermitted(request)) throw new RefgetError('Unauthorized', 'a token is needed');
        return 'all';
      },
    },
  });
}

/** Returns the URL of the block that is a script: the records of a VCF as text. */
async function findScriptBlock(base: string): Promise<string> {
  const url = `${base}/variants/${SCRIPT_ID}?format=VCFTEXT&referenceName=${encodeURIComponent('1/*')}`;
  const response = await fetch(url, { headers: { authorization: AUTHORIZATION } });
  const { htsget } = (await response.json()) as Ticket;
  for (const { url: block } of htsget.urls) {
    const text = block.startsWith('data:') ? '' : await (await fetch(block)).text();
    if (text.startsWith('1/*')) return block;
  }
  throw new Error('no block holds only records');
}
