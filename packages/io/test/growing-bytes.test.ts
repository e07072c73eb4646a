import { expect, test } from 'vitest';
import { GrowingBytes } from '../src/internal.js';

test('keeps copies of all pieces, in order', () => {
  const growing = new GrowingBytes();
  const piece = new Uint8Array(10_000);
  const start = growing.bytes;
  for (let i = 0; i < 20; i++) growing.append(piece.fill(i));
  expect(start).toHaveLength(0);
  expect(growing.byteLength).toBe(200_000);
  expect(Array.from({ length: 20 }, (_, i) => growing.bytes.subarray(i * 10_000).at(9_999))).toEqual([
    ...Array(20).keys(),
  ]);
});
