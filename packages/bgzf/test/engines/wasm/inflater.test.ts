import { constants, crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { fixtureNames, readFixture, splitBgzf } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { parseBlockHeader } from '../../../src/block/block-layout.js';
import { createWasmInflater } from '../../../src/engines/wasm/inflater.js';
import { ascii, joinBytes } from '../../build-block.js';
import { letters, noise } from '../../noise.js';
import { BitWriter, type DynamicBlock, d } from './inflater-bits.js';

const inflater = createWasmInflater();
const SIZES = [0, 1, 2, 15, 16, 17, 63, 255, 4095, 16384, 65279, 65280, 65535, 65536];

function inflate(data: Uint8Array, size = 65536) {
  return inflater.inflateRaw(data, { size, coffset: 42 });
}

function prefix(data: Uint8Array, size: number): Uint8Array {
  return inflater.inflatePrefix(data, { size, coffset: 42 });
}

function error(code: string): Error {
  return expect.objectContaining({ name: 'BgzfError', code, offset: 42 }) as Error;
}

/** Returns bytes whose n-th most frequent value is half as frequent as the one before: codewords of all lengths. */
function skewed(length: number): Uint8Array {
  return noise(4 * length)
    .subarray(0, length)
    .map((_, index, bytes) => Math.clz32(0x01010101 * (bytes[index] ?? 0)) * 7);
}

/** Returns repeats of noise of all lengths, at distances from 1 to `longest`. */
function repeats(length: number, longest: number): Uint8Array {
  const bytes = noise(length);
  for (let at = 1, step = 0; at < length; step += 1) {
    const distance = 1 + ((Math.imul(step, 2654435761) >>> 0) % Math.min(at, longest));
    const end = Math.min(length, at + 3 + ((step * 31) % 300));
    for (; at < end; at += 1) bytes[at] = bytes[at - distance] ?? 0;
    at += step % 4;
  }
  return bytes;
}

const kinds: [string, (length: number) => Uint8Array][] = [
  ['zeros', (length) => new Uint8Array(length)],
  ['noise', noise],
  ['letters', letters],
  ['skewed bytes', skewed],
  ['near repeats', (length) => repeats(length, 20)],
  ['far repeats', (length) => repeats(length, 32768)],
  ['text', (length) => ascii('chr1\t12345\trs99\tA\tG\t'.repeat(length / 20 + 1)).subarray(0, length)],
];

describe.each(kinds)('%s', (_, make) => {
  test.each(SIZES)('of %i bytes are inflated for every strategy and level', (size) => {
    const data = make(size);
    expect(data.length).toBe(size);
    const { Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE, Z_FILTERED, Z_DEFAULT_STRATEGY } = constants;
    for (const strategy of [Z_DEFAULT_STRATEGY, Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE, Z_FILTERED]) {
      for (const level of strategy === Z_DEFAULT_STRATEGY ? [0, 1, 3, 6, 9] : [1, 6]) {
        for (const memLevel of [1, 8, 9]) {
          const deflated = deflateRawSync(data, { level, strategy, memLevel });
          if (deflated.length > 65536) continue;
          const { bytes, consumed } = inflate(deflated, size);
          expect(Buffer.compare(bytes, data), `level ${level}, strategy ${strategy}`).toBe(0);
          expect(consumed).toBe(deflated.length);
        }
      }
    }
  });
});

describe('a valid block', () => {
  const ab = { 97: 2, 98: 2, 256: 2, 257: 2 };
  const longest = {
    0: 15,
    1: 15,
    ...Object.fromEntries(Array.from({ length: 13 }, (_, bit) => [bit + 2, 14 - bit])),
    256: 1,
  };
  const dynamic: [string, DynamicBlock, string][] = [
    ['no distance codes', { litlen: { 97: 1, 256: 1 }, symbols: [97, 97, 256] }, 'aa'],
    ['one distance code of one bit', { litlen: ab, distance: { 0: 1 }, symbols: [97, 257, d(0), 256] }, 'aaaa'],
    [
      'one distance code of one bit, not the first',
      { litlen: ab, distance: { 1: 1 }, symbols: [97, 98, 257, d(1), 256] },
      'ababa',
    ],
    ['nothing but its end, of one bit', { litlen: { 256: 1 }, symbols: [256] }, ''],
    ['codewords of 15 bits', { litlen: longest, symbols: [0, 1, 2, 14, 0, 256] }, '\0\x01\x02\x0e\0'],
    [
      'a length of 258 as 227 + 31',
      { litlen: { 97: 1, 256: 2, 284: 2 }, distance: { 0: 1 }, symbols: [97, 284, [31, 5], d(0), 256] },
      'a'.repeat(259),
    ],
    [
      'all codes that are allowed',
      { litlen: ab, distance: { 0: 1, 1: 1 }, litlenCount: 286, distanceCount: 30, symbols: [97, 257, d(0), 256] },
      'aaaa',
    ],
    [
      'a repeat that goes on from literals to distances',
      {
        litlen: { 97: 2, 98: 2, 255: 2, 256: 2 },
        distance: { 0: 2, 1: 2, 2: 2, 3: 2 },
        precode: { 0: 2, 2: 2, 16: 2, 18: 2 },
        codeLengths: [18, [86, 7], 2, 2, 18, [127, 7], 18, [7, 7], 2, 16, [2, 2]],
        symbols: [97, 98, 256],
      },
      'ab',
    ],
  ];

  test.each(dynamic)('%s', (_, block, text) => {
    const data = new BitWriter().dynamic(block).toBytes();
    expect(inflateRawSync(data).toString('latin1')).toBe(text);
    expect(Buffer.from(inflate(data).bytes).toString('latin1')).toBe(text);
    expect(inflate(data).consumed).toBe(data.length);
  });

  test('blocks of all kinds can follow each other', () => {
    const writer = new BitWriter()
      .stored([], false)
      .stored([1, 2, 3], false)
      .fixed([97, 257, d(1), 256], false);
    writer.dynamic({ isFinal: false, litlen: ab, distance: { 0: 1 }, symbols: [98, 257, d(0), 256] });
    const data = writer
      .fixed([65, 285, d(0), 256], false)
      .fixed([256])
      .bytes([9, 9])
      .toBytes();
    const { bytes, consumed } = inflate(data);
    expect(Buffer.compare(bytes, inflateRawSync(data))).toBe(0);
    expect(consumed).toBe(data.length - 2);
  });

  test('the bits after the end in the last byte are ignored', () => {
    const data = new BitWriter().fixed([97, 256]).bits(0x3f, 6).toBytes();
    expect(data.length).toBe(3);
    expect(inflate(data)).toEqual({ bytes: ascii('a'), consumed: 3 });
  });
});

test('real blocks are inflated', () => {
  let compared = 0;
  for (const name of ['.bam', '.bcf', '.vcf.gz', '.fa.gz', '.tbi', '.csi'].flatMap((suffix) => fixtureNames(suffix))) {
    for (const { bytes: block, data } of splitBgzf(readFixture(name))) {
      const { bytes, consumed } = inflate(block.subarray(parseBlockHeader(block).dataStart, -8), data.length);
      expect(Buffer.compare(bytes, data), name).toBe(0);
      expect(consumed).toBe(block.length - parseBlockHeader(block).dataStart - 8);
      expect(inflater.crc32(bytes)).toBe(crc32(data));
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(50);
});

describe('a size', () => {
  const deflated = deflateRawSync(letters(1000));

  test('that is too small is SIZE_MISMATCH', () => {
    for (let size = 0; size < 1000; size += 1) expect(() => inflate(deflated, size)).toThrow(error('SIZE_MISMATCH'));
    const zeros = deflateRawSync(new Uint8Array(50_000_000)).subarray(0, 65536);
    for (const size of [0, 100, 65535, 65536]) expect(() => inflate(zeros, size)).toThrow(error('SIZE_MISMATCH'));
    const stored = deflateRawSync(letters(1000), { level: 0 });
    for (const size of [0, 999]) expect(() => inflate(stored, size)).toThrow(error('SIZE_MISMATCH'));
  });

  test('that is too large results in fewer bytes', () => {
    expect(inflate(deflated, 1001).bytes.length).toBe(1000);
    expect(inflate(deflated, 65536).bytes.length).toBe(1000);
  });

  test('above 64 KiB is a RangeError for input and output', () => {
    expect(() => inflate(deflated, 65537)).toThrow(RangeError);
    expect(() => prefix(deflated, 65537)).toThrow(RangeError);
    expect(() => inflate(new Uint8Array(65537), 10)).toThrow(RangeError);
  });
});

describe('a prefix', () => {
  const data = joinBytes([letters(100), repeats(400, 50), new Uint8Array(300)]);

  test.each([0, 1, 6])('of any size equals the start of the data, deflated at level %i', (level) => {
    const deflated = deflateRawSync(data, { level });
    for (let size = 0; size <= data.length + 2; size += 1) {
      expect(Buffer.compare(prefix(deflated, size), data.subarray(0, size)), `${size}`).toBe(0);
    }
  });

  test('needs only the input up to its end', () => {
    for (const level of [0, 6]) {
      const deflated = deflateRawSync(data, { level });
      let size = 0;
      for (let length = 1; length < deflated.length; length += 1) {
        const part = deflated.subarray(0, length);
        const there = inflateRawSync(part, { finishFlush: constants.Z_SYNC_FLUSH });
        expect(Buffer.compare(prefix(part, there.length), there)).toBe(0);
        // One byte more than is available, also after the last byte, without the end of the final block.
        expect(() => prefix(part, there.length + 1)).toThrow(error('INVALID_DATA'));
        size = there.length;
      }
      expect(size).toBeGreaterThan(700);
    }
  });

  test('is returned even if corrupt data follows', () => {
    const corrupt = new BitWriter().fixed([97, 98, 257, d(1), 99, 285, d(29), [0, 13]]).toBytes();
    expect(prefix(corrupt, 6)).toEqual(ascii('ababac'));
    expect(prefix(corrupt, 4)).toEqual(ascii('abab'));
    expect(() => prefix(corrupt, 7)).toThrow(error('INVALID_DATA'));
    expect(() => inflate(corrupt, 6)).toThrow(error('INVALID_DATA'));
    expect(() => inflate(corrupt, 5)).toThrow(error('SIZE_MISMATCH'));
  });
});

describe('views', () => {
  const [a, b] = [letters(500), letters(700).reverse()];

  test('are overwritten by the next call', () => {
    const { bytes } = inflate(deflateRawSync(a));
    expect(bytes).toEqual(a);
    inflate(deflateRawSync(b));
    expect(bytes).toEqual(b.subarray(0, 500));
    prefix(deflateRawSync(a), 500);
    expect(bytes).toEqual(a);
  });

  test('of two inflaters share no memory', () => {
    const other = createWasmInflater();
    const { bytes } = inflate(deflateRawSync(a));
    expect(other.inflateRaw(deflateRawSync(b), { size: 700, coffset: 0 }).bytes).toEqual(b);
    expect(bytes).toEqual(a);
  });

  test('can be inflated themselves', () => {
    const twice = deflateRawSync(deflateRawSync(a));
    expect(inflate(inflate(twice).bytes).bytes).toEqual(a);
  });
});

describe('crc32', () => {
  test('has the check value of CRC-32/ISO-HDLC', () => {
    expect(inflater.crc32(ascii('123456789'))).toBe(0xcbf43926);
  });

  test('equals that of node:zlib for every size and alignment', () => {
    const data = noise(200_000);
    // From 1200 bytes on, the data is folded.
    for (let size = 0; size < 1400; size += 1) {
      const part = data.subarray(size % 17, (size % 17) + size);
      expect(inflater.crc32(part)).toBe(crc32(part));
    }
    for (const size of [4095, 4096, 65535, 65536, 65537, 131_072, 200_000]) {
      expect(inflater.crc32(data.subarray(0, size))).toBe(crc32(data.subarray(0, size)));
    }
  });

  test('reads inflated data in place', () => {
    const { bytes } = inflate(deflateRawSync(letters(65536)));
    for (const part of [bytes, bytes.subarray(1, 60001), bytes.subarray(7, 7)]) {
      expect(inflater.crc32(part)).toBe(crc32(part));
    }
    expect(bytes).toEqual(letters(65536));
  });
});
