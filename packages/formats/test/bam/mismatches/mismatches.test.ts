import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AlignmentRecord, createSamToBam, type Mismatch, parseSamHeader } from '../../../src/index.js';
import { passPieces } from '../../record-pieces.js';

const header = parseSamHeader(Buffer.from('@SQ\tSN:chr1\tLN:1000\n'));

function alignment(position: number, cigar: string, sequence: string, ...tags: string[]): AlignmentRecord {
  const line = ['r1', '0', 'chr1', position, '60', cigar, '*', '0', '0', sequence, '*', ...tags].join('\t');
  return new AlignmentRecord(passPieces(createSamToBam(header), Buffer.from(`${line}\n`)));
}

/** Writes mismatches briefly: type, start, length, readStart, reference>bases. */
function brief(mismatches: Iterable<Mismatch>): string[] {
  return Array.from(
    mismatches,
    ({ type, start, length, readStart, bases, reference }) =>
      `${type} ${start}+${length} @${readStart} ${reference ?? '?'}>${bases}`,
  );
}

describe('mismatches', () => {
  test('yields substitutions, insertions, deletions, skips and clips by MD', () => {
    const record = alignment(11, '1H2S3M1I2M2D2M5N1M1S', 'GGACTTCCAAGT', 'MD:Z:1G3^CA0G2');
    expect(brief(record.mismatches())).toEqual([
      'hardClip 10+1 @0 ?>',
      'softClip 10+2 @0 ?>GG',
      'substitution 11+1 @3 G>C',
      'insertion 13+1 @5 ?>T',
      'deletion 15+2 @8 CA>',
      'substitution 17+1 @8 G>A',
      'skip 19+5 @10 ?>',
      'softClip 25+1 @11 ?>T',
    ]);
  });

  test('compares with reference bases in any letter case, without MD', () => {
    const record = alignment(3, '4M1D2M', 'ACGTAC');
    const reference = { bases: 'ttacctgag', start: 0 };
    expect(brief(record.mismatches(reference))).toEqual([
      'substitution 4+1 @2 C>G',
      'deletion 6+1 @4 G>',
      'substitution 8+1 @5 G>C',
    ]);
  });

  test('without MD and reference bases yields substitutions of the operation X only', () => {
    expect(brief(alignment(3, '2=1X3M', 'ACGTAC').mismatches())).toEqual(['substitution 4+1 @2 ?>G']);
  });

  test('yields nothing for an unmapped record', () => {
    expect(brief(alignment(0, '*', 'ACGT').mismatches())).toEqual([]);
  });

  test.each(['2', '9^A1', '6^A', '3^AC1', '1^A5'])('rejects the MD %s, which does not match the CIGAR', (md) => {
    expect(() => brief(alignment(3, '5M1D1M', 'ACGTAC', `MD:Z:${md}`).mismatches())).toThrow(
      'MD does not match the CIGAR',
    );
  });

  test('MD and the reference bases from which it was made yield the same', () => {
    const bases = (length: number) =>
      fc.string({ unit: fc.constantFrom('A', 'C', 'G', 'T'), minLength: length, maxLength: length });
    const operation = fc.tuple(fc.constantFrom('M', 'I', 'D', '=', 'X'), fc.integer({ min: 1, max: 6 }));
    const input = fc.array(operation, { minLength: 1, maxLength: 8 }).chain((operations) => {
      const lengthOf = (consuming: string): number =>
        operations.reduce((sum, [type, length]) => sum + (consuming.includes(type) ? length : 0), 0);
      return fc.record({
        operations: fc.constant(operations),
        read: bases(lengthOf('MI=X')),
        reference: bases(lengthOf('MD=X')),
      });
    });
    fc.assert(
      fc.property(input, ({ operations, read, reference }) => {
        fc.pre(read.length > 0);
        const cigar = operations.map(([type, length]) => `${length}${type}`).join('');
        const record = alignment(1, cigar, read, `MD:Z:${mdOf(operations, read, reference)}`);
        expect(brief(record.mismatches())).toEqual(brief(record.mismatches({ bases: reference })));
      }),
    );
  });
});

/** Returns the MD of an alignment, as the specification of tags defines it. */
function mdOf(operations: readonly (readonly [string, number])[], read: string, reference: string): string {
  let [md, equal, at, to] = ['', 0, 0, 0];
  for (const [type, length] of operations) {
    if (type === 'I') at += length;
    else if (type === 'D') {
      md += `${equal}^${reference.slice(to, to + length)}`;
      equal = 0;
      to += length;
    } else {
      for (let i = 0; i < length; i++, at++, to++) {
        if (read[at] === reference[to]) equal++;
        else {
          md += `${equal}${reference[to]}`;
          equal = 0;
        }
      }
    }
  }
  return md + equal;
}
