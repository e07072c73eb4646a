import { bgunzip, readFixture } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import type { FeatureAdapter } from '../../src/jbrowse/adapter.js';
import { JBrowse, toLocation } from '../jbrowse.js';
import { ORIGIN, serveFromMemory } from '../memory-service.js';

const REGION = { refName: 'chr1', start: 0, end: 20_000 };
const LINES = new TextDecoder()
  .decode(bgunzip(readFixture('variants.vcf.gz')))
  .trimEnd()
  .split('\n');
const SAMPLES =
  LINES.find((line) => line.startsWith('#CHROM'))
    ?.split('\t')
    .slice(9) ?? [];

/** CHROM, POS, ID, REF and ALT of the records whose first base is in `REGION`. */
const expected = LINES.filter((line) => !line.startsWith('#'))
  .map((line) => line.split('\t'))
  .filter(([chrom, pos]) => chrom === REGION.refName && Number(pos) > 0 && Number(pos) <= REGION.end);

describe.each([
  ['htsget, stored as VCF', { type: 'HtskitVariantsAdapter', htsgetLocation: toLocation(`${ORIGIN}/variants/vcf`) }],
  ['htsget, stored as BCF', { type: 'HtskitVariantsAdapter', htsgetLocation: toLocation(`${ORIGIN}/variants/bcf`) }],
  [
    'htsget, requested as BCF',
    { type: 'HtskitVariantsAdapter', htsgetLocation: toLocation(`${ORIGIN}/variants/vcf?format=BCF`) },
  ],
  ['a BCF file', { type: 'HtskitBcfAdapter', bcfLocation: toLocation(`${ORIGIN}/files/variants.bcf`) }],
  [
    'a VCF file with its index',
    {
      type: 'HtskitBcfAdapter',
      bcfLocation: toLocation(`${ORIGIN}/files/variants.vcf.gz`),
      indexLocation: toLocation(`${ORIGIN}/files/variants.vcf.gz.tbi`),
    },
  ],
])('variants of %s', (_, config) => {
  test('are those of a region', async () => {
    await serveFromMemory();
    const features = await new JBrowse().features(config, REGION);
    const found = features.map((feature) => ['CHROM', 'POS', 'ID', 'REF', 'ALT'].map((field) => feature.get(field)));
    const texts = found.map(([chrom, pos, id, ref, alt]) => [chrom, String(pos), join(id, ';'), ref, join(alt, ',')]);
    expect(texts.filter(([, pos]) => pos !== '0')).toEqual(expected.map((columns) => columns.slice(0, 5)));
    expect(new Set(features.map((feature) => feature.id())).size).toBe(features.length);
    expect(expected.length).toBeGreaterThan(100);
  });

  test('have samples and genotypes', async () => {
    await serveFromMemory();
    const jbrowse = new JBrowse();
    const features = await jbrowse.features(config, REGION);
    const [first] = expected.filter((columns) => columns[8]?.startsWith('GT'));
    const feature = features.find((each) => join(each.get('ID'), ';') === first?.[2]);
    const genotypes = first?.slice(9).map((values) => values.split(':')[0]);
    expect(feature?.get('genotypes')).toEqual(Object.fromEntries(SAMPLES.map((name, i) => [name, genotypes?.[i]])));
    expect(feature?.get('samples')).toMatchObject(
      Object.fromEntries(SAMPLES.map((name, i) => [name, { GT: [genotypes?.[i]] }])),
    );
    const adapter = await jbrowse.open<FeatureAdapter & { getSources(): Promise<object> }>(config);
    expect(await adapter.getSources()).toEqual(SAMPLES.map((name) => ({ name })));
  });

  test('have the descriptions of their header', async () => {
    await serveFromMemory();
    const adapter = await new JBrowse().open(config);
    expect(await adapter.getMetadata()).toMatchObject({
      INFO: { DP: { Number: 1, Type: 'Integer' } },
      FORMAT: { GT: { Type: 'String' } },
    });
    expect(await adapter.getRefNames()).toContain('chr1');
    expect(await adapter.getHeader()).toContain('#CHROM\tPOS');
  });
});

test('states how many bytes regions of a file take, and counts those of a service', async () => {
  await serveFromMemory();
  const jbrowse = new JBrowse();
  const file = await jbrowse.open({
    type: 'HtskitBcfAdapter',
    bcfLocation: toLocation(`${ORIGIN}/files/variants.bcf`),
  });
  const { bytes = 0 } = await file.getMultiRegionFeatureDensityStats([REGION]);
  expect(bytes).toBeGreaterThan(0);
  const vcf = { type: 'HtskitVariantsAdapter', htsgetLocation: toLocation(`${ORIGIN}/variants/vcf`) };
  const service = await jbrowse.open(vcf);
  const sampled = await jbrowse.features(vcf, { ...REGION, start: 3000, end: 7000 });
  expect(await service.getMultiRegionFeatureDensityStats([REGION])).toEqual({ featureDensity: sampled.length / 4000 });
});

test('sends the token of an internet account to the file and its index', async () => {
  const { requests } = await serveFromMemory();
  const bcf = { type: 'HtskitBcfAdapter', bcfLocation: toLocation(`${ORIGIN}/files/variants.bcf`) };
  await new JBrowse({ [ORIGIN]: 'secret' }).features(bcf, REGION);
  expect(new Set(requests.map(({ path, authorization }) => `${path} ${authorization}`))).toEqual(
    new Set(['/files/variants.bcf Bearer secret', '/files/variants.bcf.csi Bearer secret']),
  );
});

test('resolves locations that are relative to the configuration', async () => {
  await serveFromMemory();
  const bcfLocation = { ...toLocation('files/variants.bcf'), baseUri: `${ORIGIN}/config.json` };
  const features = await new JBrowse().features({ type: 'HtskitBcfAdapter', bcfLocation }, REGION);
  expect(features.length).toBeGreaterThan(100);
});

/** Returns the values of a column as VCF writes them. */
function join(values: unknown, separator: string): string {
  return Array.isArray(values) ? values.join(separator) : '.';
}
