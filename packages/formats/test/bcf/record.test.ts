import { bgunzip, expectations, mutations, readFixture, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { FormatError, parseBcfHeader } from '../../src/index.js';
import { bcfRecordLength, parseBcfRecordSpan, parseVcfRecordSpan } from '../../src/internal.js';
import { ascii, int32, join } from '../bam/build-bam.js';
import { type BcfParts, buildBcfRecord } from './build-bcf.js';

function error(code: string, offset: number): Error {
  return expect.objectContaining({ name: 'FormatError', code, offset }) as Error;
}

function span(parts: BcfParts): [start: number, end: number] {
  const { baseStart, baseEnd } = parseBcfRecordSpan(buildBcfRecord(parts), 0);
  return [baseStart, baseEnd];
}

/** An ID and a REF of `bases` bases with a long count. */
const longRef = (count: Uint8Array, bases: number): Uint8Array =>
  join([Uint8Array.of(0x27, 0x72, 0x73, 0xf7), count, new Uint8Array(bases)]);

describe('parseBcfRecordSpan', () => {
  test('parses end, contig and bases of a record', () => {
    const record = buildBcfRecord({ contig: 3, position: 99, rlen: 7, individual: Uint8Array.of(1, 2, 3) });
    expect(bcfRecordLength(record, 0)).toBe(record.length);
    expect(parseBcfRecordSpan(join([ascii('xy'), record, ascii('z')]), 2)).toEqual({
      byteEnd: 2 + record.length,
      referenceId: 3,
      baseStart: 99,
      baseEnd: 106,
    });
  });

  test('parses records that cover no base and records that start at -1', () => {
    expect(span({ position: 5, rlen: 0 })).toEqual([5, 5]);
    expect(span({ position: -1, rlen: 1 })).toEqual([-1, 0]);
    expect(span({ position: 2 ** 31 - 1, rlen: 2 ** 31 - 1 })).toEqual([2 ** 31 - 1, 2 ** 32 - 2]);
  });

  test('uses the length of REF if rlen is negative', () => {
    expect(span({ rlen: -1 })).toEqual([0, 1]);
    expect(span({ rlen: -1, values: Uint8Array.of(0x07, 0x37, 0x41, 0x43, 0x47) })).toEqual([0, 3]);
    expect(span({ rlen: -1, values: longRef(Uint8Array.of(0x11, 20), 20) })).toEqual([0, 20]);
    expect(span({ rlen: -1, values: longRef(Uint8Array.of(0x12, 44, 1), 300) })).toEqual([0, 300]);
    expect(span({ rlen: -1, values: longRef(join([Uint8Array.of(0x13), int32(70_000)]), 70_000) })).toEqual([
      0, 70_000,
    ]);
  });

  test('rejects a REF that does not fit into its record', () => {
    for (const values of [
      Uint8Array.of(),
      Uint8Array.of(0x17, 0x2e),
      Uint8Array.of(0x17, 0x2e, 0x27, 0x41),
      Uint8Array.of(0x17, 0x2e, 0xf7),
      Uint8Array.of(0x17, 0x2e, 0xf7, 0x11),
      Uint8Array.of(0x17, 0x2e, 0xf7, 0x11, 0xff),
      Uint8Array.of(0x17, 0x2e, 0xf7, 0x17, 0x01),
      Uint8Array.of(0x17, 0x2e, 0x14),
    ]) {
      const record = buildBcfRecord({ rlen: -1, values, individual: new Uint8Array(300) });
      expect(() => parseBcfRecordSpan(record, 0)).toThrow(FormatError);
    }
  });

  test('rejects negative contigs and positions, and impossible lengths', () => {
    expect(() => span({ contig: -1 })).toThrow(error('INVALID_DATA', 0));
    expect(() => span({ position: -2 })).toThrow(error('INVALID_DATA', 0));
    expect(() => bcfRecordLength(int32(23, 0), 0)).toThrow(error('INVALID_DATA', 0));
    expect(() => bcfRecordLength(int32(24, -1), 0)).toThrow(error('LIMIT_EXCEEDED', 0));
    expect(bcfRecordLength(int32(24, 0), 0)).toBe(32);
  });

  test('returns undefined within the length fields, and throws TRUNCATED within the record', () => {
    const record = buildBcfRecord();
    for (let length = 0; length < record.length; length++) {
      const part = record.subarray(0, length);
      expect(bcfRecordLength(part, 0)).toBe(length < 8 ? undefined : record.length);
      expect(() => parseBcfRecordSpan(part, 0)).toThrow(error('TRUNCATED', 0));
    }
  });

  test('finds the same spans in variants.bcf as in variants.vcf.gz', () => {
    const spans = bcfSpans(bgunzip(readFixture('variants.bcf')));
    const lines = Buffer.from(bgunzip(readFixture('variants.vcf.gz')))
      .toString()
      .split('\n');
    const expected = lines
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const { nameLength, baseStart, baseEnd } = parseVcfRecordSpan(new TextEncoder().encode(line));
        return { name: line.slice(0, nameLength), baseStart, baseEnd };
      });
    expect(expected.length).toBe(expectations('variants.bcf').recordCount);
    expect(spans).toEqual(expected);
  });

  test('parses or rejects every damaged record', () => {
    const data = bgunzip(readFixture('variants.bcf'));
    const records = data.subarray(parseBcfHeader(data).byteLength, 6000);
    const outcomes = [...mutations(records, { seed: 4, count: volume(2000) })].map(({ bytes }) => {
      try {
        for (let at = 0; at < bytes.length; ) at = parseBcfRecordSpan(bytes, at).byteEnd;
        return 'spans';
      } catch (cause) {
        return cause instanceof FormatError ? 'FormatError' : cause;
      }
    });
    expect(outcomes.filter((outcome) => outcome !== 'spans' && outcome !== 'FormatError')).toEqual([]);
    expect(outcomes.filter((outcome) => outcome === 'FormatError').length).toBeGreaterThan(volume(300));
  });
});

function bcfSpans(data: Uint8Array): { name: string | undefined; baseStart: number; baseEnd: number }[] {
  const { contigs, byteLength } = parseBcfHeader(data);
  const spans = [];
  for (let at = byteLength; at < data.length; ) {
    const { referenceId, baseStart, baseEnd, byteEnd } = parseBcfRecordSpan(data, at);
    spans.push({ name: contigs.get(referenceId)?.name, baseStart, baseEnd });
    at = byteEnd;
  }
  return spans;
}
