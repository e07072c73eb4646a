import { inflateBlocks } from '@htskit/bgzf';
import { checkMutations, fixtureNames, readFixture, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { AlignmentRecord, FormatError, parseBamHeader } from '../../../src/index.js';
import { BamColumns } from '../../../src/internal.js';
import { ascii, buildRecord, int32, join, type RecordParts } from '../build-bam.js';
import { FIELDS, type Row, rowOf, rowsOf } from './column-rows.js';

/** Returns the batches of the records of pieces. */
function batchesOf(pieces: readonly Uint8Array[], limits = {}, tags: readonly string[] = []) {
  const columns = new BamColumns({ fields: FIELDS, tags, maxRecords: 1000, maxBytes: 2 ** 20, ...limits });
  const batches = pieces.flatMap((bytes) => {
    const taken = [];
    for (let at = 0; at < bytes.length; ) {
      at = columns.append(bytes, at);
      if (columns.isFull) taken.push(columns.take());
    }
    return taken;
  });
  return columns.length > 0 ? [...batches, columns.take()] : batches;
}

function recordsOf(...parts: readonly RecordParts[]): Uint8Array {
  return join(parts.map(buildRecord));
}

describe.each(fixtureNames('.bam'))('columns of %s', (name) => {
  test('have the values of its records', () => {
    const bytes = inflateBlocks(readFixture(name));
    const records = bytes.subarray(parseBamHeader(bytes).byteLength);
    const names = new Set<string>();
    const record = new AlignmentRecord();
    for (let at = 0; at < records.length; at = record.byteEnd) {
      for (const tag of record.at(records, at).tags()) names.add(tag.name);
    }
    const rows = batchesOf([records], {}, [...names]).flatMap(rowsOf);
    expect(rows).toEqual(viewAll(records, [...names]));
  });
});

describe('BamColumns', () => {
  test('a batch ends after maxRecords records, or after maxBytes bytes of them', () => {
    const piece = recordsOf({}, {}, {}, {}, {});
    const lengths = (limits: object) => batchesOf([piece, piece], limits).map(({ length }) => length);
    expect(lengths({})).toEqual([10]);
    expect(lengths({ maxRecords: 4 })).toEqual([4, 4, 2]);
    expect(lengths({ maxBytes: buildRecord().length + 1 })).toEqual([2, 2, 2, 2, 2]);
    expect(lengths({ maxBytes: 1 })).toHaveLength(10);
  });

  test('takes a long CIGAR from its tag, which is then not a tag', () => {
    const cigar = join([ascii('CGBI'), int32(2, 3 * 16, 2 * 16 + 1)]);
    const record = buildRecord({
      cigar: [
        [5, 'S'],
        [3, 'N'],
      ],
      baseCount: 5,
      tags: cigar,
    });
    const [batch] = batchesOf([record], {}, ['CG']);
    expect(batch?.cigar).toEqual({ offsets: Int32Array.of(0, 2), values: Uint32Array.of(3 * 16, 2 * 16 + 1) });
    expect(batch?.end).toEqual(Int32Array.of(3));
    expect(batch?.tags).toEqual({ CG: undefined });
  });

  test('holds the first of tags with the same name', () => {
    const tags = [ascii('XXC\x01'), ascii('XXC\x01YYC\x07XXC\x02'), ascii('YYC\x09')];
    const [batch] = batchesOf([join(tags.map((bytes) => buildRecord({ tags: bytes })))], {}, ['YY', 'XX']);
    expect(batch?.tags).toEqual({
      XX: { type: 'number', values: Int32Array.of(1, 1, 0), validity: Uint8Array.of(0b011) },
      YY: { type: 'number', values: Int32Array.of(0, 7, 9), validity: Uint8Array.of(0b110) },
    });
  });

  test('limits an end past the largest 32-bit integer', () => {
    const [batch] = batchesOf([recordsOf({ position: 2 ** 31 - 2, cigar: [[100, 'M']] })]);
    expect(batch?.end).toEqual(Int32Array.of(2 ** 31 - 1));
  });

  test('rejects a batch of more mismatches than memory should hold', () => {
    const cigar = [[2 ** 28 - 1, 'X']] as const;
    expect(() => batchesOf([recordsOf({ cigar })])).toThrow(
      expect.objectContaining({ name: 'FormatError', code: 'LIMIT_EXCEEDED' }),
    );
  });

  test('damaged records have the values, or the fault, of their views', async () => {
    const tags = join([ascii('MDZ3A2\0'), ascii('XBBs\x02\0\0\0abcd'), ascii('XAAqXFf\0\0\x80\x3f')]);
    const bytes = buildRecord({
      position: 5,
      cigar: [
        [2, 'S'],
        [4, 'M'],
      ],
      baseCount: 6,
      tags,
    });
    const names = ['XF', 'MD', 'XB', 'XA'];
    const outcomes = await checkMutations(bytes, {
      seed: 23,
      count: volume(20_000),
      check(damaged) {
        const [viewed, filled] = [outcome(() => viewAll(damaged, names)), outcome(() => fillAll(damaged, names))];
        expect(filled).toEqual(viewed);
        return typeof viewed !== 'string';
      },
    });
    expect(outcomes.accepted).toBeGreaterThan(volume(2000));
    expect(outcomes.refused).toBeGreaterThan(volume(2000));
  });
});

function viewAll(bytes: Uint8Array, tags: readonly string[]): Row[] {
  const rows: Row[] = [];
  const record = new AlignmentRecord();
  for (let at = 0; at < bytes.length; at = record.byteEnd) rows.push(rowOf(record.at(bytes, at), tags));
  return rows;
}

function fillAll(bytes: Uint8Array, tags: readonly string[]): Row[] {
  return batchesOf([bytes], {}, tags).flatMap(rowsOf);
}

/** Returns what a function returns, or the code of the fault that it reports. */
function outcome(read: () => Row[]): Row[] | string {
  try {
    return read();
  } catch (fault) {
    if (fault instanceof FormatError) return fault.code;
    throw fault;
  }
}
