import { compareVirtualOffsets, type VirtualOffset } from '@htskit/bgzf';
import { excessGrowth, volume } from '@htskit/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type BinningIndex,
  type Chunk,
  IndexError,
  parseBai,
  parseCsi,
  parseTbi,
  type RegionQuery,
} from '../../src/index.js';
import { mergeChunks } from '../../src/internal.js';
import { REFERENCE_COUNT, regionQuery, sortedRecords, writerHabits } from '../support/arbitrary-index.js';
import { buildBai, chunkOf } from '../support/build-bai.js';
import { buildTbi, tabixHeader } from '../support/build-tabix.js';
import { writeCsi } from '../support/write-csi.js';
import { type IndexedRecord, writeBai } from '../support/write-index.js';

function overlaps(record: IndexedRecord, { referenceId, start, end }: RegionQuery): boolean {
  return record.referenceId === referenceId && record.baseStart < end && record.baseEnd > start;
}

function holds(chunks: readonly Chunk[], { start, end }: Chunk): boolean {
  return chunks.some(
    (chunk) => compareVirtualOffsets(chunk.start, start) <= 0 && compareVirtualOffsets(end, chunk.end) <= 0,
  );
}

function isBefore(a: VirtualOffset | undefined, b: VirtualOffset): boolean {
  return a !== undefined && compareVirtualOffsets(a, b) < 0;
}

/** Regions that begin or end at the first or the last base of a record. */
function edgeQueries({ referenceId, baseStart, baseEnd }: IndexedRecord): RegionQuery[] {
  return [
    { referenceId, start: baseStart - 9, end: baseStart + 1 },
    { referenceId, start: baseEnd - 1, end: baseEnd + 40_000 },
  ].filter(() => referenceId >= 0);
}

/** Returns the records of a region that no chunk contains. */
function missedRecords(index: BinningIndex, records: readonly IndexedRecord[], query: RegionQuery): IndexedRecord[] {
  const chunks = index.chunks(query);
  return records.filter((record) => overlaps(record, query) && !holds(chunks, record));
}

describe('chunks contain every record that overlaps the region, whatever the habits of the writer,', () => {
  const queries = fc.array(regionQuery, { maxLength: 8 });

  test('of a BAI', () => {
    fc.assert(
      fc.property(sortedRecords, writerHabits, queries, (records, habits, regions) => {
        const index = parseBai(writeBai(records, REFERENCE_COUNT, habits));
        const all = [...regions, ...records.slice(0, 20).flatMap(edgeQueries)];
        expect(all.flatMap((query) => missedRecords(index, records, query))).toEqual([]);
      }),
      { numRuns: volume(300) },
    );
  });

  test('of a TBI, in which no record is unmapped', () => {
    fc.assert(
      fc.property(sortedRecords, writerHabits, queries, (placed, habits, regions) => {
        const records = placed.map((record) => ({ ...record, isUnmapped: false }));
        const index = parseTbi(buildTbi(tabixHeader('a\0b\0c\0'), writeBai(records, REFERENCE_COUNT, habits)));
        const all = [...regions, ...records.slice(0, 20).flatMap(edgeQueries)];
        expect(all.flatMap((query) => missedRecords(index, records, query))).toEqual([]);
      }),
      { numRuns: volume(300) },
    );
  });

  test.each([
    { minShift: 14, depth: 5, base: 0 },
    { minShift: 12, depth: 6, base: 0 },
    { minShift: 9, depth: 8, base: 2 ** 29 },
    { minShift: 14, depth: 7, base: 2 ** 31 - 40_000 },
    { minShift: 14, depth: 10, base: 2 ** 43 },
    { minShift: 31, depth: 0, base: 0 },
  ])('of a CSI with %o', ({ base, ...scheme }) => {
    const shift = <Region extends RegionQuery>(query: Region): RegionQuery => ({
      referenceId: query.referenceId,
      start: query.start + base,
      end: query.end + base,
    });
    fc.assert(
      fc.property(sortedRecords, writerHabits, queries, (placed, habits, regions) => {
        const records = placed.map(({ baseStart, baseEnd, ...record }) => {
          return { ...record, baseStart: baseStart + base, baseEnd: baseEnd + base };
        });
        const index = parseCsi(writeCsi(records, REFERENCE_COUNT, { ...habits, scheme }));
        const all = [...regions.map(shift), ...records.slice(0, 20).flatMap(edgeQueries)];
        expect(all.flatMap((query) => missedRecords(index, records, query))).toEqual([]);
      }),
      { numRuns: volume(150) },
    );
  });

  test('of several regions at once, in one list', () => {
    fc.assert(
      fc.property(sortedRecords, writerHabits, queries, fc.nat(50_000), (records, habits, regions, maxGap) => {
        const index = parseBai(writeBai(records, REFERENCE_COUNT, habits));
        const chunks = index.chunks(regions);
        const wanted = records.filter((record) => regions.some((region) => overlaps(record, region)));
        expect(wanted.filter((record) => !holds(chunks, record))).toEqual([]);
        expect(chunks).toEqual(mergeChunks(regions.flatMap((region) => index.chunks(region))));
        expect(index.chunks(regions, { maxGap })).toEqual(mergeChunks(chunks, { maxGap }));
      }),
    );
  });
});

describe('chunks', () => {
  test('are joined across a gap, also for one region', () => {
    const bins = [[4681, [chunkOf([10, 0], [20, 5]), chunkOf([30, 0], [40, 0])]]] as const;
    const query = { referenceId: 0, start: 0, end: 1 };
    const index = parseBai(buildBai([{ bins }]));
    expect(index.chunks(query, { maxGap: 9 })).toEqual(index.chunks(query));
    expect(index.chunks(query, { maxGap: 10 })).toEqual([chunkOf([10, 0], [40, 0])]);
    expect(index.chunks([])).toEqual([]);
  });

  test('are sorted, disjoint and not empty', () => {
    fc.assert(
      fc.property(sortedRecords, writerHabits, regionQuery, (records, habits, query) => {
        const chunks = parseBai(writeBai(records, REFERENCE_COUNT, habits)).chunks(query);
        const edges = chunks.flatMap(({ start, end }) => [start, end]);
        const disordered = edges.slice(1).filter((edge, index) => !isBefore(edges[index], edge));
        expect(disordered).toEqual([]);
      }),
    );
  });

  test('end before the first record that begins in a bin after the region', () => {
    const index = parseBai(
      buildBai([
        {
          bins: [
            [585, [chunkOf([10, 0], [90, 0])]], // 0 to 131072
            [4681, [chunkOf([10, 5], [40, 0])]],
            [4683, [chunkOf([50, 7], [60, 0]), chunkOf([70, 0], [80, 0])]], // from 32768
            [586, [chunkOf([95, 0], [99, 0])]],
          ],
          windows: [{ coffset: 10, uoffset: 0 }],
        },
      ]),
    );
    expect(index.chunks({ referenceId: 0, start: 0, end: 16384 })).toEqual([chunkOf([10, 0], [50, 7])]);
    expect(index.chunks({ referenceId: 0, start: 0, end: 32769 })).toEqual([chunkOf([10, 0], [90, 0])]);
  });

  test('end before a record of a higher level if that precedes', () => {
    const index = parseBai(
      buildBai([
        {
          bins: [
            [0, [chunkOf([10, 0], [90, 0])]],
            [586, [chunkOf([30, 0], [40, 0])]], // from 131072
            [4800, [chunkOf([60, 0], [61, 0])]],
          ],
        },
      ]),
    );
    expect(index.chunks({ referenceId: 0, start: 5, end: 6 })).toEqual([chunkOf([10, 0], [30, 0])]);
  });

  test('are sorted and joined if the writer left them unsorted', () => {
    const chunks = [
      chunkOf([50, 0], [60, 0]),
      chunkOf([10, 0], [20, 0]),
      chunkOf([20, 0], [30, 5]),
      chunkOf([30, 4], [30, 5]),
      chunkOf([70, 0], [70, 0]),
    ];
    const index = parseBai(buildBai([{ bins: [[4681, chunks]] }]));
    const expected = [chunkOf([10, 0], [30, 5]), chunkOf([50, 0], [60, 0])];
    expect(index.chunks({ referenceId: 0, start: 0, end: 1 })).toEqual(expected);
  });

  test('splitAt returns the last start within the limit, or otherwise the next one', () => {
    const chunks = [chunkOf([50, 7], [50, 9]), chunkOf([10, 0], [20, 0]), chunkOf([39, 0], [40, 0])];
    const index = parseBai(buildBai([{ bins: [[4681, chunks]] }, { bins: [[4681, [chunkOf([50, 3], [90, 0])]]] }]));
    const split = (coffset: number, uoffset: number, byteLength: number) => {
      const offset = index.splitAt({ coffset, uoffset }, byteLength);
      return offset && [offset.coffset, offset.uoffset];
    };
    expect(split(0, 0, 40)).toEqual([39, 0]);
    expect(split(0, 0, 5)).toEqual([10, 0]);
    expect(split(10, 0, 29)).toEqual([39, 0]);
    expect(split(10, 0, 28)).toEqual([39, 0]);
    expect(split(39, 0, 1000)).toEqual([50, 7]);
    expect(split(39, 0, 1)).toEqual([50, 3]);
    expect(split(50, 7, 1000)).toBeUndefined();
  });

  test('splitAt returns starts of records in an index of 100,000 chunks, close to the limit', () => {
    const chunkBytes = 1000;
    const chunks = Array.from({ length: 100_000 }, (_, i) => chunkOf([i * chunkBytes, 5], [i * chunkBytes + 900, 5]));
    const index = parseBai(buildBai([{ bins: [[4681, chunks]] }]));
    const byteLength = 1_000_000;
    const starts: VirtualOffset[] = [];
    for (
      let from: VirtualOffset | undefined = { coffset: 0, uoffset: 0 };
      from;
      from = index.splitAt(from, byteLength)
    ) {
      starts.push(from);
    }
    for (const [i, { coffset, uoffset }] of starts.slice(1, -1).entries()) {
      expect([coffset % chunkBytes, uoffset]).toEqual([0, 5]);
      const partBytes = coffset - (starts[i]?.coffset ?? 0);
      expect(partBytes).toBeLessThanOrEqual(byteLength);
      // At most 65,536 starts are kept: here, every second one.
      expect(partBytes).toBeGreaterThan(byteLength - 4 * chunkBytes);
    }
    expect(starts.length).toBeGreaterThan(100);
  });

  test('offsets of 48 bits are exact', () => {
    const last = 2 ** 48 - 1;
    const chunks = [chunkOf([last, 0], [last, 65535]), chunkOf([last - 1, 65535], [last, 0])];
    const index = parseBai(buildBai([{ bins: [[4681, chunks]] }]));
    expect(index.chunks({ referenceId: 0, start: 0, end: 1 })).toEqual([chunkOf([last - 1, 65535], [last, 65535])]);
    expect(index.lastPlacedEnd()).toEqual({ coffset: last, uoffset: 65535 });
    expect(index.splitAt({ coffset: 0, uoffset: 0 }, last)).toEqual({ coffset: last, uoffset: 0 });
  });

  test('a region is clipped to the bases that the index covers', () => {
    const index = parseBai(
      buildBai([
        {
          bins: [
            [4681, [chunkOf([10, 0], [20, 0])]],
            [37448, [chunkOf([20, 0], [30, 0])]],
          ],
        },
      ]),
    );
    const chunks = (start: number, end: number) => index.chunks({ referenceId: 0, start, end });
    expect(chunks(-5, Number.MAX_SAFE_INTEGER)).toEqual([chunkOf([10, 0], [30, 0])]);
    expect(chunks(2 ** 29 - 1, Number.POSITIVE_INFINITY)).toEqual([chunkOf([20, 0], [30, 0])]);
    expect(chunks(2 ** 29, Number.POSITIVE_INFINITY)).toEqual([]);
  });

  test.each([
    [5, 5],
    [6, 5],
    [-9, 0],
    [Number.NaN, 5],
    [0, Number.NaN],
  ])('the empty region [%d, %d) has no chunks', (start, end) => {
    const index = parseBai(buildBai([{ bins: [[0, [chunkOf([10, 0], [20, 0])]]] }]));
    expect(index.chunks({ referenceId: 0, start, end })).toEqual([]);
  });

  test('rejects a duplicate bin and a chunk that ends before it starts', () => {
    const chunks = [chunkOf([10, 0], [20, 0])];
    const twice = parseBai(
      buildBai([
        {
          bins: [
            [9, chunks],
            [9, chunks],
          ],
        },
      ]),
    );
    const inverted = parseBai(buildBai([{ bins: [[0, [...chunks, chunkOf([30, 5], [30, 4])]]] }]));
    const query = { referenceId: 0, start: 0, end: 1 };
    expect(() => twice.chunks(query)).toThrow(new IndexError('INVALID_DATA', 'duplicate bin 9', { offset: 44 }));
    expect(() => inverted.chunks(query)).toThrow(
      expect.objectContaining({ code: 'INVALID_DATA', offset: 36 }) as Error,
    );
  });

  test('rejects bins whose chunks contradict a sorted file', () => {
    const disordered = (second: Chunk) =>
      parseBai(
        buildBai([
          {
            bins: [
              [4681, [chunkOf([20, 0], [30, 0])]],
              [4682, [second]],
            ],
          },
        ]),
      );
    const query = { referenceId: 0, start: 0, end: 1 };
    expect(() => disordered(chunkOf([19, 9], [30, 0])).chunks(query)).toThrow(
      expect.objectContaining({ code: 'INVALID_DATA' }) as Error,
    );
    expect(disordered(chunkOf([20, 0], [25, 0])).chunks(query)).toEqual([]);
    expect(disordered(chunkOf([20, 1], [25, 0])).chunks(query)).toEqual([chunkOf([20, 0], [20, 1])]);
  });

  test('nested within others of their bin are found and bounded', () => {
    const chunks = [chunkOf([10, 0], [50, 0]), chunkOf([20, 0], [30, 0]), chunkOf([40, 0], [60, 0])];
    const windows = [10, 35, 55].map((coffset) => ({ coffset, uoffset: 0 }));
    const index = parseBai(buildBai([{ bins: [[585, chunks]], windows, pseudoBin: { mapped: 9, unmapped: 0 } }]));
    const at = (window: number) => index.chunks({ referenceId: 0, start: window * 16384, end: window * 16384 + 1 });
    expect([0, 1, 2].map(at)).toEqual([
      [chunkOf([10, 0], [60, 0])],
      [chunkOf([35, 0], [60, 0])],
      [chunkOf([55, 0], [60, 0])],
    ]);
  });

  test('in reverse order do not take quadratic time', () => {
    const build = (count: number): Uint8Array => {
      const chunks = Array.from({ length: count }, (_, index) =>
        chunkOf([2 * (count - index), 0], [2 * (count - index), 9]),
      );
      return buildBai([{ bins: [[0, chunks]] }]);
    };
    const query = (bytes: Uint8Array): Chunk[] => parseBai(bytes).chunks({ referenceId: 0, start: 0, end: 1 });
    expect(query(build(2_000))).toHaveLength(2_000);
    expect(excessGrowth(build, query, { size: 2_000 })).toBeLessThan(10);
  });
});

describe('the interior of a region', () => {
  const holdsOnlyStarts = (records: readonly IndexedRecord[], index: BinningIndex, query: RegionQuery): boolean => {
    const interior = index.interior(query);
    const inside = records.filter((record) => interior !== undefined && holds([interior], record));
    return inside.every(
      ({ referenceId, baseStart }) =>
        referenceId === query.referenceId && query.start <= baseStart && baseStart < query.end,
    );
  };

  test('contains only records that start within it, whatever the habits of the writer', () => {
    let found = 0;
    fc.assert(
      fc.property(sortedRecords, writerHabits, fc.array(regionQuery, { maxLength: 8 }), (records, habits, regions) => {
        const bai = parseBai(writeBai(records, REFERENCE_COUNT, habits));
        const csi = parseCsi(writeCsi(records, REFERENCE_COUNT, { ...habits, scheme: { minShift: 12, depth: 6 } }));
        for (const query of [...regions, ...records.slice(0, 20).flatMap(edgeQueries)]) {
          expect(holdsOnlyStarts(records, bai, query)).toBe(true);
          expect(holdsOnlyStarts(records, csi, query)).toBe(true);
          found += bai.interior(query) === undefined ? 0 : 1;
        }
      }),
      // A fixed seed, so that the number of interiors found is the same in each run.
      { numRuns: volume(600), seed: 20 },
    );
    expect(found).toBeGreaterThan(volume(200));
  });

  test('lies between the bins that are completely inside', () => {
    const index = parseBai(
      buildBai([
        {
          bins: [
            [4681, [chunkOf([10, 0], [20, 0])]],
            [4682, [chunkOf([20, 0], [30, 0])]],
            [4683, [chunkOf([30, 0], [35, 0]), chunkOf([36, 0], [40, 0])]],
            [4684, [chunkOf([40, 0], [50, 0])]],
            [585, [chunkOf([5, 0], [10, 0])]],
          ],
        },
      ]),
    );
    const interior = (start: number, end: number) => index.interior({ referenceId: 0, start, end });
    expect(interior(16384, 3 * 16384)).toEqual(chunkOf([20, 0], [40, 0]));
    expect(interior(16383, 3 * 16384 + 16383)).toEqual(chunkOf([20, 0], [40, 0]));
    expect(interior(16385, 3 * 16384 - 1)).toBeUndefined();
    expect(interior(0, 2 ** 29)).toEqual(chunkOf([5, 0], [50, 0]));
    expect(interior(5, 5)).toBeUndefined();
    expect(index.interior({ referenceId: 1, start: 0, end: 9 })).toBeUndefined();
  });
});

test('references without records take few bytes', () => {
  const count = 10_000;
  const bytes = new Uint8Array(8 + 8 * count);
  bytes.set([0x42, 0x41, 0x49, 1]);
  new DataView(bytes.buffer).setUint32(4, count, true);
  const index = parseBai(bytes);
  expect(index.referenceCount).toBe(count);
  expect(index.byteLength).toBeLessThan(40 * count);
  expect(index.lastPlacedEnd()).toBeUndefined();
});
