import { checkMutations, volume } from '@htskit/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  AlignmentRecord,
  createBamToSam,
  createSamToBam,
  FormatError,
  parseBamHeader,
  parseSamHeader,
} from '../../../src/index.js';
import { samHeaderLength } from '../../../src/internal.js';
import { encodeModel, modelRecord } from '../../bam/model-record.js';
import { passPieces } from '../../record-pieces.js';

const HEADER = '@HD\tVN:1.6\n@SQ\tSN:chr1\tLN:1000\tM5:x\n@SQ\tLN:500\tSN:chr2\n@CO\t@SQ\tSN:no\tLN:1\n';
const header = parseSamHeader(Buffer.from(HEADER));

function toBam(text: string, pieceLengths?: readonly number[]): Uint8Array {
  return passPieces(createSamToBam(header), Buffer.from(text, 'latin1'), pieceLengths);
}

function toSam(records: Uint8Array, pieceLengths?: readonly number[]): string {
  return Buffer.from(passPieces(createBamToSam(header), records, pieceLengths)).toString('latin1');
}

const COLUMNS = ['r1', '99', 'chr1', '10', '60', '3M1I2D', '=', '50', '45', 'ACGT', 'IIII'];

/** Returns a line whose columns from `index` on are replaced. */
function lineOf(index = 0, ...values: readonly string[]): string {
  return [...COLUMNS.slice(0, index), ...values, ...COLUMNS.slice(index + values.length)].join('\t');
}

describe('SAM headers', () => {
  test('parseSamHeader reads the references of the lines @SQ', () => {
    expect(header).toEqual({
      text: HEADER,
      references: [
        { name: 'chr1', length: 1000 },
        { name: 'chr2', length: 500 },
      ],
      byteLength: HEADER.length,
    });
  });

  test('samHeaderLength needs a byte after the header, or the end of the data', () => {
    const text = Buffer.from(HEADER);
    expect(samHeaderLength(text)).toBeUndefined();
    expect(samHeaderLength(text, { isWhole: true })).toBe(text.length);
    expect(samHeaderLength(Buffer.from(`${HEADER}r`))).toBe(text.length);
    expect(samHeaderLength(Buffer.from('r1\t0'))).toBe(0);
    expect(samHeaderLength(Buffer.from('@CO\tx'))).toBeUndefined();
  });

  test.each([
    '@SQ\tLN:5\n',
    '@SQ\tSN:a\n',
    '@SQ\tSN:a\tLN:x\n',
    '@SQ\tSN:a\tLN:2147483648\n',
    '@SQ\tSN:a\tLN:1\n@SQ\tSN:a\tLN:1\n',
  ])('parseSamHeader refuses %j', (text) => expect(() => parseSamHeader(Buffer.from(text))).toThrow(FormatError));

  test('createSamToBam encodes the header, and createBamToSam adds lines @SQ that its text lacks', () => {
    const { references } = header;
    expect(parseBamHeader(createSamToBam(header).header)).toMatchObject({ text: HEADER, references });
    expect(Buffer.from(createBamToSam(header).header).toString()).toBe(HEADER);
    expect(Buffer.from(createBamToSam({ text: '@CO\tx', references }).header).toString()).toBe(
      '@CO\tx\n@SQ\tSN:chr1\tLN:1000\n@SQ\tSN:chr2\tLN:500\n',
    );
  });
});

describe('SAM records', () => {
  test.each([
    lineOf(),
    lineOf(5, '*', '*', '0', '0', '*', '*').replace('99', '4'),
    lineOf(6, 'chr2', '0').replace('=', 'chr2').replace('chr2\t0', '*\t0'),
    lineOf(9, '=ACMGRSVTWYHKDBN', '*').replace('3M1I2D', '16M'),
    `${lineOf()}\tXA:A:x\tXi:i:-129\tXf:f:0.1\tXZ:Z:\tXY:Z:a b:c\tXH:H:1AE3\tXd:d:-1.5e+300`,
    `${lineOf()}\tXB:B:c,-1,2\tXC:B:C,255\tXs:B:s,-300\tXS:B:S,65535\tXi:B:i,-70000\tXI:B:I,4294967295\tXf:B:f,0.5,-2\tXe:B:i`,
    lineOf(1, '4', '*', '0', '0', '*', '*', '0', '0'),
  ])('restores the line %j', (line) => {
    expect(toSam(toBam(`${line}\n`))).toBe(`${line}\n`);
  });

  test.each([
    ['an unknown reference', lineOf(2, 'chr9'), '103\t*\t10'],
    ['no position', lineOf(3, '0'), '103\t*\t0'],
    ['no CIGAR', lineOf(5, '*'), '103\tchr1\t10'],
  ])('a record with %s becomes unmapped', (_, line, expected) => {
    expect(toSam(toBam(`${line}\n`)).slice(3)).toMatch(new RegExp(`^${expected.replace('*', '\\*')}\t`));
  });

  test.each([
    ['f', '0x1.8p-1', 0.75],
    ['f', '-0X10', -16],
    ['d', '0.1', 0.1],
    ['d', '1e400', Number.POSITIVE_INFINITY],
    ['B:f', ',0x.8,inf', [0.5, Number.POSITIVE_INFINITY]],
  ])('reads the tag %s:%s', (type, text, value) => {
    const record = new AlignmentRecord(toBam(`${lineOf()}\tXX:${type}${type === 'B:f' ? '' : ':'}${text}\n`));
    expect(record.tag('XX')).toEqual(Array.isArray(value) ? Float32Array.from(value) : value);
  });

  test.each([
    ['0x63', 99],
    ['0143', 99],
    ['0', 0],
  ])('reads the flag %s', (flag, value) => {
    expect(new AlignmentRecord(toBam(`${lineOf(1, flag)}\n`)).flags).toBe(value);
  });

  test.each([
    [0, 'C'],
    [255, 'C'],
    [256, 'S'],
    [65_536, 'I'],
    [2 ** 32 - 1, 'I'],
    [-1, 'c'],
    [-128, 'c'],
    [-129, 's'],
    [-32_769, 'i'],
  ])('stores the integer %d with the type %s', (value, type) => {
    const record = new AlignmentRecord(toBam(`${lineOf()}\tXi:i:${value}\n`));
    expect([...record.tags()]).toEqual([{ name: 'Xi', type, value }]);
  });

  test('moves a CIGAR of more than 65,535 operations to the tag CG, and back', () => {
    const cigar = '1M1I'.repeat(40_000);
    const line = `${lineOf(5, cigar, '=', '50', '45', 'A'.repeat(80_000), '*')}\tNM:i:40000`;
    const records = toBam(`${line}\n`);
    expect(
      Buffer.from(records)
        .subarray(-4 * 80_000 - 8)
        .subarray(0, 4)
        .toString(),
    ).toBe('CGBI');
    expect(toSam(records)).toBe(`${line}\n`);
    expect(new AlignmentRecord(records).end).toBe(9 + 40_000);
  });

  test.each([
    ['fewer than 11 columns', lineOf().split('\t').slice(0, 10).join('\t')],
    ['a QNAME of 255 characters', lineOf(0, 'q'.repeat(255))],
    ['a FLAG that is not a number', lineOf(1, 'x')],
    ['a FLAG of 2^16', lineOf(1, '65536')],
    ['a POS that is not a number', lineOf(3, '1x')],
    ['a MAPQ of 256', lineOf(4, '256')],
    ['a CIGAR without a length', lineOf(5, 'M')],
    ['a CIGAR without an operation', lineOf(5, '4')],
    ['a CIGAR with an unknown operation', lineOf(5, '4Z')],
    ['an operation of 2^28 bases', lineOf(5, '268435456M')],
    ['an empty CIGAR', lineOf(5, '')],
    ['a CIGAR that does not match SEQ', lineOf(5, '3M')],
    ['a QUAL of another length', lineOf(10, 'III')],
    ['a QUAL with a control character', lineOf(10, 'II\x01I')],
    ['a tag without a type', `${lineOf()}\tXX:5`],
    ['a tag of an unknown type', `${lineOf()}\tXX:D:5`],
    ['a tag without a number', `${lineOf()}\tXX:i:`],
    ['a tag that is not a number', `${lineOf()}\tXX:i:5x`],
    ['a tag over 2^32 - 1', `${lineOf()}\tXX:i:4294967296`],
    ['a tag that is not a float', `${lineOf()}\tXX:f:1.5x`],
    ['a character that is two', `${lineOf()}\tXX:A:xy`],
    ['an odd number of hexadecimal digits', `${lineOf()}\tXX:H:123`],
    ['an array of an unknown type', `${lineOf()}\tXX:B:d,1`],
    ['an array element out of range', `${lineOf()}\tXX:B:c,128`],
    ['an array without commas', `${lineOf()}\tXX:B:c1`],
  ])('refuses a line with %s', (_, line) => {
    expect(() => toBam(`${line}\n`)).toThrow(expect.objectContaining({ name: 'FormatError', code: 'INVALID_DATA' }));
  });

  test('BAM → SAM → BAM keeps the text of every record, in pieces of any length', () => {
    const named = modelRecord.filter(
      ({ name, qualities, flag }) => name !== '' && flag < 4096 && qualities.every((q) => q < 94),
    );
    fc.assert(
      fc.property(fc.array(named, { maxLength: 4 }), fc.integer({ min: 1, max: 300 }), (models, length) => {
        const usable = models.map((model) => ({
          ...model,
          referenceId: -1,
          mateReferenceId: -1,
          position: Math.min(model.position, 1e9),
          matePosition: Math.min(model.matePosition, 1e9),
          templateLength: Math.max(model.templateLength, -(2 ** 31) + 1),
          flag: model.flag | 4,
          isCigarTag: false,
          cigar: [],
          tags: [],
        }));
        const records = Buffer.concat(usable.map(encodeModel));
        const text = toSam(records, [length]);
        expect(toSam(toBam(text, [length]))).toBe(text);
      }),
    );
  });

  test('damaged lines are converted or refused with a FormatError', async () => {
    const text = Buffer.from(`${lineOf()}\tMD:Z:3^AC0\tXB:B:s,1,-2\tXf:f:1e-5\n`);
    const outcomes = await checkMutations(text, {
      seed: 3,
      count: volume(3000),
      check(damaged) {
        try {
          toSam(toBam(Buffer.from(damaged).toString('latin1')));
          return true;
        } catch (fault) {
          if (fault instanceof FormatError) return false;
          throw fault;
        }
      },
    });
    expect(outcomes.accepted).toBeGreaterThan(volume(500));
    expect(outcomes.refused).toBeGreaterThan(volume(500));
  });
});
