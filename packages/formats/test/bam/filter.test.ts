import { peek } from '@htskit/io';
import { type DecodedBamRecord, decodeBam, fixtureNames, mutations, readFixture, volume } from '@htskit/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BamInterval, createBamFilter } from '../../src/index.js';
import { passPieces, piecesOutcome } from '../record-pieces.js';
import { ascii, buildRecord, int32, join } from './build-bam.js';

function filter(data: Uint8Array, intervals: readonly BamInterval[], pieceLengths?: readonly number[]): Uint8Array {
  return passPieces(createBamFilter(intervals), data, pieceLengths);
}

function overlaps({ referenceId, position, end }: DecodedBamRecord, intervals: readonly BamInterval[]): boolean {
  return intervals.some(
    (interval) => interval.referenceId === referenceId && interval.start < end && position < interval.end,
  );
}

function error(code: string, offset: number): Error {
  return expect.objectContaining({ name: 'FormatError', code, offset }) as Error;
}

const interval: fc.Arbitrary<BamInterval> = fc
  .record({
    referenceId: fc.integer({ min: -1, max: 4 }),
    start: fc.nat(150_000),
    length: fc.integer({ min: 1, max: 5000 }),
  })
  .map(({ referenceId, start, length }) => ({ referenceId, start, end: start + length }));

describe('createBamFilter', () => {
  const records = decodeBam(readFixture('reads.bam')).records.filter((_, ordinal) => ordinal % 20 === 0);
  const data = join(records.map(({ raw }) => raw));

  test('keeps the records that overlap an interval, however the data is cut into pieces', () => {
    const lengths = fc.array(fc.oneof(fc.integer({ min: 1, max: 500 }), fc.constant(60_000)), {
      minLength: 1,
      maxLength: 9,
    });
    fc.assert(
      fc.property(fc.array(interval, { maxLength: 6 }), lengths, (intervals, pieceLengths) => {
        const expected = records.filter((record) => overlaps(record, intervals)).map(({ raw }) => raw);
        expect(Buffer.compare(filter(data, intervals, pieceLengths), join(expected))).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  test.each(fixtureNames('.bam'))('keeps all placed records of %s, byte by byte', (name) => {
    const decoded = decodeBam(readFixture(name), { requireEof: false });
    const intervals = decoded.references.map(({ length }, referenceId) => ({ referenceId, start: 0, end: length }));
    const some = decoded.records.slice(-400);
    const placed = some.filter(({ referenceId }) => referenceId >= 0);
    const kept = filter(join(some.map(({ raw }) => raw)), intervals, [1]);
    expect(Buffer.compare(kept, join(placed.map(({ raw }) => raw)))).toBe(0);
  });

  test('returns runs within a piece as views of it', () => {
    const piece = join([0, 10, 20, 30, 40].map((position) => buildRecord({ position })));
    const length = piece.length / 5;
    const kept = createBamFilter([
      { referenceId: 0, start: 0, end: 11 },
      { referenceId: 0, start: 30, end: 31 },
    ]).push(piece);
    expect(kept).toEqual([piece.subarray(0, 2 * length), piece.subarray(3 * length, 4 * length)]);
    expect(kept.map(peek).every(({ buffer }) => buffer === piece.buffer)).toBe(true);
  });

  test('does not retain the memory of a piece', () => {
    const record = buildRecord({ position: 5 });
    const recordFilter = createBamFilter([{ referenceId: 0, start: 0, end: 9 }]);
    const piece = record.slice(0, 20);
    expect(recordFilter.push(piece)).toEqual([]);
    piece.fill(0xff);
    expect(recordFilter.push(record.subarray(20))).toEqual([record]);
  });

  test('keeps records without a reference for an interval of reference -1, and nothing for an empty interval', () => {
    const unplaced = buildRecord({ referenceId: -1, position: -1, flag: 4 });
    const placed = buildRecord({ position: 5 });
    const bytes = join([placed, unplaced]);
    expect(filter(bytes, [{ referenceId: -1, start: -9, end: 9 }])).toEqual(unplaced);
    expect(filter(bytes, [{ referenceId: -1, start: 0, end: 9 }])).toHaveLength(0);
    expect(filter(bytes, [{ referenceId: 0, start: 5, end: 5 }])).toHaveLength(0);
    expect(filter(bytes, [{ referenceId: 0, start: 5, end: Number.MAX_SAFE_INTEGER }])).toEqual(placed);
    expect(filter(bytes, [])).toHaveLength(0);
  });

  test('finds overlaps with intervals that overlap, touch and repeat', () => {
    const intervals = [
      { referenceId: 0, start: 50, end: 60 },
      { referenceId: 0, start: 0, end: 1000 },
      { referenceId: 0, start: 10, end: 20 },
      { referenceId: 0, start: 1000, end: 1001 },
    ];
    const inside = [999, 1000].map((position) => buildRecord({ position }));
    expect(filter(join([...inside, buildRecord({ position: 1001 })]), intervals)).toEqual(join(inside));
  });

  test('drops a record that starts before `recordsFrom` of its reference even if it overlaps an interval', () => {
    const intervals = [
      { referenceId: 0, start: 40, end: 50, recordsFrom: 30 },
      { referenceId: 0, start: 29, end: 31 },
      { referenceId: 1, start: 0, end: 50 },
    ];
    const kept = [30, 40].map((position) => buildRecord({ position }));
    const other = buildRecord({ position: 0, referenceId: 1 });
    expect(filter(join([buildRecord({ position: 29 }), ...kept, other]), intervals)).toEqual(join([...kept, other]));
  });

  test('is past after a record that starts after the intervals of the only reference', () => {
    const isPast = (position: number, intervals: readonly BamInterval[]): boolean => {
      const records = createBamFilter(intervals);
      records.push(join([buildRecord({ position: 0 }), buildRecord({ position })]));
      return records.isPast;
    };
    const only = { referenceId: 0, start: 5, end: 20 };
    expect(isPast(19, [only])).toBe(false);
    expect(isPast(20, [only])).toBe(true);
    expect(isPast(20, [only, { ...only, referenceId: 1 }])).toBe(false);
    expect(isPast(20, [{ ...only, referenceId: 1 }])).toBe(false);
  });

  test('reports the offset of a malformed record from the start of the first piece', () => {
    const record = buildRecord({ position: 5 });
    const bytes = join([record, record, int32(31)]);
    for (const length of [1, 7, record.length, 1000]) {
      expect(() => filter(bytes, [], [length])).toThrow(error('INVALID_DATA', 2 * record.length));
    }
    const huge = join([record, int32(2 ** 30)]);
    for (const length of [1, 1000])
      expect(() => filter(huge, [], [length])).toThrow(error('LIMIT_EXCEEDED', record.length));
    const unfit = join([record, buildRecord({ position: -2 })]);
    for (const length of [1, 1000])
      expect(() => filter(unfit, [], [length])).toThrow(error('INVALID_DATA', record.length));
  });

  test('rejects an incomplete last record as TRUNCATED', () => {
    const record = buildRecord();
    for (const length of [1, 3, 4, record.length - 1]) {
      expect(() => filter(join([record, record.subarray(0, length)]), [])).toThrow(error('TRUNCATED', record.length));
    }
    expect(filter(new Uint8Array(0), [])).toHaveLength(0);
  });

  test('allocates no memory for a declared length, and gathers a long record from small pieces', () => {
    const recordFilter = createBamFilter([{ referenceId: 0, start: 0, end: 9 }]);
    const tags = join([ascii('XXZ'), new Uint8Array(2 ** 22).fill(0x20), ascii('\0')]);
    const record = buildRecord({ tags });
    const kept: Uint8Array[] = [];
    for (let at = 0; at < record.length; at += 64)
      kept.push(...recordFilter.push(record.subarray(at, at + 64)).map(peek));
    expect(Buffer.compare(join(kept), record)).toBe(0);
    const before = process.memoryUsage().arrayBuffers;
    const filters = Array.from({ length: 20 }, () => createBamFilter([]));
    for (const each of filters) each.push(int32(2 ** 28 - 4, 0, 0));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 28);
  });

  test('treats damaged records alike however the data is cut into pieces', () => {
    const some = join(records.slice(0, 5).map(({ raw }) => raw));
    const intervals = [{ referenceId: 0, start: 0, end: 10_000 }];
    const outcomes = [...mutations(some, { seed: 7, count: volume(2000) })].map(({ bytes, description }) => {
      const whole = piecesOutcome(createBamFilter(intervals), bytes);
      return { description, whole, inPieces: piecesOutcome(createBamFilter(intervals), bytes, [37, 1, 200]) };
    });
    expect(outcomes.filter(({ whole, inPieces }) => whole !== inPieces)).toEqual([]);
    expect(outcomes.filter(({ whole }) => whole.includes(' ')).length).toBeGreaterThan(volume(200));
  });
});
