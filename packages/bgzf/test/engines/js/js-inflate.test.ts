import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import { excessGrowth } from '@htskit/testing';
import { expect, test } from 'vitest';
import { INCOMPLETE, inflate } from '../../../src/engines/js/js-inflate.js';
import { joinBytes } from '../../build-block.js';
import { letters } from '../../noise.js';
import { BitWriter, d, type Lengths } from '../wasm/inflater-bits.js';

/** Lengths of 1 to 15 bits, and 15 again: those of a complete code. */
const everyLength = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15];
const codeOf = (symbols: readonly number[]): Lengths =>
  Object.fromEntries(symbols.map((symbol, index) => [symbol, everyLength[index] ?? 0]));

const empty = {
  fixed: (writer: BitWriter) => writer.fixed([256], false),
  dynamic: (writer: BitWriter) =>
    writer.dynamic({
      isFinal: false,
      litlen: codeOf([...Array(15).keys(), 256]),
      distance: codeOf([...Array(16).keys()]),
      precode: { 18: 1, ...Object.fromEntries(Array.from({ length: 16 }, (_, length) => [length, 5])) },
      codeLengths: [...everyLength.slice(0, 15), 18, [127, 7], 18, [92, 7], 15, ...everyLength],
      symbols: [256],
    }),
};

test.each([
  ['fixed', 5000],
  ['dynamic', 250],
] as const)('the cost of empty %s blocks is that of their bytes', (kind, count) => {
  const writer = new BitWriter();
  for (let block = 0; block < 8; block += 1) empty[kind](writer);
  const eightBlocks = writer.toBytes();
  const factor = 50;
  const excess = excessGrowth(
    (groups) =>
      joinBytes([
        ...new Array<Uint8Array>(groups).fill(eightBlocks),
        deflateRawSync(letters((count - groups) * 2 * eightBlocks.length), { strategy: constants.Z_HUFFMAN_ONLY }),
      ]),
    (data) => {
      const output = { bytes: new Uint8Array(0), length: 0, limit: 2 ** 20 };
      expect(inflate(data, output)).toBe(data.length);
    },
    { size: count / factor, factor },
  );
  expect(excess).toBeLessThan(0.3);
});

test('inflates a block of 3 MB, whose literals, lengths and distances begin at any bit', () => {
  const symbols = Array.from({ length: 8 }, (_, index) => [200 + index, 257, d(0)]).flat();
  // What 8 literals and 8 matches take is 21 bytes, which repeat.
  const block = new BitWriter().fixed([...symbols, ...symbols, 256]).toBytes();
  const repeated = block.subarray(21, 42);
  const data = joinBytes([block.subarray(0, 21), ...new Array<Uint8Array>(150_000).fill(repeated), block.subarray(42)]);
  const output = { bytes: new Uint8Array(0), length: 0, limit: 2 ** 24 };
  expect(inflate(data, output)).toBe(data.length);
  expect(Buffer.compare(output.bytes.subarray(0, output.length), inflateRawSync(data))).toBe(0);
  expect(inflate(data.subarray(0, -1), { bytes: new Uint8Array(0), length: 0, limit: 2 ** 24 })).toBe(INCOMPLETE);
});
