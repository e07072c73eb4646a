import { describe, expect, test } from 'vitest';
import { parseCramContainerHeader } from '../../../src/index.js';
import { cramEofContainer } from '../../../src/internal.js';
import { failure } from '../build-cram.js';

describe('parseCramContainerHeader', () => {
  const eof = cramEofContainer({ major: 2, minor: 1 });
  const parse = (bytes: ArrayLike<number>): unknown =>
    parseCramContainerHeader(Uint8Array.from(bytes), { version: { major: 2, minor: 1 }, offset: 1000 });

  test('parses every field', () => {
    const bytes = [99, 0, 0, 0, 3, 0x81, 0x00, 5, 7, 0x80, 0xc8, 0xc0, 0x40, 0, 9, 2, 11, 50];
    expect(parse(bytes)).toEqual({
      headerLength: 18,
      length: 99,
      referenceId: 3,
      alignmentStart: 256,
      alignmentSpan: 5,
      recordCount: 7,
      recordCounter: 200,
      baseCount: 2 ** 14,
      blockCount: 9,
      landmarks: [11, 50],
    });
  });

  test.each([
    ['a negative length', [0xff, 0xff, 0xff, 0xff], 1000],
    ['an invalid reference id', [9, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x0d, 0, 0, 0, 0, 0, 0, 0], 1016],
    ['a negative number of records', [9, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f], 1007],
    ['more slices than bytes', [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0], 1012],
    ['slices that do not ascend', [99, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 7, 7], 1014],
    ['a slice past the end', [99, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 99], 1013],
  ])('rejects %s', (_, bytes, offset) => {
    expect(failure(() => parse(bytes))).toMatchObject({ code: 'INVALID_DATA', offset });
  });

  test('checks the CRC32 of CRAM 3', () => {
    const version = { major: 3, minor: 0 } as const;
    const bytes = cramEofContainer(version);
    expect(parseCramContainerHeader(bytes, { version })).toMatchObject({ length: 15, headerLength: 23 });
    bytes[13] = 1;
    expect(failure(() => parseCramContainerHeader(bytes, { version }))).toMatchObject({
      code: 'INVALID_DATA',
      offset: 19,
    });
    expect(parse(eof)).toMatchObject({ length: 11, headerLength: 19 });
  });
});

test('the EOF container of CRAM 2.0 is empty', () => {
  expect(cramEofContainer({ major: 2, minor: 0 })).toHaveLength(0);
});
