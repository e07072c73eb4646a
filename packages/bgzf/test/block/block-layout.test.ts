import { describe, expect, test } from 'vitest';
import { parseBlockHeader } from '../../src/internal.js';
import { ascii, BC, buildBlock, joinBytes, u16 } from '../build-block.js';

/** Subfield 'XY' with three bytes, and 'ZZ' with none. */
const XY = [0x58, 0x59, 3, 0, 1, 2, 3];
const ZZ = [0x5a, 0x5a, 0, 0];

function error(code: string, offset = 0): Error {
  return expect.objectContaining({ name: 'BgzfError', code, offset }) as Error;
}

describe('parseBlockHeader', () => {
  test('a header with BC alone is 18 bytes long', () => {
    const block = buildBlock({ data: ascii('ACGT') });
    expect(parseBlockHeader(block)).toEqual({ blockSize: block.length, dataStart: 18 });
  });

  test.each([
    ['before', [...XY, ...BC]],
    ['after', [...BC, ...XY]],
    ['around', [...ZZ, ...XY, ...BC, ...ZZ, ...XY]],
  ])('accepts other extra subfields %s BC', (_, extra) => {
    const block = buildBlock({ data: ascii('ACGT'), extra });
    expect(parseBlockHeader(block)).toEqual({ blockSize: block.length, dataStart: 12 + extra.length + 1 });
  });

  test('ignores MTIME, XFL and OS', () => {
    const block = buildBlock();
    block.fill(0xab, 4, 10);
    expect(parseBlockHeader(block).blockSize).toBe(block.length);
  });

  test('the largest block is 65536 bytes', () => {
    expect(parseBlockHeader(buildBlock({ bsize: 0xffff })).blockSize).toBe(65536);
  });

  test('extra subfields may fill the block up to its footer', () => {
    const payload = 65536 - 8 - 12 - 6 - 4;
    const extra = [...BC, 0x58, 0x59, ...u16(payload), ...new Array<number>(payload).fill(0)];
    const header = parseBlockHeader(buildBlock({ extra, deflated: new Uint8Array(0) }));
    expect(header).toEqual({ blockSize: 65536, dataStart: 65528 });
  });

  test('parses a header at an offset within a view', () => {
    const block = buildBlock({ data: ascii('ACGT') });
    const bytes = joinBytes([Buffer.from('junk!'), block]).subarray(2);
    expect(parseBlockHeader(bytes, { offset: 3 }).blockSize).toBe(block.length);
  });
});

describe('an invalid header', () => {
  test('every proper prefix of a header is TRUNCATED, and the rest of the block is not needed', () => {
    const extra = [...XY, ...BC];
    const block = buildBlock({ extra });
    const dataStart = 12 + extra.length + 1;
    for (let length = 0; length < dataStart; length += 1) {
      expect(() => parseBlockHeader(block.subarray(0, length), { coffset: 77 })).toThrow(error('TRUNCATED', 77));
    }
    expect(parseBlockHeader(block.subarray(0, dataStart)).blockSize).toBe(block.length);
  });

  test.each([0, 1, 2, 3])('a wrong byte %i of the magic is INVALID_HEADER, even at the end of the bytes', (index) => {
    const block = buildBlock();
    block[index] = 0x55;
    expect(() => parseBlockHeader(block)).toThrow(error('INVALID_HEADER'));
    expect(() => parseBlockHeader(block.subarray(0, index + 1))).toThrow(error('INVALID_HEADER'));
  });

  test.each<[string, readonly (number | 'BSIZE')[]]>([
    ['no subfield at all', []],
    ['no BC subfield', XY],
    ['two BC subfields', [...BC, ...BC]],
    ['a BC subfield of 3 bytes', [0x42, 0x43, 3, 0, 0, 'BSIZE']],
    ['a subfield that exceeds XLEN', [...BC, 0x58, 0x59, 4, 0, 1, 2, 3]],
    ['bytes too few for a subfield', [...BC, 0x58, 0x59, 0]],
  ])('%s is INVALID_HEADER', (_, extra) => {
    expect(() => parseBlockHeader(buildBlock({ extra }))).toThrow(error('INVALID_HEADER'));
  });

  test('a block too small for its footer is INVALID_HEADER', () => {
    expect(() => parseBlockHeader(buildBlock({ bsize: 18 + 8 - 2 }))).toThrow(error('INVALID_HEADER'));
    expect(parseBlockHeader(buildBlock({ bsize: 18 + 8 - 1 })).blockSize).toBe(26);
  });

  test('an XLEN over the largest block is INVALID_HEADER before its bytes arrive', () => {
    const bytes = Uint8Array.of(0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff);
    expect(() => parseBlockHeader(bytes)).toThrow(error('INVALID_HEADER'));
  });

  test('errors report `offset` if there is no coffset', () => {
    expect(() => parseBlockHeader(ascii('no block'), { offset: 3 })).toThrow(error('INVALID_HEADER', 3));
    expect(() => parseBlockHeader(ascii('abc'), { offset: 9 })).toThrow(error('TRUNCATED', 9));
  });
});
