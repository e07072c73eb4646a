import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixturePath } from '@htskit/testing';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServeOptions, serve } from '../../../src/runtime/serve.js';
import { hasChromium, launchChromium } from '../../chromium.js';
import { type AnswerCase, cases, copyCrams, localQuery } from '../../interop-files.js';
import { lines, pickColumns, runTools } from '../../interop-tools.js';
import { collectionOf } from '../collection-of.js';
import { installedVersion } from '../installed-version.js';
import { serveIgv } from './igv-server.js';
import type { PageServer } from './page-server.js';

/** 0-based, half-open. */
interface Region {
  readonly referenceName: string;
  readonly start: number;
  readonly end: number;
}

/** A dense region, one with deletions of many bases, one without anything, edges, whole references, names with colons. */
const REGIONS: readonly Region[] = [
  { referenceName: 'chr1', start: 1000, end: 2000 },
  { referenceName: 'chr1', start: 16_383, end: 16_385 },
  { referenceName: 'chr1', start: 66_000, end: 100_000 },
  { referenceName: 'chr1', start: 0, end: 150_000 },
  { referenceName: 'chr2', start: 20_000, end: 20_001 },
  { referenceName: 'chrM', start: 0, end: 16_569 },
  { referenceName: 'chrUn_1', start: 0, end: 5003 },
  { referenceName: 'HLA-A*01:01:01:01', start: 100, end: 3503 },
];

interface Loaded {
  readonly version: string;
  /** By the region. */
  readonly loaded: readonly { readonly alignments: readonly string[]; readonly variants: readonly string[] }[];
}

/** The files of the tracks, as igv.js takes them. */
interface Sources {
  readonly reads: Readonly<Record<string, string>>;
  readonly variants: Readonly<Record<string, string>>;
}

function toObjects(server: string): Sources {
  const sourceType = 'htsget';
  return {
    reads: { sourceType, url: `${server}/reads/reads` },
    variants: { sourceType, url: `${server}/variants/variants` },
  };
}

function toFiles(server: string): Sources {
  const toFile = (name: string, index: string) => {
    const url = `${server}/files/${name}`;
    return { url, indexURL: url + index };
  };
  return { reads: toFile('reads.bam', '.bai'), variants: toFile('variants.vcf.gz', '.tbi') };
}

const exactly = (variants: readonly string[]): unknown => variants;
const atLeast = (variants: readonly string[]): unknown => expect.arrayContaining([...variants]);

function findCase(name: string): AnswerCase {
  const found = cases.find((each) => each.name === name && !each.isExternal);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}

describe.skipIf(!hasChromium)(`igv.js ${installedVersion('igv')} in Chromium`, () => {
  let browser: Browser;
  let pages: PageServer;
  let scratch = '';
  beforeAll(async () => {
    browser = await launchChromium();
    pages = await serveIgv();
    scratch = mkdtempSync(join(tmpdir(), 'htskit-'));
  });
  afterAll(async () => {
    await browser.close();
    pages.close();
    rmSync(scratch, { recursive: true });
  });

  /** Returns a folder in which the reads are only stored as CRAM: the same records as in BAM. */
  function copyCramAlone(): string {
    const folder = join(scratch, 'cram');
    mkdirSync(folder);
    copyCrams(folder, ['reads.cram']);
    for (const name of ['variants.vcf.gz', 'variants.vcf.gz.tbi']) copyFileSync(fixturePath(name), join(folder, name));
    return folder;
  }

  /** Returns what igv.js has loaded from the sources of a server, and its errors. */
  async function load(
    options: Partial<ServeOptions>,
    toSources: (url: string) => Sources = toObjects,
  ): Promise<{ result: Loaded | string; errors: string[] }> {
    const log = (message: string): never => {
      throw new Error(message);
    };
    const given = { paths: [fixturePath('.')], host: '127.0.0.1', port: 0, authority: 'ga4gh', log } as const;
    const server = await serve({ ...given, ...options });
    const page: Page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await page.goto(pages.url);
    // The token makes the browser ask first whether it may send one.
    const asked = { ...toSources(server.url), locus: 'chr1:1001-2000', oauthToken: 'token', regions: REGIONS };
    const result = await page
      .evaluate<Loaded>(`loadRegions(${JSON.stringify(asked)})`)
      .catch((error: unknown) => String(error));
    await page.close();
    await server.close();
    return { result, errors };
  }

  test.each([
    ['an object in BAM', () => fixturePath('.'), toObjects, exactly],
    ['an object in only CRAM', copyCramAlone, toObjects, exactly],
    // Through an index of its own, igv.js holds variants beside the region, too.
    ['stored files', () => fixturePath('.'), toFiles, atLeast],
  ])('tracks of %s show what samtools and bcftools find', async (_, folderOf, toSources, toExpected) => {
    const [reads, variants] = [findCase('reads.bam as BAM'), findCase('variants.vcf.gz as VCF')];
    const bed = (rank: number): string => join(scratch, `${rank}.bed`);
    // igv.js shows no unmapped reads.
    const view = ['samtools', 'view', '-F', '4'];
    const alignmentTexts = await runTools(REGIONS.map((region) => [...view, ...localQuery(reads, region, '')]));
    const variantTexts = await runTools(
      REGIONS.map((region, rank) => ['bcftools', 'view', '-H', ...localQuery(variants, region, bed(rank))]),
    );
    const { result, errors } = await load(
      { paths: [folderOf()], htsget: { limits: { blockBytes: 65_536 } } },
      toSources,
    );
    expect(errors).toEqual([]);
    expect(result).toEqual({
      version: installedVersion('igv'),
      loaded: REGIONS.map((_, rank) => ({
        alignments: pickColumns(alignmentTexts[rank] ?? '', [0, 1, 2, 3, 4, 5, 9]).sort(),
        variants: toExpected(pickColumns(variantTexts[rank] ?? '', [0, 1, 2, 3, 4, 5, 6]).sort()),
      })),
    });
    expect(alignmentTexts.join('').length).toBeGreaterThan(500_000);
  });

  test('the served collection of a genome is the reference', async () => {
    const server = await serve({
      paths: [fixturePath('genome.fa')],
      host: '127.0.0.1',
      port: 0,
      authority: 'ga4gh',
      log: () => undefined,
    });
    await server.sequences.settled();
    const genome = `${server.url}/collection/${await collectionOf(server.url)}/fasta`;
    const page = await browser.newPage();
    await page.goto(pages.url);
    const found = await page.evaluate<string[]>(`loadBases(${JSON.stringify({ genome, regions: REGIONS })})`);
    await page.close();
    await server.close();
    const commands = REGIONS.map(({ referenceName, start, end }) => [
      ...['samtools', 'faidx', '--length', '1000000', fixturePath('genome.fa')],
      referenceName.includes(':') ? `{${referenceName}}:${start + 1}-${end}` : `${referenceName}:${start + 1}-${end}`,
    ]);
    const expected = (await runTools(commands)).map((text) => lines(text).slice(1).join('').toUpperCase());
    expect(found).toEqual(expected);
  });

  test('reads nothing from a server that allows other origins', async () => {
    const { result, errors } = await load({ origins: ['http://elsewhere.example'] });
    expect(result).toMatch(/Error/);
    expect(errors.join()).toContain('blocked by CORS policy');
  });
});
