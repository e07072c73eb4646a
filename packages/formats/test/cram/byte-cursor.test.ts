import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ByteCursor } from '../../src/cram/byte-cursor.js';
import { FormatError } from '../../src/index.js';

function cursorOf(...bytes: number[]): ByteCursor {
  return new ByteCursor(Uint8Array.from(bytes), 100);
}

describe('ByteCursor', () => {
  test.each([
    [[0x00], 0],
    [[0x7f], 127],
    [[0x80, 0x80], 128],
    [[0xbf, 0xff], 2 ** 14 - 1],
    [[0xc0, 0x40, 0x00], 2 ** 14],
    [[0xdf, 0xff, 0xff], 2 ** 21 - 1],
    [[0xe0, 0x45, 0x4f, 0x46], 0x454f46],
    [[0xef, 0xff, 0xff, 0xff], 2 ** 28 - 1],
    [[0xf1, 0x00, 0x00, 0x00, 0x00], 2 ** 28],
    [[0xf7, 0xff, 0xff, 0xff, 0x0f], 2 ** 31 - 1],
    [[0xf8, 0x00, 0x00, 0x00, 0x00], -(2 ** 31)],
    [[0xff, 0xff, 0xff, 0xff, 0x0f], -1],
    [[0xff, 0xff, 0xff, 0xff, 0xfe], -2],
  ])('reads the ITF8 number %j as %i', (bytes, value) => {
    const cursor = cursorOf(...bytes, 1);
    expect(cursor.readItf8()).toBe(value);
    expect(cursor.remaining).toBe(1);
    expect(() => cursorOf(...bytes.slice(0, -1)).readItf8()).toThrow(`(at byte ${99 + bytes.length})`);
  });

  test.each([
    [[0x7f], 127],
    [[0xbf, 0xff], 2 ** 14 - 1],
    [[0xdf, 0xff, 0xff], 2 ** 21 - 1],
    [[0xef, 0xff, 0xff, 0xff], 2 ** 28 - 1],
    [[0xf7, 0xff, 0xff, 0xff, 0xff], 2 ** 35 - 1],
    [[0xfb, 0xff, 0xff, 0xff, 0xff, 0xff], 2 ** 42 - 1],
    [[0xfd, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], 2 ** 49 - 1],
    [[0xfe, 0x1f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], 2 ** 53 - 1],
    [[0xff, 0, 0x1f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], 2 ** 53 - 1],
  ])('reads the LTF8 number %j as %i', (bytes, value) => {
    const cursor = cursorOf(...bytes, 1);
    expect(cursor.readLtf8()).toBe(value);
    expect(cursor.remaining).toBe(1);
  });

  test('rejects LTF8 numbers that are negative or over 2^53 - 1, negative counts, and long uint7 numbers', () => {
    const invalid = expect.objectContaining({ code: 'INVALID_DATA', offset: 100 }) as Error;
    expect(() => cursorOf(0xfe, 0x20, 0, 0, 0, 0, 0, 0).readLtf8()).toThrow(invalid);
    expect(() => cursorOf(...new Array<number>(9).fill(0xff)).readLtf8()).toThrow(invalid);
    expect(() => cursorOf(0xff, 0xff, 0xff, 0xff, 0x0f).readCount()).toThrow(invalid);
    expect(() => cursorOf(0x90, 0x80, 0x80, 0x80, 0x00).readUint7()).toThrow(invalid);
  });

  test('reads uint7 numbers', () => {
    expect(cursorOf(0x8f, 0xff, 0xff, 0xff, 0x7f).readUint7()).toBe(2 ** 32 - 1);
    expect(cursorOf(0x89, 0x9b, 0x58).readUint7()).toBe(9 * 2 ** 14 + 0x1b * 2 ** 7 + 0x58);
  });

  test('reads little-endian numbers and views of bytes', () => {
    const cursor = cursorOf(1, 2, 3, 0xfe, 0xff, 0xff, 0xff, 0xff);
    expect(cursor.readUint16()).toBe(0x0201);
    expect(cursor.readBytes(1)).toEqual(Uint8Array.of(3));
    expect(cursor.readInt32()).toBe(-2);
    expect(cursor.offset).toBe(107);
    for (const length of [2, -1, Number.NaN]) expect(() => cursor.readBytes(length)).toThrow('unexpected end of data');
  });

  test('never reads past the end', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), fc.nat(5), (bytes, which) => {
        const cursor = new ByteCursor(bytes);
        const read = [
          () => cursor.readItf8(),
          () => cursor.readLtf8(),
          () => cursor.readUint7(),
          () => cursor.readUint32(),
          () => cursor.readCount(),
          () => cursor.readByte(),
        ][which];
        const readOn = (): void => {
          for (;;) read?.();
        };
        expect(readOn).toThrow(FormatError);
        expect(cursor.at).toBeLessThanOrEqual(bytes.length);
      }),
    );
  });
});
