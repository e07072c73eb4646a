import { BinningIndexBuilder, type CraiSlice, formatCrai, parseBinningIndex, parseCrai } from '@htskit/indexes';
import { createRandom, readFixture } from '@htskit/testing';
import { expect, test } from 'vitest';
import { estimateDepth } from '../../src/index.js';

const LENGTH = 10_000_000;
const READ_LENGTH = 150;
/** Compressed bytes of a record, and of a block. */
const [RECORD_BYTES, BLOCK_BYTES] = [60, 16_384];

/** Returns the starts of reads. The second quarter has ten times as many, and the third none. */
function readStarts(): number[] {
  const random = createRandom(1);
  const starts: number[] = [];
  for (let start = 0; start < LENGTH - READ_LENGTH; start += Math.ceil(random() * (start > LENGTH / 4 ? 8 : 80))) {
    if (start > LENGTH / 2 && start < (3 * LENGTH) / 4) start = (3 * LENGTH) / 4;
    starts.push(start);
  }
  return starts;
}

function buildIndex(format: 'BAI' | 'CSI', starts: readonly number[]): ReturnType<typeof parseBinningIndex> {
  const offsetOf = (record: number): { coffset: number; uoffset: number } => {
    const byte = BLOCK_BYTES + record * RECORD_BYTES;
    return { coffset: byte - (byte % BLOCK_BYTES), uoffset: 4 * (byte % BLOCK_BYTES) };
  };
  const minShift = 14;
  const scheme = format === 'BAI' ? { format } : { format, minShift, depth: 5 };
  const builder = new BinningIndexBuilder({ ...scheme, start: offsetOf(0) });
  for (const [i, baseStart] of starts.entries()) {
    builder.add({ referenceId: 0, baseStart, baseEnd: baseStart + READ_LENGTH }, offsetOf(i + 1));
  }
  return parseBinningIndex(builder.finish({ end: offsetOf(starts.length) }));
}

test.each(['BAI', 'CSI'] as const)('estimates the records and the depth of bins from a %s to 15 percent', (format) => {
  const starts = readStarts();
  const index = buildIndex(format, starts);
  const bins = 40;
  const region = { referenceId: 0, start: 0, end: LENGTH, bins, recordLength: READ_LENGTH };
  const { estimated, records = new Float32Array(), mean = new Float32Array() } = estimateDepth(index, region);
  expect(estimated).toBe(true);
  const expected = new Float64Array(bins);
  for (const start of starts)
    expected[Math.floor((start * bins) / LENGTH)] = (expected[Math.floor((start * bins) / LENGTH)] ?? 0) + 1;
  for (const [bin, count] of expected.entries()) {
    expect(Math.abs((records[bin] ?? 0) - count)).toBeLessThan(0.15 * count + 0.01 * starts.length);
    expect(mean[bin]).toBeCloseTo(((records[bin] ?? 0) * READ_LENGTH * bins) / LENGTH, 3);
  }
  expect(records.reduce((sum, count) => sum + count, 0) / starts.length).toBeCloseTo(1, 2);

  const half = estimateDepth(index, { ...region, end: LENGTH / 2, bins: bins / 2 });
  expect([...(half.records ?? [])].map(Math.round)).toEqual([...records.slice(0, bins / 2)].map(Math.round));
});

function craiSlice(slice: Partial<CraiSlice>): CraiSlice {
  return {
    referenceId: 0,
    alignmentStart: 1,
    alignmentSpan: 100,
    containerStart: 0,
    sliceOffset: 10,
    sliceSize: 1000,
    ...slice,
  };
}

test('distributes the bytes of CRAM slices over the bases that they span', () => {
  const index = parseCrai(
    new TextEncoder().encode(
      formatCrai([
        craiSlice({ alignmentStart: 1, alignmentSpan: 200 }),
        craiSlice({ alignmentStart: 201, alignmentSpan: 100, containerStart: 2000 }),
        // A slice of two references.
        craiSlice({ alignmentStart: 351, alignmentSpan: 50, containerStart: 4000 }),
        craiSlice({ referenceId: 1, containerStart: 4000 }),
        craiSlice({ referenceId: -1, alignmentStart: 0, alignmentSpan: 0, containerStart: 6000 }),
      ]),
    ),
  );
  const estimate = estimateDepth(index, { referenceId: 0, start: 0, end: 400, bins: 4 });
  expect(estimate).toEqual({ estimated: true, start: 0, end: 400, bytes: Float32Array.of(500, 500, 1000, 500) });
  expect(estimateDepth(index, { referenceId: 0, start: 50, end: 150, bins: 2 }).bytes).toEqual(
    Float32Array.of(250, 250),
  );
  expect(estimateDepth(index, { referenceId: 1, start: 0, end: 100, bins: 1 }).bytes).toEqual(Float32Array.of(500));
  expect(estimateDepth(index, { referenceId: -1, start: 0, end: 100, bins: 1 }).bytes).toEqual(Float32Array.of(0));
});

test.each(['reads.bam.bai', 'reads-csi.bam.csi', 'longref.bam.csi', 'variants.vcf.gz.tbi', 'variants.bcf.csi'])(
  'estimates all mapped records of %s in its longest bins',
  (name) => {
    const index = parseBinningIndex(readFixture(name));
    for (let referenceId = 0; referenceId < index.referenceCount; referenceId++) {
      const { records = new Float32Array() } = estimateDepth(index, { referenceId, start: 0, end: 2 ** 31, bins: 7 });
      const sum = records.reduce((total, count) => total + count, 0);
      expect(sum).toBeCloseTo(index.referenceStatistics(referenceId)?.mapped ?? 0, 1);
    }
  },
);

test('an unknown reference has no records', () => {
  const index = parseBinningIndex(readFixture('reads.bam.bai'));
  for (const referenceId of [-1, 99, 0.5]) {
    expect(estimateDepth(index, { referenceId, start: 0, end: 100, bins: 2 }).bytes).toEqual(new Float32Array(2));
  }
});

test.each([0, -1, 1.5, NaN, 2 ** 24 + 1])('refuses %d bins', (bins) => {
  const index = parseBinningIndex(readFixture('reads.bam.bai'));
  expect(() => estimateDepth(index, { referenceId: 0, start: 0, end: 100, bins })).toThrow(RangeError);
});
