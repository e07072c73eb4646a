import { toOwnedChunks } from '@htskit/io';
import { describe, expect, test } from 'vitest';
import { inflatePieces } from '../../src/internal.js';
import { ascii, buildFile, joinBytes } from '../build-block.js';
import { chunked } from '../memory-source.js';

/** The maximum number of bytes of a piece, and of a block. */
const [PIECE_BYTES, BLOCK_BYTES] = [2 ** 20, 2 ** 16];

async function piecesOf(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for await (const piece of toOwnedChunks(inflatePieces(chunks, { coffset: 1000 }))) pieces.push(piece);
  return pieces;
}

describe('inflatePieces', () => {
  const file = buildFile([ascii('first'), new Uint8Array(0), ascii('third'.repeat(30)), ascii('fourth')]);
  const data = joinBytes([ascii('first'), ascii('third'.repeat(30)), ascii('fourth')]);

  test('yields the first block, and then the blocks that end in a chunk', async () => {
    expect(await piecesOf(chunked(file.bytes, [file.bytes.length]))).toEqual([data.subarray(0, 5), data.subarray(5)]);
  });

  test('yields the same data for any split into two chunks', async () => {
    for (let split = 1; split < file.bytes.length; split++) {
      expect(joinBytes(await piecesOf(chunked(file.bytes, [split, file.bytes.length])))).toEqual(data);
    }
  });

  test('limits a piece by its bytes', async () => {
    const blocks = Array.from({ length: 40 }, () => new Uint8Array(BLOCK_BYTES - 1));
    const { bytes } = buildFile(blocks);
    const lengths = (await piecesOf(chunked(bytes, [bytes.length]))).map(({ length }) => length);
    expect(lengths).toHaveLength(4);
    expect(Math.max(...lengths)).toBeLessThan(PIECE_BYTES + BLOCK_BYTES);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(40 * (BLOCK_BYTES - 1));
  });

  test('throws at the offset of a corrupt block, after the data before it', async () => {
    const coffset = file.blocks[3]?.coffset ?? 0;
    const corrupt = file.bytes.slice();
    corrupt[coffset + 25] = 0xff;
    const pieces: Uint8Array[] = [];
    const run = async () => {
      for await (const piece of toOwnedChunks(inflatePieces(chunked(corrupt, [corrupt.length]), { coffset: 1000 }))) {
        pieces.push(piece);
      }
    };
    await expect(run()).rejects.toMatchObject({ name: 'BgzfError', offset: 1000 + coffset });
    expect(joinBytes(pieces)).toEqual(data.subarray(0, -6));
  });

  test('throws TRUNCATED for a stream that ends within a block, after the data before it', async () => {
    const cut = file.bytes.subarray(0, -3);
    await expect(piecesOf(chunked(cut, [50]))).rejects.toMatchObject({ code: 'TRUNCATED' });
  });
});
