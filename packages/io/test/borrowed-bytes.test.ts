import { collectSlowly } from '@htskit/testing';
import { expect, test } from 'vitest';
import { type BorrowedBytes, peek, toOwned, toOwnedChunks } from '../src/borrowed-bytes.js';

const memory = new Uint8Array(3);

/** Yields the same memory with other contents. */
async function* lend(): AsyncGenerator<BorrowedBytes, void> {
  for (const value of [1, 2, 3]) yield memory.fill(value);
}

test('peek returns the bytes themselves', () => {
  const borrowed: BorrowedBytes = memory;
  expect(peek(borrowed)).toBe(memory);
});

test('toOwned returns a copy, of a Buffer too', () => {
  const buffer = Buffer.from([1, 2, 3]);
  const copy = toOwned(buffer.subarray(1));
  buffer.fill(0);
  expect(copy).toEqual(Uint8Array.of(2, 3));
  expect(copy.buffer.byteLength).toBe(2);
});

test('toOwnedChunks yields chunks that can be kept', async () => {
  expect([...(await collectSlowly(toOwnedChunks(lend())))]).toEqual([1, 1, 1, 2, 2, 2, 3, 3, 3]);
  const chunks = lend() as unknown as AsyncGenerator<Uint8Array, void>;
  await expect(collectSlowly(chunks)).rejects.toThrow('the chunk of 3 bytes at byte 0 was overwritten');
});
