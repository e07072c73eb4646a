import { peek } from '@htskit/io';
import { describe, expect, test } from 'vitest';
import { type CodecEngine, defaultEngine, inflateBlock } from '../../src/index.js';
import { BlockInflater, inflateBlockPrefix } from '../../src/internal.js';
import { ascii, buildBlock } from '../build-block.js';
import { letters } from '../noise.js';

const data = letters(3000);
const block = buildBlock({ data });

describe('BlockInflater', () => {
  test('returns a view that the next call overwrites', () => {
    const inflater = new BlockInflater();
    const first = inflater.inflate(block);
    expect(first).toEqual(data);
    const second = inflater.inflate(buildBlock({ data: ascii('second') }));
    expect(second).toEqual(ascii('second'));
    expect(peek(second).buffer).toBe(peek(first).buffer);
    expect(peek(first).subarray(0, 6)).toEqual(ascii('second'));
  });

  test('does not share its memory with another inflater', () => {
    const [one, two] = [new BlockInflater(), new BlockInflater()];
    const first = one.inflate(block);
    two.inflate(buildBlock({ data: ascii('second') }));
    expect(first).toEqual(data);
  });

  test('returns plain arrays even if the engine returns Buffers, whose slices are views', () => {
    const shared = Buffer.from(data);
    const createInflater = () => ({
      inflateRaw: (deflated: Uint8Array) => ({ bytes: shared, consumed: deflated.length }),
      inflatePrefix: () => shared.subarray(0, 10),
    });
    const engine = { ...defaultEngine(), createInflater };
    const [whole, prefix] = [inflateBlock(block, { engine }), inflateBlockPrefix(block, { engine, length: 10 })];
    shared.fill(0);
    expect(whole).toEqual(data);
    expect(prefix).toEqual(data.subarray(0, 10));
  });

  test('can be used after an error', () => {
    const inflater = new BlockInflater();
    expect(() => inflater.inflate(buildBlock({ data, crc: 1 }), { coffset: 9 })).toThrow(
      expect.objectContaining({ code: 'CRC_MISMATCH', offset: 9 }) as Error,
    );
    expect(inflater.inflate(block)).toEqual(data);
  });

  test('uses the given engine', () => {
    const crcs: number[] = [];
    const engine: CodecEngine = {
      ...defaultEngine(),
      crc32: (bytes) => {
        crcs.push(bytes.length);
        return defaultEngine().crc32(bytes);
      },
    };
    new BlockInflater({ engine }).inflate(block);
    inflateBlock(block, { engine });
    expect(crcs).toEqual([3000, 3000]);
  });
});

describe('inflateBlockPrefix', () => {
  test.each([0, 1, 2999, 3000, 3001])('returns the first %i of 3000 bytes', (length) => {
    expect(inflateBlockPrefix(block, { length })).toEqual(data.subarray(0, length));
  });

  test('does not read data after the prefix', () => {
    const broken = block.slice();
    broken.fill(0xff, block.length - 60, block.length - 8);
    expect(inflateBlockPrefix(broken, { length: 100 })).toEqual(data.subarray(0, 100));
    expect(() => inflateBlockPrefix(broken, { length: 3000 })).toThrow(
      expect.objectContaining({ name: 'BgzfError' }) as Error,
    );
  });

  test('verifies the CRC32 if the prefix is the whole block', () => {
    const wrong = buildBlock({ data, crc: 1 });
    expect(inflateBlockPrefix(wrong, { length: 2999 })).toEqual(data.subarray(0, 2999));
    expect(() => inflateBlockPrefix(wrong, { length: 3000, coffset: 9 })).toThrow(
      expect.objectContaining({ code: 'CRC_MISMATCH', offset: 9 }) as Error,
    );
  });

  test('data shorter than the prefix and ISIZE is SIZE_MISMATCH', () => {
    const longer = buildBlock({ data, isize: 4000 });
    expect(() => inflateBlockPrefix(longer, { length: 3500, coffset: 9 })).toThrow(
      expect.objectContaining({ code: 'SIZE_MISMATCH', offset: 9 }) as Error,
    );
  });

  test.each([-1, 1.5, Number.NaN])('rejects a length of %d', (length) => {
    expect(() => inflateBlockPrefix(block, { length })).toThrow(RangeError);
  });

  test('returns a copy', () => {
    const first = inflateBlockPrefix(block, { length: 10 });
    inflateBlockPrefix(buildBlock({ data: ascii('other data') }), { length: 10 });
    expect(first).toEqual(data.subarray(0, 10));
  });
});
