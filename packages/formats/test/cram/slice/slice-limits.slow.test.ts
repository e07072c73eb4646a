import { gzipSync } from 'node:zlib';
import { excessGrowth } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { CramDecodeBudget, parseCramSliceSpans } from '../../../src/internal.js';
import {
  beta,
  block,
  type CompressionParts,
  CRAM_2_1,
  compressionHeader,
  constant,
  encoding,
  external,
  failure,
  headerOf,
  huffman,
  itf8,
  places,
  simple,
  slice,
  spansOf,
} from '../build-cram.js';

/** Builds a block of zeros, compressed by gzip. */
function gzipBlock(content: 'core' | 'sliceHeader', size: number): number[] {
  const data = gzipSync(new Uint8Array(size), { level: 9 });
  return [1, content === 'core' ? 5 : 2, 0, ...itf8(data.length), ...itf8(size), ...data];
}

describe('parseCramSliceSpans with hostile containers', () => {
  test('bounds records, features and tags that take no bytes', () => {
    const series = { ...simple, RI: constant(0), AP: constant(1) };
    const blocks = [block('core', 0, [])];
    const many = failure(() => spansOf({ series }, { recordCount: 2 ** 25, blocks }));
    expect(many).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    const withFeatures = (count: number): unknown => {
      const features = { ...series, FN: constant(count), FC: constant(81), FP: huffman([0, 1], [1, 1]) };
      return failure(() => spansOf({ series: features }, { recordCount: 1, blocks }));
    };
    expect(withFeatures(2 ** 20)).toMatchObject({ code: 'TRUNCATED' });
    expect(withFeatures(2 ** 25)).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    // The tag shares a block with the positions, so that it is read.
    const tags = { XAZ: encoding(4, ...constant(0), ...external(1)) };
    const tagged = { series, tags, tagLines: [new Array<string>(1000).fill('XAZ')] };
    const tagSeries = { ...tagged, series: { ...series, AP: external(1) } };
    const positions = block('external', 1, new Array<number>(5000).fill(1));
    expect(failure(() => spansOf(tagSeries, { recordCount: 5000, blocks: [...blocks, positions] }))).toMatchObject({
      code: 'LIMIT_EXCEEDED',
    });
  });

  test('shares the free budget among the slices of a container and the containers of a file', () => {
    const series = { ...simple, RI: constant(0), AP: constant(1) };
    const parts = { recordCount: 3_000_000, blocks: [block('core', 0, [])] };
    expect(places(spansOf({ series }, parts))).toEqual(['0:1-10']);
    expect(failure(() => spansOf({ series }, parts, parts))).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    const bytes = Uint8Array.from([...compressionHeader({ series }), ...slice(parts)]);
    const header = headerOf(bytes.length, [compressionHeader({ series }).length]);
    const budget = new CramDecodeBudget();
    const parse = (): unknown => [...parseCramSliceSpans(bytes, { version: CRAM_2_1, header, budget })];
    expect([failure(parse), failure(parse)]).toMatchObject([undefined, { code: 'LIMIT_EXCEEDED' }]);
  });

  test('bounds blocks and headers that are compressed to almost nothing', () => {
    const series = { ...simple, RI: constant(0), AP: constant(1) };
    const blocks = [block('core', 0, [])];
    const size = 2 ** 26 + 2 ** 25;
    const core = failure(() => spansOf({ series }, { recordCount: 1, blocks: [gzipBlock('core', size)] }));
    expect(core).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    const compression = compressionHeader({ series });
    const sliceHeader = gzipBlock('sliceHeader', size);
    const bytes = Uint8Array.from([...compression, ...sliceHeader, ...blocks.flat()]);
    const header = headerOf(bytes.length, [compression.length]);
    const attempt = (): unknown => [...parseCramSliceSpans(bytes, { version: CRAM_2_1, header })];
    expect(failure(attempt)).toMatchObject({ code: 'LIMIT_EXCEEDED' });
  });

  test('rejects a slice with records of more than 2^20 references', () => {
    // The core block has ascending references of three bytes each, uncompressed.
    const count = 2 ** 20 + 1;
    const core = new Uint8Array(3 * count);
    for (let id = 0; id < count; id++) core.set([id >> 16, (id >> 8) & 0xff, id & 0xff], 3 * id);
    const compression = compressionHeader({ series: { ...simple, RI: beta(0, 24), AP: constant(1) } });
    const parts = { recordCount: count, blocks: [] };
    const [head, tail] = [Uint8Array.from([...compression, ...slice({ ...parts, blocks: [[]] })]), core];
    const coreHead = Uint8Array.from([0, 5, 0, ...itf8(tail.length), ...itf8(tail.length)]);
    const bytes = Uint8Array.from(Buffer.concat([head, coreHead, tail]));
    const header = headerOf(bytes.length, [compression.length]);
    const attempt = (): unknown => [...parseCramSliceSpans(bytes, { version: CRAM_2_1, header })];
    expect(failure(attempt)).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(attempt).toThrow(/more than 1048576 references/);
  });

  test('rejects a slice that claims blocks of the next one', () => {
    const blocks = [block('core', 0, [])];
    const one = { referenceId: 0, start: 1, span: 1, recordCount: 0 };
    const compression = compressionHeader({ series: {} });
    // The only block that it declares is the header of the next slice.
    const first = slice({ ...one, blocks: [[]] });
    const bytes = Uint8Array.from([...compression, ...first, ...slice({ ...one, blocks })]);
    const header = headerOf(bytes.length, [compression.length, compression.length + first.length]);
    const attempt = (): unknown => [...parseCramSliceSpans(bytes, { version: CRAM_2_1, header })];
    expect(failure(attempt)).toMatchObject({ code: 'TRUNCATED', offset: compression.length + first.length });
  });

  test('finds series that share blocks in a long chain in linear time', () => {
    const blocks = [block('core', 0, []), block('external', 1, [7])];
    const parse = (compression: CompressionParts): unknown => places(spansOf(compression, { recordCount: 1, blocks }));
    expect(parse(tagChain(100))).toEqual(['0:7-16']);
    expect(excessGrowth(tagChain, parse, { size: 500 })).toBeLessThan(8);
  });
});

/** Declares tags that share a block with the one before, the first of them with the positions. The last tag is declared first. */
function tagChain(count: number): CompressionParts {
  const tags: Record<string, number[]> = {};
  for (let tag = 0; tag < count; tag++) {
    const letters = String.fromCharCode(48 + (tag >> 10), 48 + ((tag >> 5) & 31), 48 + (tag & 31));
    tags[letters] = encoding(4, ...external(count - tag), ...external(count + 1 - tag));
  }
  return { series: { ...simple, RI: constant(0), AP: external(1) }, tags };
}
