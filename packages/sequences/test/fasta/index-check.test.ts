import type { GziIndex } from '@htskit/bgzf';
import type { FaiRecord } from '@htskit/indexes';
import { describe, expect, test } from 'vitest';
import { checkFai, checkGzi } from '../../src/fasta/index-check.js';

describe('a .fai', () => {
  const a: FaiRecord = { name: 'a', length: 100, offset: 3, lineBases: 60, lineBytes: 61 };
  const b: FaiRecord = { name: 'b', length: 10, offset: 108, lineBases: 10, lineBytes: 11 };
  const empty: FaiRecord = { name: 'e', length: 0, offset: 122, lineBases: 0, lineBytes: 0 };

  test.each<readonly [string, readonly FaiRecord[]]>([
    ['is that of the FASTA', [a, b, empty]],
    ['leaves out sequences without bases', [a, b]],
    ['says of one line what its file end makes of it', [a, { ...b, lineBytes: 10 }, empty]],
    ['says of one line what other lines would be', [a, { ...b, lineBases: 60, lineBytes: 61 }, empty]],
    ['says anything of no lines', [a, b, { ...empty, offset: 0, lineBases: 1, lineBytes: 1 }]],
  ])('accepts one that %s', (_, listed) => {
    expect(() => checkFai(listed, [a, b, empty])).not.toThrow();
  });

  test.each<readonly [string, readonly FaiRecord[]]>([
    ['is empty', []],
    ['lacks a sequence', [a]],
    ['lacks the first sequence', [b]],
    ['has another order', [b, a]],
    ['has one more sequence', [a, b, { ...b, name: 'c' }]],
    ['has another name', [{ ...a, name: 'A' }, b]],
    ['has another length', [{ ...a, length: 99 }, b]],
    ['has another offset', [{ ...a, offset: 4 }, b]],
    ['has other lines', [{ ...a, lineBases: 61, lineBytes: 62 }, b]],
    ['has other line ends', [{ ...a, lineBytes: 62 }, b]],
    ['has a line that is too short', [a, { ...b, lineBases: 5 }]],
    ['has an offset that is too large', [{ ...a, offset: 2 ** 52 }, b]],
    ['has numbers that are none', [{ ...a, lineBases: Number.NaN }, b]],
  ])('rejects one that %s', (_, listed) => {
    expect(() => checkFai(listed, [a, b, empty])).toThrow(expect.objectContaining({ code: 'INDEX_MISMATCH' }));
  });
});

describe('a .gzi', () => {
  const gzi = (...entries: readonly (readonly [number, number])[]): GziIndex => ({
    coffsets: Float64Array.from(entries, ([coffset]) => coffset),
    uncompressedOffsets: Float64Array.from(entries, ([, uncompressedOffset]) => uncompressedOffset),
  });
  const found = gzi([20, 100], [50, 200]);

  test.each([
    ['is that of the file', found],
    ['lists the first block', gzi([0, 0], [20, 100], [50, 200])],
    ['lists an empty block', gzi([20, 100], [40, 200], [50, 200])],
    ['lists the block at the end', gzi([20, 100], [50, 200], [90, 300])],
  ])('accepts one that %s', (_, listed) => {
    expect(() => checkGzi(listed, found, 300)).not.toThrow();
  });

  test.each([
    ['is empty', gzi()],
    ['lacks a block', gzi([20, 100])],
    ['has one more block', gzi([20, 100], [50, 200], [70, 250])],
    ['has another coffset', gzi([20, 100], [51, 200])],
    ['has another uncompressed offset', gzi([20, 100], [50, 201])],
  ])('rejects one that %s', (_, listed) => {
    expect(() => checkGzi(listed, found, 300)).toThrow(expect.objectContaining({ code: 'INDEX_MISMATCH' }));
  });

  test('accepts an empty one for a single block', () => {
    expect(() => checkGzi(gzi(), gzi(), 100)).not.toThrow();
  });
});
