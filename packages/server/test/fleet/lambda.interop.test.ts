import { fetchTicket } from '@htskit/client';
import { s3ObjectStore } from '@htskit/storage/s3';
import {
  areInstalled,
  fixturePath,
  LambdaFunction,
  readFixture,
  startServer,
  type TestServer,
  type UnzippedFunction,
  unzipFunction,
} from '@htskit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium, launchChromium } from '../chromium.js';
import { serveIgv } from '../clients/browsers/igv-server.js';
import { lines, pickColumns, runTool } from '../interop-tools.js';
import type { Gateway } from './fleet.js';

const START_MILLISECONDS = 180_000;
const FILES = ['reads.bam', 'reads.bam.bai', 'v31.cram', 'v31.cram.crai', 'variants.vcf.gz', 'variants.vcf.gz.tbi'];
const REGION = 'referenceName=chr1&start=5000&end=60000';
const LOCAL_REGION = 'chr1:5001-60000';
const programs = ['radosgw', 'ceph-mon', 'ceph-osd', 'samtools', 'bcftools'];

let unzipped: UnzippedFunction;
let gateway: TestServer<Gateway>;
let streamed: LambdaFunction;
let buffered: LambdaFunction;

describe.skipIf(!areInstalled(...programs) || !hasChromium)('a function of AWS Lambda over a bucket of Ceph', () => {
  beforeAll(async () => {
    unzipped = unzipFunction();
    const { folder } = unzipped;
    gateway = await startServer<Gateway>('radosgw.mjs');
    const { endpoint, bucket, ...credentials } = gateway.details;
    const store = s3ObjectStore({ endpoint, bucket, forcePathStyle: true, credentials });
    for (const name of FILES) await store.put(name, readFixture(name));
    const environment = {
      HTSKIT_BUCKET: bucket,
      HTSKIT_KEY: 'utf8:0123456789abcdef',
      HTSKIT_PUBLIC_URL: '{url}',
      AWS_ENDPOINT_URL_S3: endpoint,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    };
    streamed = await LambdaFunction.start({ folder, handler: 'streamed.handler', environment, instances: 2 });
    buffered = await LambdaFunction.start({ folder, handler: 'buffered.handler', environment });
  }, START_MILLISECONDS);
  afterAll(async () => {
    await Promise.all([streamed.close(), buffered.close(), gateway.stop()]);
    unzipped.remove();
  });

  test.each([
    ['reads.bam', 'reads/reads'],
    ['v31.cram', 'reads/v31'],
  ])('samtools reads the records of %s', async (file, id) => {
    const expected = lines(await runTool(['samtools', 'view', fixturePath(file), LOCAL_REGION]));
    expect(expected.length).toBeGreaterThan(100);
    for (const { url } of [streamed, buffered]) {
      const found = lines(await runTool(['samtools', 'view', `${url}/${id}?format=BAM&${REGION}`]));
      expect(pickColumns(found.join('\n'), [0, 1, 3, 5])).toEqual(pickColumns(expected.join('\n'), [0, 1, 3, 5]));
    }
  });

  test('bcftools reads the records of variants.vcf.gz', async () => {
    const view = ['bcftools', 'view', '-H'];
    const expected = await runTool([...view, fixturePath('variants.vcf.gz')]);
    expect(lines(expected).length).toBeGreaterThan(100);
    for (const { url } of [streamed, buffered])
      expect((await runTool([...view, `${url}/variants/variants`])) === expected).toBe(true);
  });

  test('the bucket sends the blocks of the buffered function', async () => {
    const originsOf = async ({ url }: LambdaFunction): Promise<readonly string[]> => {
      const { htsget } = await fetchTicket(`${url}/reads/reads`);
      const fetched = htsget.urls.filter((block) => !block.url.startsWith('data:'));
      return [...new Set(fetched.map((block) => new URL(block.url).origin))];
    };
    expect([await originsOf(streamed), await originsOf(buffered)]).toEqual([
      [streamed.url],
      [gateway.details.endpoint],
    ]);
  });

  test('igv.js shows the reads and the variants of a region', async () => {
    const [browser, pages] = [await launchChromium(), await serveIgv()];
    const page = await browser.newPage();
    await page.goto(pages.url);
    const region = { referenceName: 'chr1', start: 5000, end: 60_000 };
    const track = (path: string): object => ({ sourceType: 'htsget', url: streamed.url + path });
    const tracks = { reads: track('/reads/reads'), variants: track('/variants/variants') };
    const asked = { ...tracks, locus: LOCAL_REGION, oauthToken: 'token', regions: [region] };
    const { loaded } = await page.evaluate<{ readonly loaded: readonly object[] }>(
      `loadRegions(${JSON.stringify(asked)})`,
    );
    await browser.close();
    pages.close();
    // igv.js shows no unmapped reads.
    const alignments = await runTool(['samtools', 'view', '-F', '4', fixturePath('reads.bam'), LOCAL_REGION]);
    const variants = await runTool(['bcftools', 'view', '-H', fixturePath('variants.vcf.gz'), LOCAL_REGION]);
    expect(loaded).toEqual([
      {
        alignments: pickColumns(alignments, [0, 1, 2, 3, 4, 5, 9]).sort(),
        variants: pickColumns(variants, [0, 1, 2, 3, 4, 5, 6]).sort(),
      },
    ]);
  });
});
