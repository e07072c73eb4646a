import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { bgunzip, type DecodedBlock, fixtureNames, hasEofMarker, readFixture, splitBgzf } from '../../src/index.js';

const straddle = readFixture('straddle.bam');

const sum = (blocks: DecodedBlock[]): number => blocks.reduce((total, { bytes }) => total + bytes.length, 0);

/** Returns a copy of the first block, changed by `change`. */
function firstBlock(change: (block: Buffer) => void = () => undefined): Buffer {
  const block = Buffer.from(splitBgzf(straddle)[0]?.bytes ?? []);
  change(block);
  return block;
}

describe('splitBgzf', () => {
  test('returns blocks that concatenate to the file', () => {
    const blocks = splitBgzf(straddle);
    expect(blocks.length).toBeGreaterThan(20);
    expect(Buffer.concat(blocks.map(({ bytes }) => bytes)).equals(straddle)).toBe(true);
    expect(blocks.map(({ coffset }) => coffset)).toEqual(blocks.map((_, i) => sum(blocks.slice(0, i))));
  });

  test('finds BC after other subfields', () => {
    const extraLengths = splitBgzf(readFixture('extra-subfield.bam')).map(({ bytes }) => bytes[10]);
    expect(new Set(extraLengths)).toEqual(new Set([6, 30]));
    expect(Buffer.from(bgunzip(straddle)).equals(bgunzip(readFixture('extra-subfield.bam')))).toBe(true);
  });

  test('straddle.bam has empty blocks within, and blocks of 65 536 bytes', () => {
    const sizes = splitBgzf(straddle).map(({ data }) => data.length);
    expect(sizes.slice(0, -1)).toContain(0);
    expect(sizes).toContain(65_536);
    expect(sizes).toContain(1);
  });
});

describe('hasEofMarker', () => {
  test('is false only for no-eof.bam', () => {
    const without = fixtureNames('.bam').filter((name) => !hasEofMarker(readFixture(name)));
    expect(without).toEqual(['no-eof.bam']);
    expect(hasEofMarker(new Uint8Array())).toBe(false);
  });
});

describe('bgunzip', () => {
  test('returns no bytes for no bytes', () => {
    expect(bgunzip(new Uint8Array())).toEqual(new Uint8Array());
  });

  test.each([
    ['trailing garbage', Buffer.concat([straddle, Buffer.from('x')]), 'truncated header'],
    ['a truncated block', firstBlock().subarray(0, -1), 'truncated'],
    ['a truncated extra field', readFixture('extra-subfield.bam').subarray(0, 30), 'truncated extra field'],
    ['plain gzip', gzipSync('some data that is not blocked'), 'not gzip with only an extra field'],
    ['a wrong CRC32', firstBlock((block) => block.writeUInt8((block.at(-8) ?? 0) ^ 1, block.length - 8)), 'CRC32'],
    ['a wrong ISIZE', firstBlock((block) => block.writeUInt8((block.at(-4) ?? 0) ^ 1, block.length - 4)), 'ISIZE'],
    ['a missing BC', firstBlock((block) => block.write('XX', 12)), 'no BC subfield'],
    ['a subfield beyond the extra field', firstBlock((block) => block.writeUInt8(3, 14)), 'do not fill'],
    ['a block smaller than its header', firstBlock((block) => block.writeUInt16LE(20, 16)), 'too small'],
  ])('rejects %s', (_, bytes, problem) => {
    expect(() => bgunzip(bytes)).toThrow(problem);
  });

  test('rejects bytes between the DEFLATE data and the checksum', () => {
    const block = firstBlock();
    const padded = Buffer.concat([block.subarray(0, -8), Buffer.alloc(2), block.subarray(-8)]);
    padded.writeUInt16LE(padded.length - 1, 16);
    expect(() => bgunzip(padded)).toThrow('after the DEFLATE data');
  });
});
