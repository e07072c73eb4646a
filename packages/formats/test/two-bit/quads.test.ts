import * as fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { createQuads, packedPart, unpackQuads, unpackWords } from '../../src/two-bit/quads.js';
import { quadUnpacker } from '../../src/two-bit/wasm/quad-unpacker.js';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

const QUADS = createQuads('TCAG');

function unpackInJavaScript(packed: Uint8Array): Uint8Array {
  const words = new Uint32Array(packed.length);
  unpackWords(packed, QUADS, words);
  return new Uint8Array(words.buffer);
}

test('WebAssembly and JavaScript unpack each byte to the same letters', () => {
  expect(quadUnpacker).toBeDefined();
  const packed = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const letters = unpackInJavaScript(packed);
  expect(Buffer.from(letters.subarray(4 * 27, 4 * 28)).toString()).toBe('TCAG');
  expect(unpackQuads(packed, QUADS, { start: 0, end: 1024 })).toEqual(letters);
});

test.each([0, 1, 15, 16, 17, 16_383, 16_384, 16_385, 50_000])(
  'unpacks %i bytes, around the length of a piece',
  (length) => {
    const packed = Uint8Array.from({ length }, (_, at) => (at * 37) >> 3);
    const found = unpackQuads(packed, QUADS, { start: 0, end: 4 * length });
    expect(Buffer.compare(found, unpackInJavaScript(packed))).toBe(0);
  },
);

test('unpacks without WebAssembly', async () => {
  vi.stubGlobal('WebAssembly', undefined);
  vi.resetModules();
  const quads = await import('../../src/two-bit/quads.js');
  const letters = quads.unpackQuads(Uint8Array.of(0b00_01_10_11, 0b11_00_01_10), QUADS, { start: 1, end: 8 });
  expect(Buffer.from(letters).toString()).toBe('CAGGTCA');
});

test('unpacks in place from the end of the memory for the letters', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(3), fc.nat(12), (packed, offset, room) => {
      const into = new Uint8Array(offset + 4 * packed.length + room).subarray(offset);
      const part = packedPart(into, packed.length) ?? into;
      part.set(packed);
      const letters = unpackQuads(part, QUADS, { start: 0, end: 4 * packed.length, into });
      expect(letters).toEqual(unpackInJavaScript(packed));
      expect(letters.buffer === into.buffer || room < 3).toBe(true);
    }),
  );
});
