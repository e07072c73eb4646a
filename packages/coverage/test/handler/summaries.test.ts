import { BigWigMemory, BigWigWriter, FormatError } from '@htskit/formats';
import { openBigWig } from '@htskit/formats/internal';
import { type ByteSource, StorageError } from '@htskit/io';
import { openAlignments } from '@htskit/records';
import { memorySource } from '@htskit/storage/memory';
import { createRandom, fixturePath, mutations, readFixture, volume } from '@htskit/testing';
import { describe, expect, test, vi } from 'vitest';
import { binEdges, DepthBins } from '../../src/depth/depth-bins.js';
import type { CoverageOptions, CoverageSummaries } from '../../src/handler/index.js';
import { summaryBins } from '../../src/handler/summary-bins.js';
import { type DepthRuns, readDepth } from '../../src/index.js';
import { BASE, createHandler, fetchBins, type Handler } from './coverage-service.js';

const LENGTH = 400_000;
const QUERY = 'bam?referenceName=chr1&start=1000&end=60000&bins=30';

/** Writes the runs of references to a bigWig. */
async function toBigWig(
  references: readonly { name: string; length: number }[],
  runs: readonly DepthRuns[],
): Promise<Uint8Array<ArrayBuffer>> {
  const target = new BigWigMemory();
  const writer = new BigWigWriter(target, { references });
  for (const { depth, ...each } of runs) await writer.write({ ...each, value: depth });
  await writer.finish();
  return target.bytes.slice();
}

/** Returns the bigWig of a fixture. */
async function fixtureSummary(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const file = await openAlignments(fixturePath(name));
  const runs: DepthRuns[] = [];
  for await (const each of readDepth(file, undefined)) runs.push(each);
  return toBigWig(file.header.references, runs);
}

/** Returns many short runs and a few long ones, with gaps between some of them. */
function randomRuns(seed: number): DepthRuns {
  const random = createRandom(seed);
  const [start, end, depth]: [number[], number[], number[]] = [[], [], []];
  for (let base = Math.floor(random() * 500); ; ) {
    const next = base + 1 + Math.floor(random() * (random() < 0.01 ? 5000 : 8));
    if (next > LENGTH) break;
    start.push(base);
    end.push(next);
    depth.push(Math.floor(random() * 60));
    base = next + (random() < 0.1 ? Math.floor(random() * 300) : 0);
  }
  const length = start.length;
  return {
    referenceId: 0,
    length,
    start: Int32Array.from(start),
    end: Int32Array.from(end),
    depth: Uint32Array.from(depth),
  };
}

describe('bins of a bigWig', () => {
  test('are those of its runs, in regions and bins of any size', async () => {
    for (let seed = 0; seed < volume(10); seed++) {
      const runs = randomRuns(seed);
      const random = createRandom(seed + 1000);
      const file = await openBigWig(memorySource(await toBigWig([{ name: 'chr1', length: LENGTH }], [runs])));
      for (const bins of [1, 3, 17, 200, 2000]) {
        const start = Math.floor((random() * LENGTH) / 2);
        const region = {
          referenceId: 0,
          referenceName: 'chr1',
          start,
          end: start + 1 + Math.floor(random() * (LENGTH - start)),
          bins,
        };
        const expected = new DepthBins(binEdges(region, { bins }));
        expected.add(runs);
        const found = await summaryBins(file, region, { length: LENGTH, maxBytes: 2 ** 30 });
        expect([found?.estimated, [...(found?.max ?? [])]]).toEqual([false, [...expected.max]]);
        for (const [i, mean] of expected.mean.entries()) {
          expect(Math.abs((found?.mean[i] ?? NaN) - mean)).toBeLessThanOrEqual(1e-6 * mean);
        }
      }
    }
  });

  test('are estimates from the zoom levels if more bytes must be read than the limit', async () => {
    const runs = randomRuns(7);
    const file = await openBigWig(memorySource(await toBigWig([{ name: 'chr1', length: LENGTH }], [runs])));
    const region = { referenceId: 0, referenceName: 'chr1', start: 0, end: LENGTH, bins: 40 };
    const expected = new DepthBins(binEdges(region, { bins: 40 }));
    expected.add(runs);
    const found = await summaryBins(file, region, { length: LENGTH, maxBytes: 10_000 });
    expect([found?.estimated, found?.max]).toEqual([true, undefined]);
    for (const [i, mean] of expected.mean.entries()) expect((found?.mean[i] ?? NaN) / mean).toBeCloseTo(1, 0);
    expect(await summaryBins(file, region, { length: LENGTH, maxBytes: 100 })).toBeUndefined();
  });

  test('read few blocks of a long reference', async () => {
    const bytes = await toBigWig([{ name: 'chr1', length: LENGTH }], [randomRuns(8)]);
    const source = memorySource(bytes);
    const read = vi.spyOn(source, 'read');
    await summaryBins(
      await openBigWig(source),
      { referenceId: 0, referenceName: 'chr1', start: 0, end: LENGTH, bins: 4 },
      { length: LENGTH, maxBytes: 2 ** 30 },
    );
    const total = read.mock.calls.reduce((sum, [{ start, end }]) => sum + Math.min(end, bytes.length) - start, 0);
    expect(total).toBeLessThan(bytes.length / 2);
  });

  test('do not exist if the reference is missing or has another length', async () => {
    const file = await openBigWig(memorySource(await toBigWig([{ name: 'chr1', length: LENGTH }], [])));
    const region = { referenceId: 0, start: 0, end: 10, bins: 1 };
    expect(
      await summaryBins(file, { ...region, referenceName: 'chr2' }, { length: LENGTH, maxBytes: 1e6 }),
    ).toBeUndefined();
    expect(
      await summaryBins(file, { ...region, referenceName: 'chr1' }, { length: 10, maxBytes: 1e6 }),
    ).toBeUndefined();
  });
});

describe('the handler', () => {
  function withSummary(
    source: ByteSource | undefined,
    options: Partial<CoverageOptions> = {},
  ): [Handler, Required<CoverageSummaries>] {
    const summaries = {
      find: vi.fn<CoverageSummaries['find']>(async () => source),
      make: vi.fn<Required<CoverageSummaries>['make']>(),
    };
    return [createHandler({ summaries, ...options }), summaries];
  }

  test('answers from the bigWig once there is one, exactly, in place of an estimate', async () => {
    const limits = { exactBytes: 60_000 };
    const source = memorySource(await fixtureSummary('reads.bam'), { key: 'summary', version: '1' });
    let current: ByteSource | undefined;
    const summaries = { find: async () => current, make: vi.fn<Required<CoverageSummaries>['make']>() };
    const handler = createHandler({ summaries, limits });
    expect((await fetchBins(handler, QUERY)).estimated).toBe(true);
    expect(summaries.make).toHaveBeenCalledTimes(1);
    current = source;
    expect(await fetchBins(handler, QUERY)).toEqual(await fetchBins(createHandler(), QUERY));
  });

  test('needs nothing of the file but its header', async () => {
    const data = memorySource(readFixture('reads.bam'), { key: 'reads', version: '1' });
    const source = memorySource(await fixtureSummary('reads.bam'), { key: 'summary', version: '1' });
    const [handler] = withSummary(source, { resolve: async () => [{ format: 'BAM', data }] });
    await fetchBins(handler, QUERY);
    const read = vi.spyOn(data, 'read');
    const stream = vi.spyOn(data, 'stream');
    await fetchBins(handler, 'bam?referenceName=chr1&bins=7');
    expect([read.mock.calls, stream.mock.calls]).toEqual([[], []]);
  });

  test('reads the file for a subject that may see a part of it', async () => {
    const [handler, summaries] = withSummary(memorySource(await toBigWig([{ name: 'chr1', length: 1 }], [])), {
      authorize: async () => ({ regions: [{ referenceName: 'chr1', start: 0, end: 30_000 }] }),
    });
    const { estimated, max = [] } = await fetchBins(handler, QUERY);
    expect([estimated, Math.max(...Array.from(max)) > 0]).toEqual([false, true]);
    expect(summaries.find).not.toHaveBeenCalled();
  });

  test('reports a bigWig that is corrupt once, and reads the file', async () => {
    const onError = vi.fn<NonNullable<CoverageOptions['onError']>>();
    const [handler] = withSummary(memorySource(new Uint8Array(100), { key: 'summary', version: '1' }), { onError });
    const expected = await fetchBins(createHandler(), QUERY);
    expect(await fetchBins(handler, QUERY)).toEqual(expected);
    await fetchBins(handler, 'bam?referenceName=chr1&bins=7');
    expect(onError.mock.calls).toEqual([[expect.any(FormatError), undefined, undefined]]);
  });

  test('reads the file if the storage of the bigWig fails', async () => {
    const source = memorySource(await fixtureSummary('reads.bam'), { key: 'summary', version: '1' });
    const failure = new StorageError('UNAVAILABLE', 'no answer', { key: 'summary' });
    vi.spyOn(source, 'read').mockRejectedValueOnce(failure);
    const onError = vi.fn<NonNullable<CoverageOptions['onError']>>();
    const [handler] = withSummary(source, { onError });
    expect(await fetchBins(handler, QUERY)).toEqual(await fetchBins(createHandler(), QUERY));
    expect(onError.mock.calls).toEqual([[failure, undefined, undefined]]);
  });

  test('answers with bounded bins whatever a corrupt bigWig says', async () => {
    const original = await fixtureSummary('reads.bam');
    for (const { bytes } of mutations(original, { seed: 5, count: volume(200) })) {
      const [handler] = withSummary(memorySource(bytes), { onError: () => undefined });
      const response = await handler(new Request(`${BASE}/${QUERY}`));
      const { mean } = (await response.json()) as { mean: number[] };
      expect([response.status, mean.length, mean.every(Number.isFinite)]).toEqual([200, 30, true]);
    }
  });
});
