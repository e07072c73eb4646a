import { bgunzip, fixtureNames, hasEofMarker, readFixture, splitBgzf } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { buildGzi, formatGzi, inflateBlocks, inflateRange, streamCut } from '../src/index.js';
import { endsWithEofMarker, streamBlocks } from '../src/internal.js';
import { joinBytes } from './build-block.js';
import { chunked, collect, copySpans, memorySource, toArray } from './memory-source.js';

const names = ['.bam', '.bcf', '.vcf.gz', '.fa.gz', '.csi', '.tbi'].flatMap((suffix) => fixtureNames(suffix));

test('there are fixtures', () => {
  expect(names.length).toBeGreaterThan(15);
});

describe.each(names)('%s', (name) => {
  const bytes = readFixture(name);
  const blocks = splitBgzf(bytes);

  test('inflates to the data that an independent reader returns', () => {
    expect(Buffer.compare(inflateBlocks(bytes), bgunzip(bytes))).toBe(0);
    expect(endsWithEofMarker(bytes)).toBe(hasEofMarker(bytes));
  });

  test('is streamed as its blocks', async () => {
    const found = await toArray(streamBlocks(chunked(bytes, [1000, 3])));
    expect(found.map(({ coffset }) => coffset)).toEqual(blocks.map(({ coffset }) => coffset));
  });

  test('is cut in the middle of its blocks', async () => {
    const [first] = blocks;
    const last = blocks.findLast(({ data }) => data.length > 0);
    if (first === undefined || last === undefined) return;
    const range = {
      start: { coffset: 0, uoffset: Math.floor(first.data.length / 3) },
      end: { coffset: last.coffset, uoffset: Math.ceil(last.data.length / 2) },
    };
    const cutOff = last.data.length - range.end.uoffset;
    const expected = bgunzip(bytes)
      .subarray(range.start.uoffset)
      .slice(0, -cutOff || undefined);
    const cut = await collect(streamCut(memorySource(bytes), range));
    expect(Buffer.compare(bgunzip(cut), expected)).toBe(0);
    const spans = await copySpans(inflateRange(memorySource(bytes), range));
    expect(Buffer.compare(joinBytes(spans.map(({ data }) => data)), expected)).toBe(0);
  });
});

test.each(fixtureNames('.gzi'))('%s equals the index that buildGzi builds', async (name) => {
  const bytes = readFixture(name.slice(0, -'.gzi'.length));
  const gzi = await buildGzi(memorySource(bytes), bytes.length);
  expect(Buffer.compare(formatGzi(gzi), readFixture(name))).toBe(0);
});
