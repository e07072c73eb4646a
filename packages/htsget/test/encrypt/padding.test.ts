import { inflateBlocks } from '@htskit/bgzf';
import { concatBytes } from '@htskit/io';
import { expect, test } from 'vitest';
import { createPadding, paddingBytes } from '../../src/encrypt/padding.js';

const LENGTHS = [0, 1, 27, 28, 32, 65_503, 65_504, 65_505, 65_508, 65_535, 65_536, 65_537, 200_000];

test.each(LENGTHS)('empty blocks fill %d bytes up to whole segments', (plainBytes) => {
  const padding = concatBytes(createPadding(plainBytes, 'blocks'));
  expect(padding.length).toBe(paddingBytes(plainBytes, 'blocks'));
  expect((plainBytes + padding.length) % 65_536).toBe(0);
  expect(padding.length).toBeLessThan(2 * 65_536);
  expect(inflateBlocks(padding)).toHaveLength(0);
});

test.each(LENGTHS)('zeros fill %d bytes up to whole segments', (plainBytes) => {
  const padding = concatBytes(createPadding(plainBytes, 'zeros'));
  expect(padding.length).toBe(paddingBytes(plainBytes, 'zeros'));
  expect((plainBytes + padding.length) % 65_536).toBe(0);
  expect(padding.length).toBeLessThan(65_536);
  expect(padding.every((byte) => byte === 0)).toBe(true);
});
