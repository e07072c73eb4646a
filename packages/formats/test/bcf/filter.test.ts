import { bgunzip, expectations, fixtureNames, mutations, readFixture, volume } from '@htskit/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BcfInterval, createBcfFilter, parseBcfHeader } from '../../src/index.js';
import { parseBcfRecordSpan } from '../../src/internal.js';
import { int32, join } from '../bam/build-bam.js';
import { passPieces, piecesOutcome } from '../record-pieces.js';
import { buildBcfRecord } from './build-bcf.js';

function filter(data: Uint8Array, intervals: readonly BcfInterval[], pieceLengths?: readonly number[]): Uint8Array {
  return passPieces(createBcfFilter(intervals), data, pieceLengths);
}

function error(code: string, offset: number): Error {
  return expect.objectContaining({ name: 'FormatError', code, offset }) as Error;
}

/** Splits the data after the header into records. */
function splitRecords(data: Uint8Array): Uint8Array[] {
  const records: Uint8Array[] = [];
  for (let at = parseBcfHeader(data).byteLength; at < data.length; ) {
    const { byteEnd } = parseBcfRecordSpan(data, at);
    records.push(data.subarray(at, byteEnd));
    at = byteEnd;
  }
  return records;
}

describe.each(fixtureNames('.bcf'))('%s', (name) => {
  const data = bgunzip(readFixture(name));
  const records = splitRecords(data);
  const { contigs, byteLength } = parseBcfHeader(data);
  const body = data.subarray(byteLength);
  const ids = new Map(Array.from(contigs, ([referenceId, contig]) => [contig.name, referenceId]));

  test('keeps the records that bcftools finds in each region', () => {
    const regions = expectations(name).regions.map(({ referenceName, start, end, records: ordinals }) => {
      const kept = filter(body, [{ referenceId: ids.get(referenceName) ?? -1, start, end }]);
      const expected = ordinals.flatMap(([first, last]) => records.slice(first, last + 1));
      return { referenceName, start, end, isExact: Buffer.compare(kept, join(expected)) === 0 };
    });
    expect(regions.length).toBeGreaterThan(10);
    expect(regions.filter(({ isExact }) => !isExact)).toEqual([]);
  });
});

describe('createBcfFilter', () => {
  const records = splitRecords(bgunzip(readFixture('variants.bcf'))).filter((_, ordinal) => ordinal % 10 === 0);
  const data = join(records);

  test('keeps the records that overlap an interval, however the data is cut into pieces', () => {
    const interval = fc
      .record({
        referenceId: fc.integer({ min: -1, max: 5 }),
        start: fc.nat(150_000),
        length: fc.integer({ min: 1, max: 5000 }),
      })
      .map(({ referenceId, start, length }) => ({ referenceId, start, end: start + length }));
    const lengths = fc.array(fc.oneof(fc.integer({ min: 1, max: 300 }), fc.constant(30_000)), {
      minLength: 1,
      maxLength: 9,
    });
    fc.assert(
      fc.property(fc.array(interval, { maxLength: 6 }), lengths, (intervals, pieceLengths) => {
        const expected = records.filter((record) => {
          const { referenceId, baseStart, baseEnd } = parseBcfRecordSpan(record, 0);
          return intervals.some((one) => one.referenceId === referenceId && one.start < baseEnd && baseStart < one.end);
        });
        expect(Buffer.compare(filter(data, intervals, pieceLengths), join(expected))).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  test('returns runs within a piece as views of it', () => {
    const piece = join([0, 10, 20, 30, 40].map((position) => buildBcfRecord({ position })));
    const length = piece.length / 5;
    const kept = createBcfFilter([
      { referenceId: 0, start: 0, end: 11 },
      { referenceId: 0, start: 30, end: 31 },
    ]).push(piece);
    expect(kept).toEqual([piece.subarray(0, 2 * length), piece.subarray(3 * length, 4 * length)]);
    expect(kept.every(({ buffer }) => buffer === piece.buffer)).toBe(true);
  });

  test('places a record that covers no base between two bases, and a telomere on the first base', () => {
    const empty = buildBcfRecord({ position: 5, rlen: 0 });
    expect(filter(empty, [{ referenceId: 0, start: 5, end: 6 }])).toHaveLength(0);
    expect(filter(empty, [{ referenceId: 0, start: 4, end: 6 }])).toEqual(empty);
    expect(filter(empty, [{ referenceId: 0, start: 4, end: 5 }])).toHaveLength(0);
    const telomere = buildBcfRecord({ position: -1, rlen: 1 });
    expect(filter(telomere, [{ referenceId: 0, start: 0, end: 1 }])).toEqual(telomere);
    expect(filter(telomere, [{ referenceId: 0, start: 1, end: 9 }])).toHaveLength(0);
  });

  test('drops a record that starts before `recordsFrom` of its contig even if it overlaps an interval', () => {
    const intervals = [
      { referenceId: 0, start: 40, end: 50, recordsFrom: 30 },
      { referenceId: 0, start: 60, end: 70 },
      { referenceId: 1, start: 0, end: 50 },
    ];
    const build = (position: number, contig: number): Uint8Array => buildBcfRecord({ position, contig, rlen: 32 });
    const kept = [build(30, 0), build(31, 0), build(0, 1)];
    expect(filter(join([build(0, 0), build(29, 0), ...kept]), intervals)).toEqual(join(kept));
  });

  test('is past after a record that starts after the intervals of the only contig', () => {
    const isPast = (position: number): boolean => {
      const records = createBcfFilter([{ referenceId: 0, start: 5, end: 20 }]);
      records.push(buildBcfRecord({ position, rlen: 1 }));
      return records.isPast;
    };
    expect([0, 19, 20].map(isPast)).toEqual([false, false, true]);
  });

  test('reports the offset of a malformed record from the start of the first piece', () => {
    const record = buildBcfRecord({ position: 5 });
    const short = join([record, record, int32(23, 0)]);
    const huge = join([record, int32(24, -1)]);
    const unfit = join([record, buildBcfRecord({ contig: -1 })]);
    for (const length of [1, 7, record.length, 1000]) {
      expect(() => filter(short, [], [length])).toThrow(error('INVALID_DATA', 2 * record.length));
      expect(() => filter(huge, [], [length])).toThrow(error('LIMIT_EXCEEDED', record.length));
      expect(() => filter(unfit, [], [length])).toThrow(error('INVALID_DATA', record.length));
    }
  });

  test('rejects an incomplete last record as TRUNCATED', () => {
    const record = buildBcfRecord();
    for (let length = 1; length < record.length; length++) {
      const bytes = join([record, record.subarray(0, length)]);
      expect(() => filter(bytes, [])).toThrow(error('TRUNCATED', record.length));
    }
    expect(filter(new Uint8Array(0), [])).toHaveLength(0);
  });

  test('treats damaged records alike however the data is cut into pieces', () => {
    const some = join(records.slice(0, 5));
    const intervals = [{ referenceId: 0, start: 0, end: 3000 }];
    const outcomes = [...mutations(some, { seed: 7, count: volume(2000) })].map(({ bytes, description }) => {
      const whole = piecesOutcome(createBcfFilter(intervals), bytes);
      return { description, whole, inPieces: piecesOutcome(createBcfFilter(intervals), bytes, [37, 1, 200]) };
    });
    expect(outcomes.filter(({ whole, inPieces }) => whole !== inPieces)).toEqual([]);
    expect(outcomes.filter(({ whole }) => whole.includes(' ')).length).toBeGreaterThan(volume(200));
  });
});
