import { expect, test } from 'vitest';
import { compareVirtualOffsets } from '../src/index.js';
import { virtualOffsetFromU64 } from '../src/internal.js';

test('the low 16 bits are the uoffset, and the other 48 bits the coffset', () => {
  expect(virtualOffsetFromU64(0x0003_0002, 0)).toEqual({ coffset: 3, uoffset: 2 });
  expect(virtualOffsetFromU64(0xffff_ffff, 0)).toEqual({ coffset: 0xffff, uoffset: 0xffff });
  expect(virtualOffsetFromU64(0, 1)).toEqual({ coffset: 0x1_0000, uoffset: 0 });
});

test('a coffset of 48 bits is exact', () => {
  const offset = virtualOffsetFromU64(0xffff_ffff, 0xffff_ffff);
  expect(offset).toEqual({ coffset: 2 ** 48 - 1, uoffset: 2 ** 16 - 1 });
});

test('offsets are ordered by block and then by the offset within the block', () => {
  const sorted = [
    { coffset: 0, uoffset: 0 },
    { coffset: 0, uoffset: 7 },
    { coffset: 5, uoffset: 0 },
    { coffset: 5, uoffset: 1 },
    { coffset: 2 ** 47, uoffset: 0 },
  ];
  expect(sorted.toReversed().toSorted(compareVirtualOffsets)).toEqual(sorted);
  expect(compareVirtualOffsets({ coffset: 5, uoffset: 1 }, { coffset: 5, uoffset: 1 })).toBe(0);
});
