import { compareVirtualOffsets } from '@htskit/bgzf';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Chunk, parseBai, type RegionQuery } from '../../src/index.js';
import { REFERENCE_COUNT, regionQuery, sortedRecords, writerHabits } from '../arbitrary-index.js';
import { buildBai, chunkOf } from '../build-bai.js';
import { type IndexedRecord, writeBai } from '../write-index.js';

function overlaps(record: IndexedRecord, { referenceId, start, end }: RegionQuery): boolean {
  return record.referenceId === referenceId && record.baseStart < end && record.baseEnd > start;
}

function holds(chunks: readonly Chunk[], { start, end }: Chunk): boolean {
  return chunks.some(
    (chunk) => compareVirtualOffsets(chunk.start, start) <= 0 && compareVirtualOffsets(end, chunk.end) <= 0,
  );
}

/** Regions that begin or end with the first or the last base of a record. */
function edgeQueries({ referenceId, baseStart, baseEnd }: IndexedRecord): RegionQuery[] {
  return [
    { referenceId, start: baseStart - 9, end: baseStart + 1 },
    { referenceId, start: baseEnd - 1, end: baseEnd + 40_000 },
  ].filter(() => referenceId >= 0);
}

describe('chunks', () => {
  test('hold every record that overlaps the region, whatever the habits of the writer', () => {
    fc.assert(
      fc.property(sortedRecords, writerHabits, fc.array(regionQuery, { maxLength: 8 }), (records, habits, queries) => {
        const index = parseBai(writeBai(records, REFERENCE_COUNT, habits));
        for (const query of [...queries, ...records.slice(0, 20).flatMap(edgeQueries)]) {
          const chunks = index.chunks(query);
          const missed = records.filter((record) => overlaps(record, query) && !holds(chunks, record));
          expect(missed).toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('are sorted, apart, and not empty', () => {
    fc.assert(
      fc.property(sortedRecords, writerHabits, regionQuery, (records, habits, query) => {
        const chunks = parseBai(writeBai(records, REFERENCE_COUNT, habits)).chunks(query);
        const edges = chunks.flatMap(({ start, end }) => [start, end]);
        for (const [rank, edge] of edges.entries()) {
          const next = edges[rank + 1];
          if (next !== undefined) expect(compareVirtualOffsets(edge, next)).toBeLessThan(0);
        }
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

  test('end before a record of a higher level, if that comes first', () => {
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

  test('begin where the linear index says', () => {
    const index = parseBai(
      buildBai([
        {
          bins: [
            [0, [chunkOf([10, 0], [20, 0]), chunkOf([25, 0], [90, 0])]],
            [4682, [chunkOf([60, 0], [70, 0])]],
          ],
          pseudoBin: { mapped: 9, unmapped: 0 },
          windows: [
            { coffset: 10, uoffset: 0 },
            { coffset: 30, uoffset: 9 },
          ],
        },
      ]),
    );
    expect(index.chunks({ referenceId: 0, start: 16384, end: 16385 })).toEqual([chunkOf([30, 9], [90, 0])]);
    expect(index.chunks({ referenceId: 0, start: 16383, end: 16384 })).toEqual([
      chunkOf([10, 0], [20, 0]),
      chunkOf([25, 0], [60, 0]),
    ]);
  });
});
