import { AlignmentRecord, createSamToBam, parseSamHeader, type ReferenceBases } from '@htskit/formats';
import { concatBytes, toOwned } from '@htskit/io';
import { describe, expect, test } from 'vitest';
import { ReadFeature } from '../../src/features/read-feature.js';
import type { VisitReadMismatch } from '../../src/features/read-mismatches.js';

const header = parseSamHeader(new TextEncoder().encode('@SQ\tSN:chr1\tLN:1000\n@SQ\tSN:chr2\tLN:1000\n'));

/** Returns the feature of a line of SAM. */
function featureOf(line: string, reference?: ReferenceBases): ReadFeature {
  const bytes = concatBytes(
    createSamToBam(header)
      .push(new TextEncoder().encode(`${line}\n`))
      .map(toOwned),
  );
  return new ReadFeature({ id: 'x', record: new AlignmentRecord(bytes), referenceNames: ['chr1', 'chr2'], reference });
}

/** Clips, a substitution at base 1, an insertion, a deletion, a skip. */
const VARIED = featureOf(
  'r1\t99\tchr1\t101\t60\t2H3S4M2I2M1D2M10N3M\t=\t201\t120\tTTTACGTGGACGTACG\tABCDEFGHIJKLMNOP\tMD:Z:1G4^T5\tNM:i:4',
);

test('has the fields that JBrowse shows', () => {
  expect(VARIED.toJSON()).toMatchObject({
    uniqueId: 'x',
    type: 'match',
    name: 'r1',
    refName: 'chr1',
    start: 100,
    end: 122,
    strand: 1,
    score: 60,
    flags: 99,
    template_length: 120,
    CIGAR: '2H3S4M2I2M1D2M10N3M',
    seq: 'TTTACGTGGACGTACG',
    qual: '32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47',
    tags: { MD: '1G4^T5', NM: 4 },
    pair_orientation: 'F1R2',
    next_ref: 'chr1',
    next_pos: 200,
    next_segment_position: 'chr1:201',
  });
  expect(VARIED.get('clipLengthAtStartOfRead')).toBe(2);
  expect(VARIED.get('NUMERIC_CIGAR')).toEqual(
    Uint32Array.of(
      ...[(2 << 4) | 5, (3 << 4) | 4, 4 << 4, (2 << 4) | 1, 2 << 4],
      ...[(1 << 4) | 2, 2 << 4, (10 << 4) | 3, 3 << 4],
    ),
  );
});

test('has the differences to the reference for JBrowse 3', () => {
  expect(VARIED.get('mismatches')).toEqual([
    { type: 'hardclip', start: 0, length: 1, base: 'H2', cliplen: 2 },
    { type: 'softclip', start: 0, length: 1, base: 'S3', cliplen: 3 },
    { type: 'mismatch', start: 1, length: 1, base: 'C', altbase: 'G', qual: 36 },
    { type: 'insertion', start: 4, length: 0, base: '2', insertedBases: 'GG' },
    { type: 'deletion', start: 6, length: 1, base: '*' },
    { type: 'skip', start: 9, length: 10, base: 'N' },
  ]);
});

test('visits the differences for JBrowse 4', () => {
  const visited: Parameters<VisitReadMismatch>[] = [];
  VARIED.forEachMismatch((...mismatch) => visited.push(mismatch));
  expect(visited).toEqual([
    [5, 0, 1, 'H2', -1, 0, 2],
    [4, 0, 1, 'S3', -1, 0, 3],
    [0, 1, 1, 'C', 36, 'G'.charCodeAt(0), 0],
    [1, 4, 0, 'GG', -1, 0, 2],
    [2, 6, 1, '*', -1, 0, 0],
    [3, 9, 10, 'N', -1, 0, 0],
  ]);
});

describe('a read without MD', () => {
  const line = 'r1\t0\tchr1\t101\t255\t4M\t*\t0\t0\tACGT\t*';

  test('is compared with given bases', () => {
    const feature = featureOf(line, { bases: 'NNACTT', start: 98 });
    expect(feature.mismatches).toEqual([{ type: 'mismatch', start: 2, length: 1, base: 'G', altbase: 'T' }]);
  });

  test('has no differences without bases', () => {
    expect(featureOf(line).mismatches).toEqual([]);
  });

  test('has no differences if the bases do not cover it', () => {
    expect(featureOf(line, { bases: 'AC', start: 100 }).mismatches).toEqual([]);
  });

  test('has no score for a mapping quality that is not available, and no mate', () => {
    const feature = featureOf(line);
    const fields = ['score', 'qual', 'next_ref', 'next_pos', 'next_segment_position', 'pair_orientation'];
    expect(fields.map((field) => feature.get(field))).toEqual(fields.map(() => undefined));
  });
});

test('keeps the differences before the fault of an MD that does not match', () => {
  const feature = featureOf('r1\t0\tchr1\t101\t60\t2S4M\t*\t0\t0\tTTACGT\t*\tMD:Z:1G9G');
  expect(feature.mismatches.map(({ type }) => type)).toEqual(['softclip', 'mismatch']);
});

test.each([
  ['reverse first', 'r1\t83\tchr1\t201\t60\t4M\t=\t101\t-104', 'F2R1'],
  ['both forward, second', 'r1\t129\tchr1\t101\t60\t4M\t=\t201\t104', 'F2F1'],
  ['both at one place, first', 'r1\t65\tchr1\t101\t60\t4M\t=\t101\t0', 'F1F2'],
  ['on two references', 'r1\t65\tchr1\t101\t60\t4M\tchr2\t101\t0', undefined],
  ['with an unmapped mate', 'r1\t73\tchr1\t101\t60\t4M\t=\t101\t0', undefined],
])('orients a pair: %s', (_, line, orientation) => {
  expect(featureOf(`${line}\tACGT\t*`).get('pair_orientation')).toBe(orientation);
});

test('sends arrays of tags as plain lists', () => {
  const feature = featureOf('r1\t16\tchr1\t101\t60\t4M1S\t*\t0\t0\tACGTA\t*\tML:B:C,1,200');
  expect(feature.get('tags')).toEqual({ ML: [1, 200] });
  expect([feature.get('strand'), feature.get('clipLengthAtStartOfRead'), feature.get('unknown')]).toEqual([
    -1,
    1,
    undefined,
  ]);
});
