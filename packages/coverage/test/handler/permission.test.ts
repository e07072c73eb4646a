import { planFile, type StoredFile, streamPlan } from '@htskit/htsget';
import { indexBam } from '@htskit/indexes';
import { readChunks } from '@htskit/io';
import type { HtsgetRegion } from '@htskit/protocol';
import { openAlignments } from '@htskit/records';
import { memorySource } from '@htskit/storage/memory';
import { createRandom, expectations, fixturePath, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { readDepth } from '../../src/index.js';
import { ask, type CoverageJson, coverageHandler, fetchBins, fixtureFile } from './coverage-service.js';

const FILES = ['reads.bam', 'straddle.bam', 'reads.cram', 'multiref.cram'] as const;

/** Returns the depth of each base of a file, computed without regions. */
async function depthsOf(name: string): Promise<ReadonlyMap<string, number[]>> {
  const file = await openAlignments(fixturePath(name), { reference: fixturePath('genome.fa') });
  const depths = new Map(
    file.references.map(({ name: reference, length = 0 }) => [reference, new Array<number>(length).fill(0)]),
  );
  for await (const { referenceId, length, start, end, depth } of readDepth(file, undefined)) {
    const reference = depths.get(file.references[referenceId]?.name ?? '');
    for (let i = 0; i < length; i++) reference?.fill(depth[i] ?? 0, start[i], end[i]);
  }
  await file.close();
  return depths;
}

function isPermitted(base: number, referenceName: string, regions: readonly HtsgetRegion[]): boolean {
  return regions.some(
    (region) =>
      region.referenceName === referenceName && base >= (region.start ?? 0) && base < (region.end ?? Infinity),
  );
}

/** Returns the bins of the depths of permitted bases alone, base by base. */
function expectedBins(
  depths: readonly number[],
  { referenceName, start, end }: Required<HtsgetRegion>,
  { bins, regions }: { readonly bins: number; readonly regions: readonly HtsgetRegion[] },
): Pick<CoverageJson, 'mean' | 'max'> {
  const count = Math.min(bins, end - start);
  const edge = (bin: number): number => (bin === count ? end : start + Math.floor((bin * (end - start)) / count));
  const values = Array.from({ length: count }, (_, bin) => {
    const bases = Array.from({ length: edge(bin + 1) - edge(bin) }, (__, i) => edge(bin) + i);
    return bases.filter((base) => isPermitted(base, referenceName, regions)).map((base) => depths[base] ?? 0);
  });
  return {
    mean: values.map((bin) => (bin.length === 0 ? null : bin.reduce((sum, value) => sum + value, 0) / bin.length)),
    max: values.map((bin) => (bin.length === 0 ? null : Math.max(...bin))),
  };
}

describe.each(FILES)('%s', (name) => {
  const { references } = expectations(name);

  function createRegions(random: () => number, count: number): HtsgetRegion[] {
    return Array.from({ length: count }, () => {
      const { name: referenceName = '*', length = 1 } = references[Math.floor(random() * references.length)] ?? {};
      const start = Math.floor(random() * length);
      const end = Math.min(length, start + 1 + Math.floor(random() * random() * length));
      return random() < 0.05 ? { referenceName } : { referenceName, start, end };
    });
  }

  test('bins show the permitted bases alone for random rules and requests', async () => {
    const random = createRandom(7);
    const depths = await depthsOf(name);
    let [answered, denied, partial] = [0, 0, 0];
    for (let round = 0; round < volume(120); round++) {
      const regions = createRegions(random, 1 + Math.floor(random() * 5));
      const [asked] = createRegions(random, 1);
      const { referenceName = '', start = 0, end = depths.get(referenceName)?.length ?? 0 } = asked ?? {};
      const bins = 1 + Math.floor(random() * 40);
      // Estimates would be made if they were allowed.
      const handler = coverageHandler({ authorize: () => ({ regions }), limits: { scanBytes: 0 } });
      const path = `/coverage/${name}?referenceName=${referenceName}&start=${start}&end=${end}&bins=${bins}`;
      const expected = expectedBins(depths.get(referenceName) ?? [], { referenceName, start, end }, { bins, regions });
      const response = await ask(handler, path);
      if (expected.mean.every((mean) => mean === null)) {
        expect(response.status, `round ${round}`).toBe(403);
        denied++;
        continue;
      }
      const found = (await response.json()) as CoverageJson;
      expect(found, `round ${round}`).toMatchObject({ estimated: false, max: expected.max });
      for (const [bin, mean] of expected.mean.entries()) {
        if (mean === null) expect(found.mean[bin]).toBeNull();
        else expect(found.mean[bin]).toBeCloseTo(mean, 3);
      }
      answered++;
      if (expected.mean.includes(null)) partial++;
    }
    expect([answered, denied, partial].every((count) => count >= volume(10))).toBe(true);
  });
});

/** Returns a BAM file that has only the records that overlap some regions, with its index. */
async function cutFile(name: string, regions: readonly HtsgetRegion[]): Promise<StoredFile> {
  const stored = fixtureFile(name);
  const plan = await planFile(
    stored,
    { format: 'BAM', regions, skipsUnknown: true },
    { precision: 'exact', isRestricted: true },
  );
  const chunks: Uint8Array[] = [];
  for await (const chunk of streamPlan(plan, stored.data, { version: plan.stat.version })) chunks.push(chunk.slice());
  const data = Buffer.concat(chunks);
  const index = await indexBam(readChunks(new Blob([data]).stream()));
  return { format: 'BAM', data: memorySource(data), index: memorySource(index) };
}

test('values, sizes and entity tags are those of a file without the records outside of the permitted regions', async () => {
  const random = createRandom(3);
  let answered = 0;
  for (let round = 0; round < volume(60); round++) {
    const regions = Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
      const start = Math.floor(random() * 40_000);
      return { referenceName: random() < 0.7 ? 'chr1' : 'chr2', start, end: start + 1 + Math.floor(random() * 20_000) };
    });
    const id = random() < 0.5 ? 'reads.bam' : 'straddle.bam';
    const handler = coverageHandler({ authorize: () => ({ regions }) }, { cut: [await cutFile(id, regions)] });
    const start = Math.floor(random() * 30_000);
    const query = `referenceName=chr1&start=${start}&end=${start + 1 + Math.floor(random() * 60_000)}&bins=${1 + Math.floor(random() * 50)}`;
    for (const accept of ['application/json', 'application/octet-stream']) {
      const [whole, cut] = await Promise.all(
        [id, 'cut'].map(async (object) => {
          const response = await ask(handler, `/coverage/${object}?${query}`, { headers: { accept } });
          const body = Buffer.from(await response.arrayBuffer()).toString('base64');
          return { status: response.status, headers: [...response.headers], body };
        }),
      );
      expect(whole, `round ${round}`).toEqual(cut);
      if (whole?.status === 200) answered++;
    }
  }
  expect(answered).toBeGreaterThan(volume(30));
});

test('a request that may see some regions neither gets nor fills the answers for all', async () => {
  let permission: 'all' | { readonly regions: readonly HtsgetRegion[] } = 'all';
  const handler = coverageHandler({ authorize: () => permission });
  const path = '/coverage/reads.bam?referenceName=chr1&bins=20';
  const all = await fetchBins(handler, path);
  permission = { regions: [{ referenceName: 'chr1', start: 0, end: 5000 }] };
  const some = await fetchBins(handler, path);
  expect(some.mean.filter((mean) => mean !== null).length).toBeLessThan(20);
  permission = 'all';
  expect(await fetchBins(handler, path)).toEqual(all);
});

test('a restricted region of too many bytes is refused instead of estimated', async () => {
  const regions = [{ referenceName: 'chr1', start: 0, end: 50_000 }];
  const handler = coverageHandler({ authorize: () => ({ regions }), limits: { restrictedBytes: 10 } });
  const response = await ask(handler, '/coverage/reads.bam?referenceName=chr1');
  expect([response.status, ((await response.json()) as { htsget: { message: string } }).htsget.message]).toEqual([
    413,
    'the coverage of this region takes too long; request a shorter one',
  ]);
});
