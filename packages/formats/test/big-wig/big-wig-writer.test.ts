import { createRandom, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { BigWigMemory, type BigWigReference, BigWigWriter } from '../../src/index.js';
import { type ExpectedSummary, expectedSummaries, joinSummaries, randomRuns, type TestRun } from './expected-zoom.js';
import { openWithGmod, readFeatures, writeBigWig } from './write-big-wig.js';

async function readAll(bytes: Uint8Array<ArrayBuffer>, references: readonly BigWigReference[]): Promise<TestRun[]> {
  const found: TestRun[] = [];
  for (const [referenceId, reference] of references.entries()) {
    for (const { start, end, score } of await readFeatures(bytes, reference, 0)) {
      found.push({ referenceId, start, end, value: score });
    }
  }
  return found;
}

/** Compares each zoom level with one that is computed from the runs base by base. Returns the reductions. */
async function checkZoomLevels(
  bytes: Uint8Array<ArrayBuffer>,
  references: readonly BigWigReference[],
  runs: readonly TestRun[],
): Promise<number[]> {
  const { zoomLevels } = await openWithGmod(bytes).getHeader();
  const reductions: number[] = [];
  let expected: ExpectedSummary[] = [];
  for (const { reductionLevel } of zoomLevels.slice(0, new DataView(bytes.buffer).getUint16(6, true))) {
    expected =
      reductions.length === 0
        ? expectedSummaries(runs, references, reductionLevel)
        : joinSummaries(expected, reductionLevel);
    reductions.push(reductionLevel);
    for (const [referenceId, reference] of references.entries()) {
      const found = await readFeatures(bytes, reference, reductionLevel);
      const wanted = expected.filter((summary) => summary.referenceId === referenceId);
      expect(found.map(({ start, end }) => [start, end])).toEqual(wanted.map(({ start, end }) => [start, end]));
      expect(found.map(({ minScore, maxScore }) => [minScore, maxScore])).toEqual(
        wanted.map(({ values }) => [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))]),
      );
      for (const [i, { values }] of wanted.entries()) {
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
        const scale = values.reduce((sum, value) => sum + Math.abs(value), 0) / values.length;
        expect(Math.abs((found[i]?.score ?? NaN) - mean)).toBeLessThanOrEqual(1e-6 * scale);
      }
    }
  }
  return reductions;
}

const CHROMOSOMES = [
  { name: 'chr1', length: 30_000 },
  { name: 'chr10', length: 17 },
  { name: 'chr2', length: 9_000 },
];

test.each([
  { maxGap: 30, maxLength: 5 },
  { maxGap: 3, maxLength: 60 },
  { maxGap: 3000, maxLength: 2000 },
])('@gmod/bbi reads the same runs and the expected summaries of every zoom level: %o', async (shape) => {
  for (let seed = 0; seed < volume(10); seed++) {
    const random = createRandom(seed);
    const runs = randomRuns({ random, references: CHROMOSOMES, ...shape });
    const bytes = await writeBigWig(CHROMOSOMES, runs, 1 + Math.floor(random() * 3000));
    const stored = runs.map((run) => ({ ...run, value: Math.fround(run.value) }));
    expect(await readAll(bytes, CHROMOSOMES)).toEqual(stored);
    const reductions = await checkZoomLevels(bytes, CHROMOSOMES, runs);
    expect(reductions.length > 0).toBe(runs.length > 0);
  }
});

test('the first zoom level takes at most half of the bytes of the data, and each next one has summaries of four times the length', async () => {
  const references = [{ name: 'chr1', length: 100_000 }];
  const runs = randomRuns({ random: createRandom(5), references, maxGap: 2, maxLength: 4 });
  const repeated = runs.map((run) => ({ ...run, value: 1 + (run.start % 3) }));
  const bytes = await writeBigWig(references, repeated);
  const reductions = await checkZoomLevels(bytes, references, repeated);
  expect(reductions).toEqual([40, 160, 640, 2560, 10_240, 40_960, 163_840]);
});

test('a run that is as long as a chromosome has one summary per zoom level', async () => {
  const references = [{ name: 'chr1', length: 248_956_422 }];
  const bytes = await writeBigWig(references, [{ referenceId: 0, start: 0, end: 248_956_422, value: 30 }]);
  const summary = { start: 0, end: 248_956_422, minScore: 30, maxScore: 30, summary: true };
  const score = Math.fround(30 * 248_956_422) / 248_956_422;
  expect(await readFeatures(bytes, { name: 'chr1', length: 10 }, 2e9)).toMatchObject([{ ...summary, score }]);
});

test('a long run among many short ones fills many blocks of summaries', async () => {
  const references = [{ name: 'chr1', length: 3_000_000 }];
  const runs = Array.from({ length: 100_000 }, (_, i) => ({
    referenceId: 0,
    start: i,
    end: i + 1,
    value: (i * 7919) % 997,
  }));
  runs.push({ referenceId: 0, start: 100_000, end: 2_900_000, value: 2 });
  const bytes = await writeBigWig(references, runs);
  expect(await readAll(bytes, references)).toEqual(runs);
  const [first] = (await openWithGmod(bytes).getHeader()).zoomLevels;
  const reduction = first?.reductionLevel ?? 0;
  const found = await readFeatures(bytes, { name: 'chr1', length: 3_000_000 }, reduction);
  expect(found.length).toBeGreaterThan(5000);
  const long = found.filter(({ start, end }) => start >= 100_000 && end <= 2_900_000);
  expect(new Set(long.map(({ score, minScore, maxScore }) => `${score} ${minScore} ${maxScore}`))).toEqual(
    new Set(['2 2 2']),
  );
  expect(long.slice(1).map(({ start }) => start)).toEqual(long.slice(0, -1).map(({ end }) => end));
});

test('memory holds about a megabyte of a file at a time', async () => {
  const memory = new BigWigMemory();
  const lengths: number[] = [];
  const target = {
    async write(bytes: Uint8Array, position: number): Promise<void> {
      lengths.push(bytes.length);
      await memory.write(bytes, position);
    },
    async read(range: { readonly start: number; readonly end: number }): Promise<Uint8Array> {
      lengths.push(range.end - range.start);
      return memory.read(range);
    },
  };
  const writer = new BigWigWriter(target, { references: [{ name: 'a', length: 2e9 }] });
  const random = createRandom(7);
  const length = 1000;
  const value = Float32Array.from({ length }, () => random());
  for (let batch = 0; batch < 1000; batch++) {
    const start = Uint32Array.from({ length }, (_, i) => 1000 * (batch * length + i));
    await writer.write({ referenceId: 0, length, start, end: start.map((base) => base + 1000), value });
  }
  expect(await writer.finish()).toBeGreaterThan(4e6);
  expect(lengths.length).toBeGreaterThan(10);
  expect(Math.max(...lengths)).toBeLessThan(1.1 * 2 ** 20);
});

describe('names', () => {
  test.each([1, 255, 256, 257, 1000, 66_000])('finds the data of each of %i references', async (count) => {
    const references = Array.from({ length: count }, (_, i) => ({
      name: `contig_${(i * 7919) % count}_${i}`,
      length: 10 + i,
    }));
    const runs = references.map((_, referenceId) => ({
      referenceId,
      start: 3,
      end: 4 + (referenceId % 5),
      value: referenceId,
    }));
    const bytes = await writeBigWig(references, runs);
    const file = openWithGmod(bytes);
    const { refsByNumber } = await file.getHeader();
    expect(Object.keys(refsByNumber)).toHaveLength(count);
    for (let i = 0; i < count; i += Math.ceil(count / 50)) {
      const { name, length } = references[i] ?? { name: '', length: 0 };
      expect(refsByNumber[i]).toMatchObject({ name, id: i, length });
      expect(await file.getFeatures(name, 0, length, { scale: 1 })).toMatchObject([
        { start: 3, end: 4 + (i % 5), score: i },
      ]);
    }
  });

  test('stores names of more than 255 bytes and names in any script', async () => {
    const references = [
      { name: 'x'.repeat(1000), length: 5 },
      { name: '染色体一', length: 5 },
      { name: 'a', length: 5 },
    ];
    const runs = references.map((_, referenceId) => ({ referenceId, start: 0, end: 5, value: referenceId + 0.5 }));
    const bytes = await writeBigWig(references, runs);
    expect(await readAll(bytes, references)).toEqual(runs);
  });

  test('refuses a repeated name and an invalid length', () => {
    const target = new BigWigMemory();
    const [a, b] = [
      { name: 'a', length: 5 },
      { name: 'b', length: 5 },
    ];
    expect(() => new BigWigWriter(target, { references: [a, b, a] })).toThrow('reference "a" is repeated');
    for (const length of [-1, 2 ** 32, 1.5, NaN]) {
      expect(() => new BigWigWriter(target, { references: [{ ...a, length }] })).toThrow(
        `length ${length} of reference "a"`,
      );
    }
  });
});

test('a file without data has its references, and no zoom levels', async () => {
  for (const references of [CHROMOSOMES, []]) {
    const bytes = await writeBigWig(references, []);
    expect(await readAll(bytes, references)).toEqual([]);
    expect(new DataView(bytes.buffer).getUint16(6, true)).toBe(0);
    expect(Object.keys((await openWithGmod(bytes).getHeader()).refsByNumber)).toHaveLength(references.length);
  }
});

test('the last base of a reference of 2^31 − 1 bases is stored', async () => {
  const references = [{ name: 'a', length: 2 ** 31 - 1 }];
  const runs = [{ referenceId: 0, start: 2 ** 31 - 2, end: 2 ** 31 - 1, value: -7 }];
  expect(await readAll(await writeBigWig(references, runs), references)).toEqual(runs);
});

test.each([
  ['overlaps the run before', [5, 8], [7, 9], 1],
  ['is before another', [5, 8], [2, 3], 1],
  ['is empty', [5, 8], [9, 9], 1],
  ['is longer than the reference', [5, 8], [9, 101], 1],
  ['is fractional', [5, 8], [9, 10.5], 1],
  ['has no number', [5, 8], [9, 10], NaN],
  ['has an infinite value', [5, 8], [9, 10], Infinity],
  ['has a value that no 32-bit float holds', [5, 8], [9, 10], 1e39],
])('refuses a run that %s', async (_, first, second, value) => {
  const writer = new BigWigWriter(new BigWigMemory(), { references: [{ name: 'a', length: 100 }] });
  const runs = {
    referenceId: 0,
    length: 2,
    start: [first[0] ?? 0, second[0] ?? 0],
    end: [first[1] ?? 0, second[1] ?? 0],
  };
  await expect(writer.write({ ...runs, value: [1, value] })).rejects.toThrow(
    /^invalid run .*expected integers from 8 to 100/,
  );
});

test('refuses a reference that is unknown, and one before another', async () => {
  const writer = new BigWigWriter(new BigWigMemory(), { references: CHROMOSOMES });
  const run = { length: 1, start: [0], end: [1], value: [1] };
  await writer.write({ ...run, referenceId: 1 });
  for (const referenceId of [0, 3, -1, 1.5, NaN]) {
    await expect(writer.write({ ...run, referenceId })).rejects.toThrow(`reference ${referenceId} is unknown`);
  }
});
