import { openBam } from '@htskit/records';
import { memorySource } from '@htskit/storage/memory';
import { readFixture } from '@htskit/testing';
import { expect, test } from 'vitest';
import { JBrowse, toLocation } from '../jbrowse.js';
import { ORIGIN, serveFromMemory } from '../memory-service.js';

const COVERAGE = {
  type: 'HtskitCoverageAdapter',
  coverageLocation: toLocation(`${ORIGIN}/coverage/bam`),
  htsgetLocation: toLocation(`${ORIGIN}/reads/bam`),
};
/** The heap of reads. */
const REGION = { refName: 'chr1', start: 19_000, end: 27_000 };

/** Counts the reads at each base, as JBrowse does, but without secondary alignments. */
async function countDepth({ refName, start, end }: typeof REGION): Promise<readonly number[]> {
  const file = await openBam(memorySource(readFixture('reads.bam')), {
    index: memorySource(readFixture('reads.bam.bai')),
  });
  const depths = Array.from({ length: end - start }, () => 0);
  for await (const read of file.records({ referenceName: refName, start, end })) {
    if ((read.flags & 0x704) !== 0) continue;
    let base = read.start;
    read.forEachCigar((operation, length) => {
      if ('M=X'.includes(operation)) {
        for (let at = Math.max(base, start); at < Math.min(base + length, end); at++) {
          depths[at - start] = (depths[at - start] ?? 0) + 1;
        }
      }
      if ('MDN=X'.includes(operation)) base += length;
    });
  }
  return depths;
}

test('has the depth of each base when zoomed in', async () => {
  await serveFromMemory();
  const features = await new JBrowse().features(COVERAGE, REGION, { bpPerPx: 0.5 });
  const depths = Array.from({ length: REGION.end - REGION.start }, () => 0);
  for (const feature of features) {
    depths.fill(
      Number(feature.get('score')),
      Number(feature.get('start')) - REGION.start,
      Number(feature.get('end')) - REGION.start,
    );
  }
  expect(depths).toEqual(await countDepth(REGION));
});

test('has a mean for each pixel when zoomed out', async () => {
  const { requests } = await serveFromMemory();
  const features = await new JBrowse().features(COVERAGE, REGION, { bpPerPx: 80 });
  const depths = await countDepth(REGION);
  const means = Array.from({ length: 100 }, (_, bin) => {
    const part = depths.slice(bin * 80, (bin + 1) * 80);
    return [REGION.start + bin * 80, part.reduce((sum, depth) => sum + depth, 0) / part.length] as const;
  }).filter(([, mean]) => mean > 0);
  expect(features.map((feature) => feature.get('start'))).toEqual(means.map(([start]) => start));
  for (const [index, [, mean]] of means.entries()) expect(features[index]?.get('score')).toBeCloseTo(mean, 4);
  expect(requests.at(-1)?.query.get('bins')).toBe('100');
});

test('has finer bins with a finer resolution', async () => {
  const { requests } = await serveFromMemory();
  await new JBrowse().features(COVERAGE, REGION, { bpPerPx: 80, resolution: 5 });
  expect(requests.at(-1)?.query.get('bins')).toBe('500');
});

test('has the names of references, and never too many features', async () => {
  await serveFromMemory();
  const adapter = await new JBrowse().open(COVERAGE);
  expect(await adapter.getRefNames()).toContain('chr2');
  expect(await adapter.getMultiRegionFeatureDensityStats([REGION])).toEqual({ featureDensity: 0 });
});

test('fails with the status of the server', async () => {
  await serveFromMemory();
  const unknown = { ...COVERAGE, coverageLocation: toLocation(`${ORIGIN}/coverage/none`) };
  await expect(new JBrowse().features(unknown, REGION)).rejects.toThrow('the server answered HTTP 404');
});

test('refuses an answer that is not a depth', async () => {
  await serveFromMemory();
  const collection = { ...COVERAGE, coverageLocation: toLocation(`${ORIGIN}/reads/service-info`) };
  await expect(new JBrowse().features(collection, REGION)).rejects.toThrow('other than the depth of reads');
});
