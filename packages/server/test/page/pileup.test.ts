import { gunzipSync } from 'node:zlib';
import { readFixture } from '@htskit/testing';
import { expect, test } from 'vitest';
import { alignBases } from '../../page/details/aligned-bases.js';
import { layOutRows } from '../../page/pileup/layout.js';
import { readShape } from '../../page/pileup/read-shape.js';
import { type AlignmentFile, decodeRecords } from '../../page/records/decode-records.js';

/** Decodes all alignments of a fixture. */
function decodeReads(name: string): AlignmentFile {
  const data = new Uint8Array(gunzipSync(readFixture(name)));
  const file = decodeRecords(data, { datatype: 'reads', region: undefined });
  if (file.datatype !== 'reads') throw new TypeError('expected alignments');
  return file;
}

test('puts reads into the first row with room, and counts those without', () => {
  const reads = [
    { start: 0, end: 10 },
    { start: 5, end: 15 },
    { start: 9, end: 12 },
    { start: 11, end: 20 },
    { start: -1, end: 0 },
  ];
  const { rows, hidden } = layOutRows(reads, { mostRows: 2, gap: 1 });
  expect(rows.map((row) => row.map(({ start }) => start))).toEqual([[0, 11], [5]]);
  expect(hidden).toBe(1);
});

test('no reads of a row overlap, and none is lost', () => {
  const { records } = decodeReads('reads.bam');
  const placed = records.filter(({ start }) => start >= 0);
  const byReference = placed.slice(0, 2000).toSorted((a, b) => a.start - b.start);
  const { rows, hidden } = layOutRows(byReference, { mostRows: 50, gap: 3 });
  expect(rows.flat().length + hidden).toBe(byReference.length);
  for (const row of rows) {
    for (const [index, read] of row.entries())
      expect(read.start).toBeGreaterThanOrEqual((row[index - 1]?.end ?? -3) + 3);
  }
});

test('the parts of a read and the gaps between them cover its bases', () => {
  const file = decodeReads('reads.bam');
  const spliced = file.records.filter((record) => /\d[ND]/.test(file.view(record).cigarText));
  expect(spliced.length).toBeGreaterThan(10);
  for (const record of spliced) {
    const { start, end } = file.view(record);
    const { parts } = readShape(file.view(record), undefined);
    expect(parts.length).toBeGreaterThan(1);
    expect([parts[0]?.[0], parts.at(-1)?.[1]]).toEqual([start, end]);
    const covered = parts.reduce((sum, [from, to]) => sum + to - from, 0);
    const gaps = file.view(record).cigar.filter(({ operation }) => operation === 'N' || operation === 'D');
    expect(covered).toBe(end - start - gaps.reduce((sum, { length }) => sum + length, 0));
  }
});

test('aligns every base of a read with the base of the genome', () => {
  const file = decodeReads('reads.bam');
  const genome = new TextDecoder().decode(readFixture('genome.fa'));
  const [chr1 = ''] = genome.split('>').filter((text) => text.startsWith('chr1'));
  const bases = chr1.slice(chr1.indexOf('\n')).replaceAll(/\s/g, '').toUpperCase();
  let compared = 0;
  for (const record of file.records) {
    const view = file.view(record);
    if (view.referenceId !== 0 || view.isUnmapped || view.cigarText === '*') continue;
    const { columns, isCut } = alignBases(view, { bases });
    if (isCut) continue;
    expect(
      columns
        .map(({ read }) => read)
        .join('')
        .replaceAll(/[-»]/g, '')
        .toUpperCase(),
    ).toBe(view.sequence);
    const above = columns
      .map(({ reference }) => reference)
      .join('')
      .replaceAll(/[- ]/g, '');
    const [first = '', ...others] = above.split('»');
    expect(bases.startsWith(first, view.start)).toBe(true);
    const covered = /[MDX=]/.test(view.cigarText) ? view.end - view.start : 0;
    expect(others.length > 0 || first.length === covered).toBe(true);
    const aligned = columns.filter(({ reference, read }) => /[A-Z]/.test(reference) && /[A-Z]/.test(read));
    expect(aligned.every(({ reference, read, isMismatch }) => isMismatch === (reference !== read))).toBe(true);
    compared++;
  }
  expect(compared).toBeGreaterThan(1000);
});
