import { compareVirtualOffsets, type VirtualOffset } from '@htskit/bgzf';
import {
  type DecodedBamRecord,
  decodeBam,
  expectations,
  fixtureNames,
  readFixture,
  splitBgzf,
  toOrdinals,
} from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { parseBai, type RegionQuery } from '../src/index.js';

const indexed = fixtureNames('.bam').filter((name) => fixtureNames('.bai').includes(`${name}.bai`));

/** A BAM file in memory, with the offsets of its records in the uncompressed data. */
function openBam(name: `${string}.bam`) {
  const bytes = readFixture(name);
  const blocks = splitBgzf(bytes);
  const { records, references } = decodeBam(bytes, { requireEof: false });
  const byteLength = blocks.reduce((sum, { data }) => sum + data.length, 0);
  const blockStarts = new Map<number, number>([[bytes.length, byteLength]]);
  let blockStart = 0;
  for (const { coffset, data } of blocks) {
    blockStarts.set(coffset, blockStart);
    blockStart += data.length;
  }
  const locate = ({ coffset, uoffset }: VirtualOffset): number => (blockStarts.get(coffset) ?? Number.NaN) + uoffset;
  let end = byteLength - records.reduce((sum, { raw }) => sum + raw.length, 0);
  const spans = records.map((record) => {
    const start = end;
    end += record.raw.length;
    return { record, start, end };
  });
  return { references, spans, locate, index: parseBai(readFixture(`${name}.bai`)) };
}

function overlaps(record: DecodedBamRecord, { referenceId, start, end }: RegionQuery): boolean {
  return record.referenceId === referenceId && record.position < end && record.end > start;
}

describe.each(indexed)('%s', (name) => {
  const { references, spans, locate, index } = openBam(name);
  const expected = expectations(name);

  function missed(query: RegionQuery): string[] {
    const chunks = index.chunks(query).map(({ start, end }) => ({ start: locate(start), end: locate(end) }));
    return spans
      .filter(({ record }) => overlaps(record, query))
      .filter(({ start, end }) => !chunks.some((chunk) => chunk.start <= start && end <= chunk.end))
      .map(({ record }) => record.name);
  }

  test('chunks contain the records that samtools finds in each region', () => {
    for (const { referenceName, start, end, records } of expected.regions) {
      const query = { referenceId: references.findIndex((reference) => reference.name === referenceName), start, end };
      const found = spans.flatMap(({ record }, ordinal) => (overlaps(record, query) ? [ordinal] : []));
      expect(found).toEqual(toOrdinals(records));
      expect(missed(query)).toEqual([]);
    }
  });

  test('chunks contain the records at every edge of a bin', () => {
    for (const [referenceId, { length }] of references.entries()) {
      for (let edge = 0; edge <= length; edge += 16384) {
        expect(missed({ referenceId, start: edge - 1, end: edge })).toEqual([]);
        expect(missed({ referenceId, start: edge, end: edge + 1 })).toEqual([]);
      }
      expect(missed({ referenceId, start: 0, end: length })).toEqual([]);
    }
  });

  test('counts equal those of samtools idxstats', () => {
    const statistics = references.map((_, id) => index.referenceStatistics(id) ?? { mapped: 0, unmapped: 0 });
    expect(statistics).toEqual(expected.references.map(({ mapped, unmapped }) => ({ mapped, unmapped })));
    expect(index.unplacedCount).toBe(expected.unplacedCount);
  });

  test('splitAt returns only record starts, and parts are as short as those allow', () => {
    const begins = new Set(spans.map(({ start }) => start));
    const last = index.lastPlacedEnd();
    for (const byteLength of [1, 1000, 20_000, 1e9]) {
      let from: VirtualOffset = { coffset: 0, uoffset: 0 };
      for (let to = index.splitAt(from, byteLength); to !== undefined; to = index.splitAt(from, byteLength)) {
        expect(begins.has(locate(to)) && compareVirtualOffsets(from, to) < 0).toBe(true);
        expect(last && compareVirtualOffsets(to, last)).toBeLessThan(0);
        from = to;
      }
    }
  });

  test('lastPlacedEnd returns the end of the last placed record', () => {
    const last = spans.findLast(({ record }) => record.referenceId >= 0);
    const end = index.lastPlacedEnd();
    expect(end && locate(end)).toBe(last?.end);
  });
});

test('enough files were compared', () => {
  expect(indexed.length).toBeGreaterThanOrEqual(8);
});
