import { inflateRawSync } from 'node:zlib';
import { bgunzip, readFixture, volume } from '@htskit/testing';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createWasmDeflater } from '../../../src/engines/wasm/deflater.js';
import { joinBytes } from '../../build-block.js';
import { noise } from '../../noise.js';
import { blocks } from './deflater-data.js';

const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const BLOCK = 65280;
const deflater = createWasmDeflater();

/** Deflates data, checks that it inflates to the same, and returns the deflated size, or that of stored data. */
function checkedSize(data: Uint8Array, level: number): number {
  const deflated = deflater.deflateRaw(data, level);
  if (deflated === undefined) return data.length + 5;
  if (Buffer.compare(inflateRawSync(deflated), data) !== 0) throw new Error(`level ${level} does not round-trip`);
  return deflated.length;
}

function deflatedSize(data: Uint8Array, level: number): number {
  let size = 0;
  for (let at = 0; at < data.length; at += BLOCK) size += checkedSize(data.subarray(at, at + BLOCK), level);
  return size;
}

describe.each(Object.entries(blocks))('%s', (_name, data) => {
  test.each(LEVELS)('round-trips at level %i', (level) => {
    expect(checkedSize(data, level)).toBeLessThanOrEqual(data.length + 5);
  });
});

describe('sizes', () => {
  const mixed = joinBytes([
    new Uint8Array(200),
    noise(300),
    new Uint8Array(64000).map((_, index) => index % 7),
    noise(2000),
  ]);

  test.each(LEVELS)('every size up to 300 and near the largest sizes round-trips at level %i', (level) => {
    for (let size = 0; size <= 300; size += 1) {
      expect(checkedSize(mixed.subarray(0, size), level)).toBeLessThanOrEqual(size + 5);
      expect(checkedSize(mixed.subarray(150, 150 + size), level)).toBeLessThanOrEqual(size + 5);
    }
    for (const largest of [BLOCK, 65536]) {
      for (let size = largest - 20; size <= Math.min(largest + 20, 65536); size += 1)
        expect(checkedSize(mixed.subarray(0, size), level)).toBeLessThanOrEqual(size + 5);
    }
  });

  test.each(LEVELS)('noise is left to be stored at level %i', (level) => {
    for (const size of [1000, BLOCK, 65535, 65536]) {
      expect(deflater.deflateRaw(noise(size), level)).toBeUndefined();
    }
  });

  test('a single repeated byte takes less than 100 bytes', () => {
    for (const level of LEVELS) expect(checkedSize(new Uint8Array(BLOCK), level)).toBeLessThan(100);
  });

  test('a match reaches back at most 32768 bytes (RFC 1951 §3.2.5)', () => {
    const near = joinBytes([noise(32768), noise(32768)]);
    const far = joinBytes([noise(32769).subarray(1), noise(1), noise(32769).subarray(1, 32768)]);
    for (const level of LEVELS) {
      expect(checkedSize(near, level)).toBeLessThan(33500);
      expect(deflater.deflateRaw(far, level)).toBeUndefined();
    }
  });

  test('parts with different statistics get their own codes', () => {
    const digits = noise(30000).map((byte) => 48 + (byte % 10));
    const others = noise(30000).map((byte) => 148 + (byte % 10));
    const apart = checkedSize(digits, 6) + checkedSize(others, 6);
    expect(checkedSize(joinBytes([digits, others]), 6)).toBeLessThan(1.08 * apart);
  });
});

describe('properties', () => {
  const level = fc.integer({ min: 1, max: 9 });

  test('any bytes round-trip', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3000, size: 'max' }), level, (data, at) => {
        expect(checkedSize(data, at)).toBeLessThanOrEqual(data.length + 5);
      }),
    );
  });

  test('any pieces, repeated in any order, round-trip', () => {
    const piece = fc.uint8Array({ minLength: 1, maxLength: 400, size: 'max' });
    const pieces = fc.array(piece, { minLength: 1, maxLength: 12 });
    const order = fc.array(fc.nat({ max: 11 }), { maxLength: 200, size: 'max' });
    fc.assert(
      fc.property(pieces, order, level, (parts, indexes, at) => {
        const data = joinBytes(indexes.map((index) => parts[index % parts.length] ?? new Uint8Array(0)));
        expect(checkedSize(data.subarray(0, 65536), at)).toBeLessThanOrEqual(data.length + 5);
      }),
    );
  });

  test('byte values of any frequencies round-trip', () => {
    const exponents = fc.array(fc.nat({ max: 15 }), { minLength: 2, maxLength: 256, size: 'max' });
    const random = noise(80000);
    fc.assert(
      fc.property(exponents, level, (halvings, at) => {
        const values = halvings.flatMap((halving, value) => Array<number>(2 ** (15 - halving)).fill(value));
        const data = Uint8Array.from({ length: 40000 }, (_, index) => {
          const pick = (random[2 * index] ?? 0) * 256 + (random[2 * index + 1] ?? 0);
          return values[Math.floor((pick / 65536) * values.length)] ?? 0;
        });
        expect(checkedSize(data, at)).toBeLessThanOrEqual(data.length + 5);
      }),
      { numRuns: volume(50) },
    );
  });

  test('the result does not depend on earlier calls', () => {
    const all = Object.values(blocks);
    const data = fc.constantFrom(...all);
    fc.assert(
      fc.property(data, data, fc.nat({ max: 70000 }), level, level, (one, other, size, first, second) => {
        deflater.deflateRaw(one, first);
        const after = deflater.deflateRaw(other.subarray(0, size), second)?.slice();
        expect(after).toEqual(createWasmDeflater().deflateRaw(other.subarray(0, size), second));
      }),
      { numRuns: volume(40) },
    );
  });
});

describe('levels', () => {
  test.each(['reads.bam', 'variants.vcf.gz', 'variants.bcf', 'genome.fa.gz'])(
    '%s gets smaller with each level',
    (name) => {
      const data = bgunzip(readFixture(name));
      const sizes = LEVELS.map((level) => deflatedSize(data, level));
      // Neighbours may be within half a percent: FASTA leaves little room for improvement.
      for (const [index, size] of sizes.slice(1).entries()) expect(size).toBeLessThan(1.005 * (sizes[index] ?? 0));
      expect(sizes[5]).toBeLessThan(sizes[0] ?? 0);
      expect(sizes[8]).toBeLessThan(sizes[5] ?? 0);
    },
  );

  test.each([0, 10, 1.5, Number.NaN])('rejects level %d', (level) => {
    expect(() => deflater.deflateRaw(new Uint8Array(3), level)).toThrow(RangeError);
  });

  test('rejects more than 65536 bytes', () => {
    expect(() => deflater.deflateRaw(new Uint8Array(65537), 6)).toThrow(RangeError);
  });
});
