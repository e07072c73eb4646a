import { deflateZlib } from '@htskit/bgzf/internal';
import { createRandom, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import type { BigWigReference } from '../../src/index.js';
import { type BigWigReader, openBigWig } from '../../src/internal.js';
import { randomRuns, type TestRun } from './expected-zoom.js';
import { readFeatures, toSource, writeBigWig } from './write-big-wig.js';

const NO_LIMIT = 2 ** 30;
const CHROMOSOMES = [
  { name: 'chr1', length: 30_000 },
  { name: 'chr10', length: 17 },
  { name: 'chr2', length: 9_000 },
];

const openBytes = (bytes: Uint8Array): Promise<BigWigReader> => openBigWig(toSource(bytes));

/** Returns the runs of a reference that overlap bases [start, end). */
async function runsOf(
  reader: BigWigReader,
  name: string,
  start: number,
  end: number,
): Promise<Omit<TestRun, 'referenceId'>[]> {
  const { referenceId = -1 } = (await reader.find(name)) ?? {};
  const blocks = await reader.locate(reader.runsIndexOffset, [{ start, end }], { referenceId, maxBytes: NO_LIMIT });
  const runs: Omit<TestRun, 'referenceId'>[] = [];
  await reader.visitRuns(blocks ?? [], referenceId, (from, to, _, value) => {
    if (from < end && to > start) runs.push({ start: from, end: to, value });
  });
  return runs;
}

test('finds the references of small and large trees of names', async () => {
  for (const count of [1, 3, 300, 70_000]) {
    const references = Array.from({ length: count }, (_, i) => ({ name: `c${i * 7}`, length: 10 + i }));
    const reader = await openBytes(await writeBigWig(references, []));
    for (const i of [0, Math.floor(count / 3), count - 1]) {
      expect(await reader.find(`c${i * 7}`)).toEqual({ referenceId: i, length: 10 + i });
    }
    expect(await reader.find('c1')).toBeUndefined();
    expect(await reader.find('a')).toBeUndefined();
    expect(await reader.find('z')).toBeUndefined();
  }
});

test('reads the runs of random regions', async () => {
  for (let seed = 0; seed < volume(10); seed++) {
    const random = createRandom(seed);
    const runs = randomRuns({ random, references: CHROMOSOMES, maxGap: 6, maxLength: 5 });
    const reader = await openBytes(await writeBigWig(CHROMOSOMES, runs));
    for (const [referenceId, { name, length }] of CHROMOSOMES.entries()) {
      const start = Math.floor(random() * length);
      const end = start + 1 + Math.floor(random() * (length - start));
      const expected = runs
        .filter((run) => run.referenceId === referenceId && run.start < end && run.end > start)
        .map((run) => ({ start: run.start, end: run.end, value: Math.fround(run.value) }));
      expect(await runsOf(reader, name, start, end)).toEqual(expected);
    }
  }
});

test('reads the summaries of each zoom level that @gmod/bbi reads, with their sums', async () => {
  const random = createRandom(3);
  const runs = randomRuns({ random, references: CHROMOSOMES, maxGap: 30, maxLength: 5 });
  const bytes = await writeBigWig(CHROMOSOMES, runs);
  const reader = await openBytes(bytes);
  expect(reader.levels.length).toBeGreaterThan(2);
  for (const { reduction, indexOffset } of reader.levels) {
    for (const [referenceId, reference] of CHROMOSOMES.entries()) {
      const interval = { start: 0, end: reference.length };
      const blocks = await reader.locate(indexOffset, [interval], { referenceId, maxBytes: NO_LIMIT });
      const found: { start: number; end: number; maxScore: number }[] = [];
      await reader.visitSummaries(blocks ?? [], referenceId, (start, end, sum, maxScore) => {
        const expected = sumOf(runs, referenceId, start, end);
        expect(Math.abs(sum - expected)).toBeLessThanOrEqual(1e-5 * Math.max(1, Math.abs(expected)));
        found.push({ start, end, maxScore });
      });
      const expected = await readFeatures(bytes, reference, reduction);
      expect(found).toEqual(expected.map(({ start, end, maxScore }) => ({ start, end, maxScore })));
    }
  }
});

function sumOf(runs: readonly TestRun[], referenceId: number, start: number, end: number): number {
  let sum = 0;
  for (const run of runs) {
    if (run.referenceId !== referenceId) continue;
    sum += Math.max(0, Math.min(end, run.end) - Math.max(start, run.start)) * run.value;
  }
  return sum;
}

test('returns no blocks if they have more bytes than the limit', async () => {
  const references: readonly BigWigReference[] = [{ name: 'chr1', length: 200_000 }];
  const runs = randomRuns({ random: createRandom(4), references, maxGap: 2, maxLength: 4 });
  const reader = await openBytes(await writeBigWig(references, runs));
  const locate = (maxBytes: number, end = 200_000) =>
    reader.locate(reader.runsIndexOffset, [{ start: 0, end }], { referenceId: 0, maxBytes });
  const blocks = (await locate(NO_LIMIT)) ?? [];
  const bytes = blocks.reduce((sum, { start, end }) => sum + end - start, 0);
  expect(blocks.length).toBeGreaterThan(20);
  expect(await locate(bytes)).toEqual(blocks);
  expect(await locate(bytes - 1)).toBeUndefined();
  expect(await locate(bytes - 1, 10)).toHaveLength(1);
});

describe('the sections of other programs', () => {
  /** Returns a file whose only section is replaced by an uncompressed one of steps. */
  async function withSection(
    type: number,
    items: readonly number[],
    span: number,
    step: number,
  ): Promise<BigWigReader> {
    const bytes = await writeBigWig(
      [{ name: 'chr1', length: 1000 }],
      [{ referenceId: 0, start: 0, end: 1000, value: 1 }],
    );
    const file = new Uint8Array(bytes.length + 2000);
    file.set(bytes);
    const section = new DataView(new ArrayBuffer(24 + 4 * items.length));
    section.setUint32(4, 100, true);
    section.setUint32(8, 1000, true);
    section.setUint32(12, step, true);
    section.setUint32(16, span, true);
    section.setUint8(20, type);
    section.setUint16(22, type === 3 ? items.length : items.length / 2, true);
    for (const [i, item] of items.entries()) {
      if (type === 2 && i % 2 === 0) section.setUint32(24 + 4 * i, item, true);
      else section.setFloat32(24 + 4 * i, item, true);
    }
    const stored = deflateZlib(new Uint8Array(section.buffer));
    file.set(stored, bytes.length);
    const view = new DataView(file.buffer);
    const slot = view.getUint32(24, true) + 48 + 4;
    view.setUint32(slot + 16, bytes.length, true);
    view.setUint32(slot + 24, stored.length, true);
    return openBytes(file);
  }

  test('of variable steps are read', async () => {
    const reader = await withSection(2, [100, 1.5, 200, 2], 5, 0);
    const runs = [
      { start: 100, end: 105, value: 1.5 },
      { start: 200, end: 205, value: 2 },
    ];
    expect(await runsOf(reader, 'chr1', 0, 1000)).toEqual(runs);
  });

  test('of fixed steps are read', async () => {
    const reader = await withSection(3, [1, 2, 3], 5, 10);
    const runs = [1, 2, 3].map((value, i) => ({ start: 100 + 10 * i, end: 105 + 10 * i, value }));
    expect(await runsOf(reader, 'chr1', 0, 1000)).toEqual(runs);
  });

  test('of an unknown type are refused', async () => {
    await expect(runsOf(await withSection(4, [1], 5, 10), 'chr1', 0, 1000)).rejects.toThrow('unknown type 4');
  });
});

test.each([
  ['nothing', new Uint8Array(0), 'TRUNCATED'],
  ['other data', new Uint8Array(100), 'INVALID_MAGIC'],
  ['a big-endian file', Uint8Array.of(0x88, 0x8f, 0xfc, 0x26, ...new Array<number>(100).fill(0)), 'UNSUPPORTED'],
])('refuses %s', async (_, bytes, code) => {
  await expect(openBytes(bytes)).rejects.toMatchObject({ name: 'FormatError', code });
});
