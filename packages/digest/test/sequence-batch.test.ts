import { createHash } from 'node:crypto';
import { volume } from '@htskit/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createWasmBatchHasher, hashOneByOne, type SequenceBatch } from '../src/sequence-batch.js';
import { requireInstance } from './hash-engines.js';

/** Puts sequences of the given lengths one after another, with gaps of 3 bytes. */
function createBatch(lengths: readonly number[], seed = 1): SequenceBatch {
  const ends: number[] = [];
  let end = -3;
  for (const length of lengths) {
    end += 3 + length;
    ends.push(end);
  }
  const bases = Uint8Array.from(
    { length: Math.max(end, 0) },
    (_, index) => (Math.imul(index + seed, 40503) >>> 7) & 0xff,
  );
  return {
    bases,
    starts: Int32Array.from(ends, (value, index) => value - (lengths[index] ?? 0)),
    ends: Int32Array.from(ends),
    md5: new Uint8Array(16 * lengths.length),
    trunc512: new Uint8Array(24 * lengths.length),
  };
}

/** Returns the digests that node:crypto computes, in columns. */
function expectedDigests({ bases, starts, ends }: SequenceBatch): { md5: Buffer; trunc512: Buffer } {
  const sequences = Array.from(starts, (start, index) => bases.subarray(start, ends[index]));
  return {
    md5: Buffer.concat(sequences.map((sequence) => createHash('md5').update(sequence).digest())),
    trunc512: Buffer.concat(
      sequences.map((sequence) => createHash('sha512').update(sequence).digest().subarray(0, 24)),
    ),
  };
}

describe.each([
  ['one by one', hashOneByOne],
  ['in WebAssembly', createWasmBatchHasher(requireInstance())],
])('sequences that are hashed %s', (_, hashBatch) => {
  const digestsOf = (batch: SequenceBatch): { md5: Buffer; trunc512: Buffer } => {
    hashBatch(batch);
    return { md5: Buffer.from(batch.md5), trunc512: Buffer.from(batch.trunc512) };
  };

  test('have the digests of node:crypto at each length around the ends of blocks', () => {
    const batch = createBatch(Array.from({ length: 300 }, (_value, length) => length));
    expect(digestsOf(batch)).toEqual(expectedDigests(batch));
  });

  test.each([
    ['no sequence', []],
    ['empty sequences', [0, 0, 0]],
    ['one as long as the memory', [65_536]],
    ['one that is longer than the memory', [5, 65_537, 200_000, 7]],
    ['some that fill the memory exactly', [32_768, 32_768, 1]],
    ['more than one call hashes', Array.from({ length: 2500 }, (_value, index) => index % 90)],
  ])('may be %s', (_name, lengths) => {
    const batch = createBatch(lengths);
    expect(digestsOf(batch)).toEqual(expectedDigests(batch));
  });

  test('have the digests of node:crypto for any lengths and bytes', () => {
    const lengths = fc.array(fc.nat(1000), { maxLength: 20 });
    fc.assert(
      fc.property(lengths, fc.nat(), (given, seed) => {
        const batch = createBatch(given, seed);
        expect(digestsOf(batch)).toEqual(expectedDigests(batch));
      }),
      { numRuns: volume(500) },
    );
  });

  test('have the published digests of FIPS 180-4 and RFC 1321', () => {
    const bases = new TextEncoder().encode('abc');
    const batch = { bases, starts: Int32Array.of(0), ends: Int32Array.of(3) };
    const { md5, trunc512 } = digestsOf({ ...batch, md5: new Uint8Array(16), trunc512: new Uint8Array(24) });
    expect(md5.toString('hex')).toBe('900150983cd24fb0d6963f7d28e17f72');
    expect(trunc512.toString('hex')).toBe('ddaf35a193617abacc417349ae20413112e6fa4e89a97ea2');
  });
});

test('ranges outside of the memory are clamped', () => {
  const { hashSequences, md5Digests, ranges, raw } = requireInstance();
  ranges.set([-1, -1, 70_000, 5, 3, 2 ** 31 - 1]);
  hashSequences(3);
  const digests = [0, 1, 2].map((index) => Buffer.from(md5Digests.slice(16 * index, 16 * (index + 1))).toString('hex'));
  const empty = createHash('md5').digest('hex');
  expect(digests).toEqual([empty, empty, createHash('md5').update(raw.subarray(3)).digest('hex')]);
});
