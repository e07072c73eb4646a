import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  buildGzi,
  EOF_MARKER,
  formatGzi,
  GziBuilder,
  inflateRange,
  locateUncompressed,
  parseGzi,
} from '../src/index.js';
import { ascii, buildBlock, buildFile, joinBytes, u32 } from './build-block.js';
import { copySpans, memorySource } from './memory-source.js';

/** The output of bgzip -i for 130,570 bytes: three blocks, two of which are listed. */
const bytes = Uint8Array.from([
  ...[2, 0, 0, 0, 0, 0, 0, 0], // number_entries
  ...[0xc3, 0xc0, 0, 0, 0, 0, 0, 0], // compressed_offset 49347
  ...[0x00, 0xff, 0, 0, 0, 0, 0, 0], // uncompressed_offset 65280
  ...[0x83, 0x81, 0x01, 0, 0, 0, 0, 0], // 98691
  ...[0x00, 0xfe, 0x01, 0, 0, 0, 0, 0], // 130560
]);

function error(code: string, offset: number): Error {
  return expect.objectContaining({ name: 'BgzfError', code, offset }) as Error;
}

function gziBytes(entries: readonly (readonly [number, number])[], count = entries.length): Uint8Array {
  const u64 = (value: number) => [...u32(value % 2 ** 32), ...u32(Math.floor(value / 2 ** 32))];
  return Uint8Array.from([...u64(count), ...entries.flat().flatMap(u64)]);
}

describe('parseGzi', () => {
  test('returns the offsets of every block but the first', () => {
    const gzi = parseGzi(bytes);
    expect([...gzi.coffsets]).toEqual([49347, 98691]);
    expect([...gzi.uncompressedOffsets]).toEqual([65280, 130560]);
  });

  test('reads an index without entries and an index that is a view', () => {
    expect(parseGzi(new Uint8Array(8)).coffsets).toHaveLength(0);
    expect([...parseGzi(joinBytes([ascii('xyz'), bytes]).subarray(3)).coffsets]).toEqual([49347, 98691]);
  });

  test('reads offsets up to 2^53 - 1', () => {
    const { coffsets } = parseGzi(gziBytes([[Number.MAX_SAFE_INTEGER, 1]]));
    expect([...coffsets]).toEqual([Number.MAX_SAFE_INTEGER]);
  });

  test('every proper prefix is TRUNCATED', () => {
    for (let length = 0; length < bytes.length; length += 1) {
      expect(() => parseGzi(bytes.subarray(0, length))).toThrow(error('TRUNCATED', length));
    }
  });

  test.each([3, 2 ** 32, 2 ** 53, 2 ** 64 - 2 ** 11])('a count of %d for two entries is TRUNCATED', (count) => {
    expect(() =>
      parseGzi(
        gziBytes(
          [
            [1, 1],
            [2, 2],
          ],
          count,
        ),
      ),
    ).toThrow(error('TRUNCATED', 40));
  });

  test('more bytes than entries are INVALID_DATA', () => {
    expect(() => parseGzi(joinBytes([bytes, ascii('x')]))).toThrow(error('INVALID_DATA', 40));
  });

  test.each<[string, [number, number][], number]>([
    ['an unsafe coffset', [[2 ** 53, 1]], 8],
    ['an unsafe uncompressed offset', [[1, 2 ** 53]], 16],
    [
      'a repeated coffset',
      [
        [5, 1],
        [5, 2],
      ],
      24,
    ],
    [
      'a descending coffset',
      [
        [5, 1],
        [4, 2],
      ],
      24,
    ],
    [
      'a descending uncompressed offset',
      [
        [5, 2],
        [6, 1],
      ],
      24,
    ],
  ])('%s is INVALID_DATA', (_, entries, offset) => {
    expect(() => parseGzi(gziBytes(entries))).toThrow(error('INVALID_DATA', offset));
  });
});

test('formatGzi is the inverse of parseGzi', () => {
  expect(formatGzi(parseGzi(bytes))).toEqual(bytes);
  const step = fc.tuple(fc.integer({ min: 1, max: 2 ** 40 }), fc.nat({ max: 65536 }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      let [coffset, uncompressed] = [0, 0];
      const entries = steps.map(([compressedStep, uncompressedStep]): [number, number] => {
        coffset += compressedStep;
        uncompressed += uncompressedStep;
        return [coffset, uncompressed];
      });
      expect(formatGzi(parseGzi(gziBytes(entries)))).toEqual(gziBytes(entries));
    }),
  );
});

describe('locateUncompressed', () => {
  const gzi = parseGzi(bytes);

  test.each([
    [0, 0, 0],
    [65279, 0, 65279],
    [65280, 49347, 0],
    [130559, 49347, 65279],
    [130560, 98691, 0],
    [130570, 98691, 10],
  ])('offset %i lies in the block at %i', (offset, coffset, uoffset) => {
    expect(locateUncompressed(gzi, offset)).toEqual({ coffset, uoffset });
  });

  test('the last of several entries with the same offset holds the data: the others are empty blocks', () => {
    const withEmpty = parseGzi(
      gziBytes([
        [100, 50],
        [128, 50],
        [156, 50],
        [200, 60],
      ]),
    );
    expect(locateUncompressed(withEmpty, 50)).toEqual({ coffset: 156, uoffset: 0 });
    expect(locateUncompressed(withEmpty, 49)).toEqual({ coffset: 0, uoffset: 49 });
  });

  test('an index without entries covers the first block', () => {
    expect(locateUncompressed(parseGzi(new Uint8Array(8)), 7)).toEqual({ coffset: 0, uoffset: 7 });
  });

  test.each([-1, 0.5, Number.NaN, 130560 + 65537, Number.POSITIVE_INFINITY])(
    'offset %d is INVALID_OFFSET',
    (offset) => {
      expect(() => locateUncompressed(gzi, offset)).toThrow(expect.objectContaining({ code: 'INVALID_OFFSET' }));
    },
  );
});

describe('buildGzi', () => {
  const texts = ['', 'first', '', 'second', '3', 'fourth!'];
  const file = buildFile(texts.map(ascii));
  const withEof = joinBytes([file.bytes, EOF_MARKER]);

  test('lists every block that holds data, except at offset 0', async () => {
    const gzi = await buildGzi(memorySource(withEof, { chunkSize: 7 }), withEof.length);
    expect([...gzi.coffsets]).toEqual([1, 3, 4, 5].map((index) => file.blocks[index]?.coffset));
    expect([...gzi.uncompressedOffsets]).toEqual([0, 5, 11, 12]);
  });

  test('locates every byte', async () => {
    const source = memorySource(withEof);
    const gzi = await buildGzi(source, withEof.length);
    for (let at = 0; at < file.data.length; at += 1) {
      const range = { start: locateUncompressed(gzi, at), end: { coffset: withEof.length, uoffset: 0 } };
      const spans = await copySpans(inflateRange(source, range));
      const found = joinBytes(spans.map(({ data }) => data));
      expect(Buffer.compare(found, file.data.subarray(at))).toBe(0);
    }
  });

  test('equals the index that GziBuilder builds from the spans of inflateRange', async () => {
    const source = memorySource(withEof);
    const builder = new GziBuilder();
    const range = { start: { coffset: 0, uoffset: 0 }, end: { coffset: withEof.length, uoffset: 0 } };
    for await (const { coffset, data } of inflateRange(source, range)) builder.add(coffset, data.length);
    expect(builder.finish()).toEqual(await buildGzi(source, withEof.length));
  });

  test('an empty file has no entries', async () => {
    expect((await buildGzi(memorySource(EOF_MARKER), 28)).coffsets).toHaveLength(0);
    expect((await buildGzi(memorySource(new Uint8Array(0)), 0)).coffsets).toHaveLength(0);
  });

  test('a source that ends before the size is TRUNCATED', async () => {
    await expect(buildGzi(memorySource(withEof), withEof.length + 1)).rejects.toEqual(
      error('TRUNCATED', withEof.length),
    );
    const partial = memorySource(withEof.subarray(0, -1));
    await expect(buildGzi(partial, withEof.length)).rejects.toEqual(error('TRUNCATED', file.bytes.length));
  });

  test('a block that claims over 65536 bytes is LIMIT_EXCEEDED', async () => {
    const bad = joinBytes([file.bytes, buildBlock({ isize: 65537 })]);
    await expect(buildGzi(memorySource(bad), bad.length)).rejects.toEqual(error('LIMIT_EXCEEDED', file.bytes.length));
  });
});
