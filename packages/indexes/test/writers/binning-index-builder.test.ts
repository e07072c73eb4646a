import type { VirtualOffset } from '@htskit/bgzf';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BinningIndexBuilder, IndexError, parseBinningIndex } from '../../src/index.js';
import { REFERENCE_COUNT, regionQuery, sortedRecords } from '../support/arbitrary-index.js';
import type { IndexedRecord } from '../support/write-index.js';

const start: VirtualOffset = { coffset: 3000, uoffset: 0 };

const format = fc.oneof(
  fc.constant({ format: 'BAI' } as const),
  fc.constant({ format: 'TBI' } as const),
  fc.constantFrom([14, 5], [12, 6], [9, 7], [3, 9], [20, 3], [29, 0]).map(([minShift, depth]) => {
    return { format: 'CSI', minShift, depth } as const;
  }),
);

const tabix = {
  preset: 'generic',
  isZeroBased: false,
  sequenceColumn: 1,
  startColumn: 2,
  endColumn: 3,
  metaCharacter: 35,
  skippedLines: 0,
  names: ['a', 'b', 'c'],
} as const;

function build(records: readonly IndexedRecord[], options: { format: 'BAI' | 'CSI' | 'TBI' }): Uint8Array {
  const builder = new BinningIndexBuilder({ ...options, start, referenceCount: REFERENCE_COUNT });
  for (const { isUnmapped, end, ...span } of records) builder.add({ ...span, isMapped: !isUnmapped }, end);
  const end = records.at(-1)?.end ?? start;
  return builder.finish({ end, tabix: options.format === 'TBI' ? tabix : undefined });
}

function isWithin(record: IndexedRecord, chunks: readonly { start: VirtualOffset; end: VirtualOffset }[]): boolean {
  const place = ({ coffset, uoffset }: VirtualOffset): number => coffset * 65536 + uoffset;
  return chunks.some((chunk) => place(chunk.start) <= place(record.start) && place(record.end) <= place(chunk.end));
}

describe('a built index', () => {
  test('contains every record that overlaps a region in the chunks of the region', () => {
    fc.assert(
      fc.property(sortedRecords, format, fc.array(regionQuery, { maxLength: 8 }), (records, options, regions) => {
        const index = parseBinningIndex(build(records, options));
        for (const region of regions) {
          const chunks = index.chunks(region);
          const overlapping = records.filter(
            ({ referenceId, baseStart, baseEnd }) =>
              referenceId === region.referenceId && baseStart < region.end && baseEnd > region.start,
          );
          expect(overlapping.filter((record) => !isWithin(record, chunks))).toEqual([]);
        }
      }),
    );
  });

  test('counts the records', () => {
    fc.assert(
      fc.property(sortedRecords, format, (records, options) => {
        const index = parseBinningIndex(build(records, options));
        expect(index.referenceCount).toBe(REFERENCE_COUNT);
        expect(index.unplacedCount).toBe(records.filter(({ referenceId }) => referenceId === -1).length);
        for (let id = 0; id < REFERENCE_COUNT; id++) {
          const placed = records.filter(({ referenceId }) => referenceId === id);
          const unmapped = placed.filter(({ isUnmapped }) => isUnmapped).length;
          expect(index.referenceStatistics(id)).toEqual(
            placed.length === 0 ? undefined : { mapped: placed.length - unmapped, unmapped },
          );
        }
        expect(index.lastPlacedEnd()).toEqual(records.findLast(({ referenceId }) => referenceId >= 0)?.end);
      }),
    );
  });
});

describe('BinningIndexBuilder', () => {
  const span = (referenceId: number, baseStart: number, baseEnd = baseStart + 1) => ({
    referenceId,
    baseStart,
    baseEnd,
    isMapped: true,
  });
  const at = (uoffset: number): VirtualOffset => ({ coffset: 3000, uoffset });
  const builder = (format: 'BAI' | 'CSI' | 'TBI' = 'BAI') => new BinningIndexBuilder({ format, start });

  function failure(attempt: () => unknown): IndexError {
    try {
      attempt();
    } catch (error) {
      if (error instanceof IndexError) return error;
    }
    throw new Error('there was no IndexError');
  }

  test('rejects records that are not sorted and names them', () => {
    const unsorted = builder();
    unsorted.add(span(0, 100), at(10));
    const error = failure(() => unsorted.add(span(0, 99), at(20)));
    expect([error.code, error.offset]).toEqual(['INVALID_DATA', 3000]);
    expect(error.message).toContain('not sorted: position 100 of reference 0 follows position 101');
  });

  test('rejects a reference that recurs and one after unplaced records', () => {
    const scattered = builder();
    scattered.add(span(1, 100), at(10));
    scattered.add(span(0, 100), at(20));
    expect(failure(() => scattered.add(span(1, 200), at(30))).message).toContain('reference 1 are not consecutive');
    const unplaced = builder();
    unplaced.add(span(-1, -1), at(10));
    expect(failure(() => unplaced.add(span(0, 1), at(20))).message).toContain('follows an unplaced record');
  });

  test.each(['BAI', 'TBI'] as const)('%s accepts positions up to 2^29, and errors beyond suggest CSI', (format) => {
    const index = builder(format);
    index.add(span(0, 2 ** 29 - 1), at(10));
    const error = failure(() => index.add(span(0, 2 ** 29), at(20)));
    expect(error.message).toContain(`beyond the 536870912 bases of this ${format} index; use a CSI index`);
  });

  test('CSI accepts records within the bases that its scheme covers', () => {
    const index = new BinningIndexBuilder({ format: 'CSI', start, minShift: 14, depth: 9 });
    index.add(span(0, 2 ** 41 - 1), at(10));
    expect(failure(() => index.add(span(0, 2 ** 41), at(20))).code).toBe('INVALID_DATA');
    const parsed = parseBinningIndex(index.finish({ end: at(10) }));
    expect(parsed.chunks({ referenceId: 0, start: 2 ** 41 - 5, end: 2 ** 41 })).toEqual([{ start, end: at(10) }]);
  });

  test('rejects a record that ends before its start but accepts one without bases', () => {
    const index = builder();
    index.add(span(0, 100, 100), at(10));
    index.add(span(0, 16_384, 16_384), at(20));
    expect(failure(() => index.add(span(0, 16_384, 16_383), at(30))).message).toContain('ends before its start');
    expect(parseBinningIndex(index.finish({ end: at(20) })).referenceStatistics(0)).toEqual({ mapped: 2, unmapped: 0 });
  });

  test('a negative position counts as the first base', () => {
    const index = builder();
    index.add(span(0, -1, 0), at(10));
    index.add(span(0, -1, 2), at(20));
    const parsed = parseBinningIndex(index.finish({ end: at(20) }));
    expect(parsed.chunks({ referenceId: 0, start: 0, end: 1 })).toEqual([{ start, end: at(20) }]);
  });

  test('refuses to grow beyond maxBytes before memory is allocated', () => {
    const longest = 2 ** 29 - 1;
    const index = new BinningIndexBuilder({ format: 'BAI', start, maxBytes: 100_000 });
    index.add(span(0, longest), at(10));
    expect(failure(() => index.add(span(1, longest), at(20))).code).toBe('LIMIT_EXCEEDED');
    const sparse = new BinningIndexBuilder({ format: 'BAI', start, maxBytes: 100_000 });
    sparse.add(span(2 ** 31 - 1, 0), at(10));
    expect(failure(() => sparse.finish({ end: at(10) })).code).toBe('LIMIT_EXCEEDED');
  });
});
