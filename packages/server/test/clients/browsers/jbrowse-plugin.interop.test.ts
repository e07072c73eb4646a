import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixturePath } from '@htskit/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningServer, type ServeOptions, serve } from '../../../src/runtime/serve.js';
import { hasChromium, launchChromium } from '../../chromium.js';
import { lines, runTool } from '../../interop-tools.js';
import { collectionOf } from '../collection-of.js';
import { downloadJBrowse, JBROWSE_VERSION, serveJBrowse } from './jbrowse-server.js';
import { buildJBrowseWorker } from './jbrowse-worker.js';
import type { PageServer } from './page-server.js';

const REGION = { referenceName: 'chr1', start: 0, end: 30_000 };
/** A read at every fourth base of a stretch: too many for JBrowse to show the reads of the whole sequence. */
const DENSE = { start: 15_000, end: 120_000, step: 4, length: 100 };

/** The panel above the reads of a track. */
const PANEL = '[data-testid="Blockset-snpcoverage"]';

const scratch = mkdtempSync(join(tmpdir(), 'htskit-'));
// Skipped without a package registry, also where CI is set: not every CI reaches one.
const jbrowse = await downloadJBrowse(scratch, 'react-app2');

const isKnown = ({ headers }: Request): boolean => headers.get('authorization') === 'Bearer secret';
const toLocation = (uri: string): object => ({ uri, locationType: 'UriLocation' });

async function start(folder: string, options: Partial<ServeOptions> = {}): Promise<RunningServer> {
  const given = { paths: [folder], host: '127.0.0.1', port: 0, authority: 'ga4gh', log: () => undefined } as const;
  const server = await serve({ ...given, ...options });
  await server.sequences.settled();
  return server;
}

/** Writes reads that match the reference, with an index. */
async function writeDenseReads(folder: string): Promise<void> {
  const { start, end, step, length } = DENSE;
  const count = (end - start) / step;
  const reads = Array.from(
    { length: count },
    (_, i) => `r${i}\t0\tchr1\t${start + i * step + 1}\t60\t${length}M\t*\t0\t0\t*\t*\tMD:Z:${length}`,
  );
  const header = ['@HD\tVN:1.6\tSO:coordinate', '@SQ\tSN:chr1\tLN:150000'];
  writeFileSync(join(folder, 'dense.sam'), `${[...header, ...reads].join('\n')}\n`);
  const bam = join(folder, 'dense.bam');
  await runTool(['samtools', 'view', '-b', '-o', bam, join(folder, 'dense.sam')]);
  await runTool(['samtools', 'index', bam]);
}

describe.skipIf(!hasChromium || jbrowse === undefined)(`the plugin in JBrowse ${JBROWSE_VERSION}`, () => {
  let browser: Browser;
  let server: RunningServer;
  let pages: PageServer;
  beforeAll(async () => {
    browser = await launchChromium();
    const folder = join(scratch, 'served');
    mkdirSync(folder);
    for (const name of ['genome.fa', 'reads.bam', 'reads.bam.bai', 'variants.vcf.gz', 'variants.vcf.gz.tbi']) {
      copyFileSync(fixturePath(name), join(folder, name));
    }
    await writeDenseReads(folder);
    server = await start(folder);
    const files = ['variants.vcf.gz', 'variants.bcf', 'variants.bcf.csi'].map((name) => {
      const content = { type: 'application/octet-stream', body: readFileSync(fixturePath(name)) };
      return [`/${name}`, content] as const;
    });
    pages = await serveJBrowse(jbrowse ?? Buffer.of(), 'jbrowse-app-page.mjs', new Map(files));
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    pages?.close();
    rmSync(scratch, { recursive: true });
  });

  interface Opened {
    readonly page: Page;
    readonly reads: Readonly<Record<string, readonly string[]>>;
    /** The paths that are requested from the server. */
    readonly paths: readonly string[];
    readonly errors: readonly string[];
  }

  async function open({ url }: PageServer, options: Readonly<Record<string, unknown>>): Promise<Opened> {
    const page = await browser.newPage({ viewport: { width: 1100, height: 900 } });
    const errors: string[] = [];
    const paths: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    page.on('request', (request) => paths.push(new URL(request.url()).pathname));
    await page.goto(url);
    const input = { url: `${server.url}/jbrowse/config.json`, region: REGION, ...options };
    const { reads } = await page.evaluate<Pick<Opened, 'reads'>>(`openSession(${JSON.stringify(input)})`);
    return { page, reads, paths, errors };
  }

  async function readFeatures(page: Page, ...input: readonly object[]): Promise<readonly Record<string, unknown>[]> {
    return page.evaluate(`readFeatures(${input.map((each) => JSON.stringify(each)).join()})`);
  }

  test('reads are those of the htsget adapter of JBrowse, field by field', async () => {
    const { page } = await open(pages, {});
    const own = { type: 'HtsgetBamAdapter', htsgetBase: `${server.url}/reads`, htsgetTrackId: 'reads' };
    const ours = { type: 'HtskitReadsAdapter', htsgetLocation: toLocation(`${server.url}/reads/reads`) };
    const options = { filterBy: { flagExclude: 4 } };
    const expected = await readFeatures(page, own, REGION, options);
    // JBrowse has reads that cover no base as features of no length, and qualities of 255 if none are stored.
    const normalized = expected.map(({ start: at, end, qual, ...feature }) => ({
      ...feature,
      start: at,
      end: end === at ? Number(at) + 1 : end,
      qual: /^255(?: 255)*$/.test(String(qual)) ? undefined : qual,
    }));
    expect(await readFeatures(page, ours, REGION, options)).toEqual(normalized);
    expect(expected.length).toBeGreaterThan(1000);
    await page.close();
  });

  test('variants of htsget and of BCF files are those of the VCF adapter of JBrowse, field by field', async () => {
    const { page } = await open(pages, {});
    const own = { type: 'VcfAdapter', vcfLocation: toLocation(`${pages.url}/variants.vcf.gz`) };
    const expected = await readFeatures(page, own, REGION);
    // JBrowse lists them by its index of intervals.
    const toKey = (feature: Record<string, unknown>): string => JSON.stringify([feature['POS'], feature['ID']]);
    const sorted = (features: typeof expected): object =>
      [...features].sort((x, y) => toKey(x).localeCompare(toKey(y)));
    const service = { type: 'HtskitVariantsAdapter', htsgetLocation: toLocation(`${server.url}/variants/variants`) };
    const bcf = { type: 'HtskitBcfAdapter', bcfLocation: toLocation(`${pages.url}/variants.bcf`) };
    expect(sorted(await readFeatures(page, service, REGION))).toEqual(sorted(expected));
    expect(sorted(await readFeatures(page, bcf, REGION))).toEqual(sorted(expected));
    expect(expected.length).toBeGreaterThan(500);
    await page.close();
  });

  test('bases of a collection are those of its FASTA', async () => {
    const { page } = await open(pages, {});
    const collection = `${server.url}/collection/${await collectionOf(server.url)}`;
    const fasta = {
      fastaLocation: toLocation(`${collection}/fasta`),
      faiLocation: toLocation(`${collection}/fasta.fai`),
    };
    const [expected] = await readFeatures(page, { type: 'IndexedFastaAdapter', ...fasta }, REGION);
    const ours = { type: 'HtskitSequenceAdapter', collectionLocation: toLocation(collection) };
    const [found] = await readFeatures(page, ours, REGION);
    expect(found?.['seq']).toBe(String(expected?.['seq']).toUpperCase());
    await page.close();
  });

  /** Opens only the dense reads. */
  async function showDense(location: string): Promise<Opened> {
    const opened = await open(pages, { location, tracks: ['reads/dense'], region: { ...REGION, end: 1 } });
    await opened.page.locator(`${PANEL} canvas`).first().waitFor();
    return opened;
  }

  test('a track of reads shows their depth when zoomed out, without a request for reads', async () => {
    const { page, paths, errors } = await showDense('chr1:1..150,000');
    const expected = [0, 1, 1, 1, 1, 1, 1, 1, 0, 0];
    await expect
      .poll(async () => (await page.evaluate(measureCover, PANEL)).map((part) => Math.round(part * 10) / 10))
      .toEqual(expected);
    await page.getByText('Zoom in to see features').first().waitFor();
    expect(paths).toContain('/coverage/dense');
    expect(errors).toEqual([]);
    await page.close();
  });

  test('and its reads when zoomed in', async () => {
    const { page, paths, errors } = await showDense('chr1:80,001..82,000');
    await page.locator('[data-testid="Blockset-pileup"] canvas').first().waitFor();
    expect(paths).not.toContain('/coverage/dense');
    expect(errors).toEqual([]);
    await page.close();
  });

  test('workers of JBrowse load the plugin and send the token of the internet account', async () => {
    const guarded = await start(join(scratch, 'served'), {
      htsget: { authorize: ({ request }) => (isKnown(request) ? 'all' : 'unauthenticated') },
      refget: { authorize: ({ request }) => (isKnown(request) ? 'all' : 'unauthenticated') },
    });
    const worker = { type: 'text/javascript', body: await buildJBrowseWorker(scratch) };
    const withWorker = await serveJBrowse(
      jbrowse ?? Buffer.of(),
      'jbrowse-app-page.mjs',
      new Map([['/worker.js', worker]]),
    );
    const url = `${guarded.url}/jbrowse/config.json`;
    const opened = await open(withWorker, { url, oauthToken: 'secret', worker: '/worker.js' });
    const text = await runTool(['samtools', 'view', fixturePath('reads.bam'), `chr1:1-${REGION.end}`]);
    expect([...(opened.reads['reads'] ?? [])].sort()).toEqual(
      lines(text)
        .map((line) => line.split('\t')[0] ?? '')
        .sort(),
    );
    expect(opened.page.workers().map((each) => new URL(each.url()).pathname)).toContain('/worker.js');
    expect(opened.errors).toEqual([]);
    await opened.page.close();
    withWorker.close();
    await guarded.close();
  });
});

/** Returns the part of the columns of pixels that have a bar, for each tenth of a view. Runs in the page. */
function measureCover(panel: string): number[] {
  const parts = Array.from({ length: 10 }, () => 0);
  const view = document.querySelector('[data-testid^="trackRenderingContainer"]')?.getBoundingClientRect();
  for (const canvas of document.querySelectorAll<HTMLCanvasElement>(`${panel} canvas`)) {
    const { left, width } = canvas.getBoundingClientRect();
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d');
    if (copy === null || view === undefined || canvas.width === 0) continue;
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    for (let x = 0; x < canvas.width; x++) {
      const hasBar = Array.from({ length: canvas.height }, (_, y) => data[4 * (y * canvas.width + x) + 3]).some(
        Boolean,
      );
      const part = Math.floor(((left - view.left + (x / canvas.width) * width) / view.width) * 10);
      const column = ((width / canvas.width) * 10) / view.width;
      if (hasBar && part >= 0 && part < 10) parts[part] = (parts[part] ?? 0) + column;
    }
  }
  return parts;
}
