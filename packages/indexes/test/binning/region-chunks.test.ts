import { compareVirtualOffsets } from '@htskit/bgzf';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Chunk } from '../../src/index.js';
import { mergeChunks } from '../../src/internal.js';
import { chunkOf } from '../support/build-bai.js';

const virtualOffset = fc.record({ coffset: fc.nat(6), uoffset: fc.nat(3) });
const chunk: fc.Arbitrary<Chunk> = fc.record({ start: virtualOffset, end: virtualOffset });

describe('mergeChunks', () => {
  test('sorts chunks and joins those that overlap or touch', () => {
    const chunks = [
      chunkOf([9, 0], [12, 0]),
      chunkOf([1, 5], [3, 0]),
      chunkOf([3, 0], [3, 9]),
      chunkOf([10, 0], [11, 0]),
      chunkOf([4, 0], [4, 1]),
    ];
    expect(mergeChunks(chunks)).toEqual([chunkOf([1, 5], [3, 9]), chunkOf([4, 0], [4, 1]), chunkOf([9, 0], [12, 0])]);
  });

  test('drops empty chunks and does not change its argument', () => {
    const chunks = [chunkOf([5, 0], [6, 0]), chunkOf([2, 2], [2, 2]), chunkOf([3, 1], [3, 0])];
    const before = structuredClone(chunks);
    expect(mergeChunks(chunks)).toEqual([chunkOf([5, 0], [6, 0])]);
    expect(chunks).toEqual(before);
    expect(mergeChunks([])).toEqual([]);
  });

  test('joins across gaps of up to maxGap compressed bytes', () => {
    const chunks = [chunkOf([1, 5], [3, 9]), chunkOf([3, 20], [4, 0]), chunkOf([9, 0], [12, 0])];
    expect(mergeChunks(chunks)).toEqual(chunks);
    expect(mergeChunks(chunks, { maxGap: 0 })).toEqual([chunkOf([1, 5], [4, 0]), chunkOf([9, 0], [12, 0])]);
    expect(mergeChunks(chunks, { maxGap: 4 })).toEqual([chunkOf([1, 5], [4, 0]), chunkOf([9, 0], [12, 0])]);
    expect(mergeChunks(chunks, { maxGap: 5 })).toEqual([chunkOf([1, 5], [12, 0])]);
  });

  test('covers the same offsets, once each', () => {
    fc.assert(
      fc.property(fc.array(chunk), virtualOffset, (chunks, offset) => {
        const holds = ({ start, end }: Chunk): boolean =>
          compareVirtualOffsets(start, offset) <= 0 && compareVirtualOffsets(offset, end) < 0;
        expect(mergeChunks(chunks).filter(holds)).toHaveLength(chunks.some(holds) ? 1 : 0);
      }),
    );
  });
});
