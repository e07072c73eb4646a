import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixturePath } from '@htskit/testing';
import type { LocalWorker } from '@htskit/testing/workerd';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hasChromium, launchChromium } from '../chromium.js';
import { serveIgv } from '../clients/browsers/igv-server.js';
import { localQuery, type TestRegion } from '../interop-files.js';
import { lines, runTools } from '../interop-tools.js';
import { startTemplate } from './worker-template.js';

const REGIONS: readonly Required<TestRegion>[] = [
  { referenceName: 'chr1', start: 1000, end: 2000 },
  { referenceName: 'chr1', start: 0, end: 150_000 },
  { referenceName: 'chr2', start: 20_000, end: 20_001 },
  { referenceName: 'HLA-A*01:01:01:01', start: 100, end: 3503 },
];

const NAMES = ['reads.bam', 'reads.bam.bai', 'reads.cram', 'reads.cram.crai', 'variants.vcf.gz', 'variants.vcf.gz.tbi'];

let worker: LocalWorker;
let scratch = '';
beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'htskit-'));
  worker = await startTemplate(Object.fromEntries(NAMES.map((name) => [name, name])));
  worker = await worker.restart({ PUBLIC_URL: worker.url.origin, BLOCK_BYTES: '65536' });
});
afterAll(async () => {
  rmSync(scratch, { recursive: true });
  await worker.dispose();
});

const view = (file: string): string[] =>
  file.startsWith('reads') ? ['samtools', 'view'] : ['bcftools', 'view', '--no-header'];

function localRecords(file: string, options: readonly string[] = []): Promise<string[]> {
  const datatype = file.startsWith('reads') ? 'reads' : 'variants';
  const commands = REGIONS.map((region, rank) => {
    const query = localQuery({ path: fixturePath(file), datatype }, region, join(scratch, `${file}-${rank}.bed`));
    return [...view(file), ...options, ...query];
  });
  return runTools(commands);
}

function remoteRecords(file: string, path: string): Promise<string[]> {
  return runTools(
    REGIONS.map(({ referenceName, start, end }) => {
      const query = new URLSearchParams({ referenceName, start: String(start), end: String(end) });
      return [...view(file), `${new URL(path, worker.url).href}&${query.toString()}`];
    }),
  );
}

test.each([
  ['samtools', 'reads.bam', '/reads/reads?format=BAM'],
  ['bcftools', 'variants.vcf.gz', '/variants/variants?format=VCF'],
])('%s reads regions of %s as it reads the local file', async (_, file, path) => {
  const local = await localRecords(file);
  expect(await remoteRecords(file, path)).toEqual(local);
  expect(local.join('').length).toBeGreaterThan(10_000);
});

test('samtools reads regions of CRAM, whose containers have neighbouring records, too', async () => {
  const local = await localRecords('reads.cram');
  const remote = (await remoteRecords('reads.cram', '/reads/reads?format=CRAM')).map((text) => new Set(lines(text)));
  const missing = local.flatMap((text, rank) => lines(text).filter((line) => remote[rank]?.has(line) !== true));
  expect(missing).toEqual([]);
  expect(local.join('').length).toBeGreaterThan(10_000);
});

test.skipIf(!hasChromium)('igv.js shows what samtools and bcftools find', async () => {
  const columns = (text: string, chosen: readonly number[]): string[] =>
    lines(text).map((line) => {
      const all = line.split('\t');
      return chosen.map((column) => all[column]).join('\t');
    });
  const [browser, pages] = await Promise.all([launchChromium(), serveIgv()]);
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await page.goto(pages.url);
  const toSource = (path: string) => ({ sourceType: 'htsget', url: new URL(path, worker.url).href });
  const tracks = { reads: toSource('/reads/reads'), variants: toSource('/variants/variants') };
  const asked = { ...tracks, locus: 'chr1:1001-2000', oauthToken: 'token', regions: REGIONS };
  const { loaded } = await page.evaluate<{ loaded: unknown }>(`loadRegions(${JSON.stringify(asked)})`);
  await browser.close();
  pages.close();
  expect(errors).toEqual([]);
  // igv.js shows no unmapped reads.
  const [reads, variants] = [await localRecords('reads.bam', ['-F', '4']), await localRecords('variants.vcf.gz')];
  expect(loaded).toEqual(
    REGIONS.map((_, rank) => ({
      alignments: columns(reads[rank] ?? '', [0, 1, 2, 3, 4, 5, 9]).sort(),
      variants: columns(variants[rank] ?? '', [0, 1, 2, 3, 4, 5, 6]).sort(),
    })),
  );
});
