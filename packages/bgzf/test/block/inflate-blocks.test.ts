import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { BgzfError, EOF_MARKER, inflateBlock, inflateBlocks } from '../../src/index.js';
import { ascii, BC, buildBlock, buildFile, joinBytes } from '../build-block.js';

const data = ascii('GATTACA '.repeat(100));

function error(code: string, offset = 0): Error {
  return expect.objectContaining({ name: 'BgzfError', code, offset }) as Error;
}

describe('inflateBlock', () => {
  test.each([0, 1, 100, 65280, 65536])('returns the %i bytes of a block', (length) => {
    const content = new Uint8Array(length).fill(0x41);
    expect(inflateBlock(buildBlock({ data: content }))).toEqual(content);
  });

  test('reads a block with other extra subfields', () => {
    const extra = [0x58, 0x59, 2, 0, 9, 9, ...BC, 0x5a, 0x5a, 0, 0];
    expect(inflateBlock(buildBlock({ data, extra }))).toEqual(data);
  });

  test('reads a block of 65536 compressed bytes', () => {
    const content = new Uint8Array(65536 - 18 - 8 - 5).fill(7);
    const block = buildBlock({ data: content, deflated: deflateRawSync(content, { level: 0 }) });
    expect(block.length).toBeGreaterThan(65500);
    expect(inflateBlock(block)).toEqual(content);
  });

  test('ignores bytes after the block', () => {
    expect(inflateBlock(joinBytes([buildBlock({ data }), ascii('after')]))).toEqual(data);
  });

  test('reads a block that is a view', () => {
    const bytes = joinBytes([ascii('before'), buildBlock({ data })]);
    expect(inflateBlock(bytes.subarray(6))).toEqual(data);
  });

  test('every proper prefix of a block is TRUNCATED', () => {
    const block = buildBlock({ data });
    for (let length = 0; length < block.length; length += 1) {
      expect(() => inflateBlock(block.subarray(0, length), { coffset: 9 })).toThrow(error('TRUNCATED', 9));
    }
  });

  test('a wrong CRC32 is CRC_MISMATCH', () => {
    expect(() => inflateBlock(buildBlock({ data, crc: 1 }), { coffset: 9 })).toThrow(error('CRC_MISMATCH', 9));
  });

  test.each([0, 1, data.length - 1, data.length + 1, 8000])('ISIZE %i for 800 bytes is SIZE_MISMATCH', (isize) => {
    expect(() => inflateBlock(buildBlock({ data, isize }), { coffset: 9 })).toThrow(error('SIZE_MISMATCH', 9));
  });

  test.each([65537, 0xffff_ffff])('ISIZE %i is LIMIT_EXCEEDED, even if it is correct', (isize) => {
    const deflated = deflateRawSync(new Uint8Array(65537));
    expect(() => inflateBlock(buildBlock({ deflated, isize }), { coffset: 9 })).toThrow(error('LIMIT_EXCEEDED', 9));
  });

  test('an ISIZE that the DEFLATE data is too short to yield is SIZE_MISMATCH', () => {
    expect(() => inflateBlock(buildBlock({ isize: 65536 }))).toThrow(error('SIZE_MISMATCH'));
  });

  test('data that inflates to far more than ISIZE is SIZE_MISMATCH', () => {
    const deflated = deflateRawSync(new Uint8Array(50_000_000)).subarray(0, 60_000);
    expect(() => inflateBlock(buildBlock({ deflated, isize: 65536 }))).toThrow(error('SIZE_MISMATCH'));
  });

  test('bytes between the DEFLATE data and the footer are INVALID_DATA', () => {
    const deflated = joinBytes([deflateRawSync(data), ascii('x')]);
    expect(() => inflateBlock(buildBlock({ data, deflated }), { coffset: 9 })).toThrow(error('INVALID_DATA', 9));
  });

  test('corrupt, incomplete or missing DEFLATE data is INVALID_DATA', () => {
    const incomplete = deflateRawSync(data).subarray(0, -1);
    const blocks = [
      buildBlock({ data, deflated: incomplete }),
      buildBlock({ deflated: Uint8Array.of(7) }),
      buildBlock({ deflated: new Uint8Array(0) }),
    ];
    for (const block of blocks) expect(() => inflateBlock(block, { coffset: 9 })).toThrow(error('INVALID_DATA', 9));
  });

  test('errors are instances of BgzfError', () => {
    expect(() => inflateBlock(buildBlock({ data: ascii('x'), deflated: Uint8Array.of(7) }))).toThrow(BgzfError);
  });
});

describe('inflateBlocks', () => {
  const contents = [data, new Uint8Array(0), ascii('and more'), new Uint8Array(65536)];
  const file = buildFile(contents);

  test('concatenates the data of all blocks, including empty ones and EOF markers', () => {
    expect(inflateBlocks(joinBytes([file.bytes, EOF_MARKER, file.bytes, EOF_MARKER]))).toEqual(
      joinBytes([...contents, ...contents]),
    );
  });

  test('returns no bytes for no bytes', () => {
    expect(inflateBlocks(new Uint8Array(0))).toEqual(new Uint8Array(0));
  });

  test('errors report the offset of the block in the file', () => {
    const third = file.blocks[2]?.coffset ?? 0;
    const corrupt = Uint8Array.from(file.bytes);
    corrupt[third] = 0;
    expect(() => inflateBlocks(corrupt, { coffset: 1000 })).toThrow(error('INVALID_HEADER', 1000 + third));
  });

  test('a partial block at the end is TRUNCATED', () => {
    const last = file.blocks[3]?.coffset ?? 0;
    expect(() => inflateBlocks(file.bytes.subarray(0, -1))).toThrow(error('TRUNCATED', last));
    expect(() => inflateBlocks(file.bytes.subarray(0, last + 1))).toThrow(error('TRUNCATED', last));
  });

  test('accepts maxBytes of data, and more is LIMIT_EXCEEDED', () => {
    expect(inflateBlocks(file.bytes, { maxBytes: file.data.length }).length).toBe(file.data.length);
    expect(() => inflateBlocks(file.bytes, { maxBytes: file.data.length - 1 })).toThrow(
      error('LIMIT_EXCEEDED', file.blocks[3]?.coffset),
    );
  });
});
