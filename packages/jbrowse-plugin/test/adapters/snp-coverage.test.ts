import { expect, test } from 'vitest';
import { JBrowse, toLocation } from '../jbrowse.js';
import { ORIGIN, serveFromMemory } from '../memory-service.js';

/** The heap of reads: about one read in eight bases. */
const REGION = { refName: 'chr1', start: 20_000, end: 26_000 };
const READS = {
  type: 'HtskitReadsAdapter',
  htsgetLocation: toLocation(`${ORIGIN}/reads/bam`),
  coverageLocation: toLocation(`${ORIGIN}/coverage/bam`),
};
const PANEL = { type: 'SNPCoverageAdapter', subadapter: READS };
const WITHOUT_COVERAGE = { ...PANEL, subadapter: { type: READS.type, htsgetLocation: READS.htsgetLocation } };

test('shows the depth that the server has when there are too many reads', async () => {
  const { requests } = await serveFromMemory();
  const features = await new JBrowse().features(PANEL, REGION, { bpPerPx: 100 });
  expect(requests.at(-1)?.path).toBe('/coverage/bam');
  expect(features.length).toBeGreaterThan(50);
  expect(features.length).toBeLessThanOrEqual(60);
  const [feature] = features;
  expect(feature?.get('snpinfo')).toMatchObject({ depth: feature?.get('score'), snps: {}, noncov: {} });
});

test('takes no few bases without reads for all of a reference', async () => {
  const { requests } = await serveFromMemory();
  const jbrowse = new JBrowse();
  const adapter = await jbrowse.open(READS);
  const first = await adapter.getMultiRegionFeatureDensityStats([{ refName: 'chr1', start: 18_000, end: 18_100 }]);
  expect(first.featureDensity).toBeGreaterThan(0.02);
  await jbrowse.features(PANEL, REGION, { bpPerPx: 600 });
  expect(requests.at(-1)?.path).toBe('/coverage/bam');
});

test('counts reads when there are few', async () => {
  const { requests } = await serveFromMemory();
  const jbrowse = new JBrowse();
  const features = await jbrowse.features(PANEL, REGION, { bpPerPx: 5 });
  expect(features.map((feature) => feature.id())).toEqual(
    (await jbrowse.features(READS, REGION)).map((feature) => feature.id()),
  );
  expect(requests.some(({ path }) => path.startsWith('/coverage/'))).toBe(false);
});

test('counts reads of a server without their depth', async () => {
  await serveFromMemory();
  const jbrowse = new JBrowse();
  const features = await jbrowse.features(WITHOUT_COVERAGE, REGION, { bpPerPx: 100 });
  expect(features.map((feature) => feature.get('type'))).toContain('match');
  const adapter = await jbrowse.open(WITHOUT_COVERAGE);
  const { featureDensity = 0 } = await adapter.getMultiRegionFeatureDensityStats([REGION]);
  expect(featureDensity).toBeGreaterThan(0.05);
  expect(await adapter.getMultiRegionQuantitativeStats([REGION], { bpPerPx: 100 })).toBe('of reads');
});

test('never has too many features if the server has the depth', async () => {
  await serveFromMemory();
  const adapter = await new JBrowse().open(PANEL);
  expect(await adapter.getMultiRegionFeatureDensityStats([REGION])).toEqual({ featureDensity: 0 });
});

test('scales its axis by the depth that it shows', async () => {
  await serveFromMemory();
  const jbrowse = new JBrowse();
  const features = await jbrowse.features(PANEL, REGION, { bpPerPx: 100 });
  const scores = features.map((feature) => Number(feature.get('score')));
  const adapter = await jbrowse.open(PANEL);
  expect(await adapter.getMultiRegionQuantitativeStats([REGION], { bpPerPx: 100 })).toEqual({
    scoreMax: Math.max(...scores),
  });
});
