import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ByteWriter } from '../../src/bytes/byte-writer.js';
import { formatG, writeFloat } from '../../src/bytes/float-text.js';
import { NumberReader } from '../../src/bytes/number-reader.js';

function written(value: number): string {
  const writer = new ByteWriter();
  writeFloat(writer, value);
  return writer.takeAscii();
}

describe('formatG', () => {
  test.each([
    [0, '0'],
    [-0, '-0'],
    [1, '1'],
    [-12.5, '-12.5'],
    [0.1 + 0.2, '0.3'],
    [123_456, '123456'],
    [999_999.5, '1e+06'],
    [1_000_000, '1e+06'],
    [1_234_565, '1.23456e+06'],
    [1_234_575, '1.23458e+06'],
    [100_000.5, '100000'],
    [100_001.5, '100002'],
    [0.0001, '0.0001'],
    [0.000_099_999_99, '0.0001'],
    [0.000_012_345_678, '1.23457e-05'],
    [1e-300, '1e-300'],
    [3.402_823_466_385_288_6e38, '3.40282e+38'],
    [Number.NaN, 'nan'],
    [Number.POSITIVE_INFINITY, 'inf'],
    [Number.NEGATIVE_INFINITY, '-inf'],
  ])('formats %d as C does: %s', (value, text) => {
    expect(formatG(value)).toBe(text);
  });

  test('keeps six significant digits of every float', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Math.abs(Number(formatG(value)) - value)).toBeLessThanOrEqual(Math.abs(value) * 5.000_001e-6);
      }),
    );
  });
});

describe('writeFloat', () => {
  test.each([
    [0, '0'],
    [Math.fround(0.1), '0.1'],
    [Math.fround(-0.001_234_567_8), '-0.00123457'],
    [Math.fround(0.999_999_7), '1'],
    [Math.fround(9.999_995), '10'],
    [Math.fround(99_999.95), '100000'],
    [123_456.5, '123457'],
    [100_000.5, '100001'],
    [999_999, '999999'],
    [999_999.5, '1e+06'],
    [59.2, '59.2'],
    [30, '30'],
    [Math.fround(1e-5), '1e-05'],
    [Number.NaN, 'nan'],
  ])('writes %d as htslib does: %s', (value, text) => {
    expect(written(value)).toBe(text);
  });

  test('equals %g below 0.0001 and over 999,999', () => {
    const sizes = fc.oneof(
      fc.float({ max: Math.fround(0.0001), noNaN: true }),
      fc.float({ min: 2 ** 20, noNaN: true }),
    );
    fc.assert(
      fc.property(sizes, (size) => {
        expect(written(size)).toBe(formatG(size));
        expect(written(-size)).toBe(formatG(-size));
      }),
    );
  });

  test.each([
    [1_234_565, '1.23456e+06'],
    [1_234_575, '1.23458e+06'],
    [9_999_995, '1e+07'],
    [2 ** -149, '1.4013e-45'],
    [3.402_823_466_385_288_6e38, '3.40282e+38'],
    [Math.fround(0.000_099_999_99), '0.0001'],
    [-1e-300, '-1e-300'],
    [-0, '-0'],
  ])('writes %d, which is not rounded in fixed point, as C does: %s', (value, text) => {
    expect(written(value)).toBe(text);
  });

  test('equals %g except in the last digit', () => {
    fc.assert(
      fc.property(fc.float({ min: -(2 ** 20), max: 2 ** 20, noNaN: true }), (value) => {
        const [ours, theirs] = [Number(written(value)), Number(formatG(value))];
        expect(Math.abs(ours - theirs)).toBeLessThanOrEqual(Math.abs(theirs) * 1.000_01e-5);
      }),
    );
  });
});

describe('ByteWriter', () => {
  test('writes the decimal digits of every safe integer', () => {
    const writer = new ByteWriter();
    const digits = (value: number): string => {
      writer.decimal(value);
      return writer.takeAscii();
    };
    fc.assert(
      fc.property(fc.oneof(fc.integer({ min: -2000, max: 20_000 }), fc.integer(), fc.maxSafeInteger()), (value) => {
        expect(digits(value)).toBe(String(value));
      }),
    );
    const powers = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent);
    for (const value of powers.flatMap((power) => [power - 1, power, -power]))
      expect(digits(value)).toBe(String(value));
  });
});

describe('NumberReader', () => {
  const reader = new NumberReader();

  test.each([
    ['12', 12, 2],
    ['-7,8', -7, 2],
    ['+3x', 3, 2],
    ['-', 0, 1],
    ['2147483648', 2_147_483_648, 10],
    ['-99999999999', -99_999_999_999, 12],
    ['x', 0, 0],
    ['', 0, 0],
  ])('reads the integer at the start of %j', (text, value, end) => {
    expect(reader.integer(Buffer.from(text), 0)).toBe(value);
    expect(reader.end).toBe(end);
  });

  test.each([
    ['1.25', 1.25, 4],
    ['-0.5;x', -0.5, 4],
    ['5.,', 5, 2],
    ['.5', 0.5, 2],
    ['1e-3,2', 0.001, 4],
    ['1E+2', 100, 4],
    ['1e', 1, 1],
    ['1e+', 1, 1],
    ['2.50e-05,1', 0.000_025, 8],
    ['0.00000e+00', 0, 11],
    ['1e23', 1e23, 4],
    ['1e400', Number.POSITIVE_INFINITY, 5],
    ['1.5e-400', 0, 8],
    ['12345678901234567890', Number('12345678901234567890'), 20],
    ['0.1234567890123456789', Number('0.1234567890123456789'), 21],
    ['inf', Number.POSITIVE_INFINITY, 3],
    ['-Infinity', Number.NEGATIVE_INFINITY, 9],
    ['nan', Number.NaN, 3],
    ['0x1F', 31, 4],
    ['-0X1.8p+3,1', -12, 9],
    ['0x.8;', 0.5, 4],
    ['0x1p-1074', 2 ** -1074, 9],
    ['0x10000000000000p-1126', 2 ** -1074, 22],
    ['0x1p2000', Number.POSITIVE_INFINITY, 8],
    ['0x1p', 1, 3],
    ['0x', 0, 1],
    ['0xg', 0, 1],
    ['.', 0, 0],
    ['', 0, 0],
    ['abc', 0, 0],
  ])('reads the number at the start of %j', (text, value, end) => {
    expect(reader.float(Buffer.from(text), 0, text.length)).toBe(value);
    expect(reader.end).toBe(end);
  });

  test('reads every number as Number does', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = String(value);
        expect(reader.float(Buffer.from(text), 0, text.length)).toBe(Number(text));
      }),
    );
  });
});
