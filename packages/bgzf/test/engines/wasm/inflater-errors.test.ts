import { constants, crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { mutations, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { BgzfError } from '../../../src/bgzf-error.js';
import { jsInflateEngine } from '../../../src/engines/js/js-inflater.js';
import { createWasmInflater } from '../../../src/engines/wasm/inflater.js';
import { joinBytes } from '../../build-block.js';
import { letters, noise } from '../../noise.js';
import { BitWriter, d, type Lengths } from './inflater-bits.js';

const inflater = createWasmInflater();
const inflaters = [inflater, jsInflateEngine.createInflater()];

/** Summarises an outcome, which both inflaters share: the code of the error, or the CRC32 of the data and the bytes written and read. */
function outcome(data: Uint8Array, size: number): string {
  const [first, second] = inflaters.map((tested) => {
    try {
      const { bytes, consumed } = tested.inflateRaw(data, { size, coffset: 42 });
      return `${bytes.length} bytes ${crc32(bytes)} of ${consumed}`;
    } catch (thrown) {
      if (thrown instanceof BgzfError) return `${thrown.code} at ${thrown.offset}`;
      throw thrown;
    }
  });
  expect(second).toBe(first);
  return first ?? '';
}

/** Summarises the outcome with node:zlib in the same form. */
function zlibOutcome(data: Uint8Array, size: number): string {
  try {
    // The type declarations omit `info`. A chunk of more than `size` bytes reveals data that is too long.
    const options = { chunkSize: size + 1, maxOutputLength: size, info: true };
    const { buffer, engine } = inflateRawSync(data, options) as unknown as ZlibResult;
    return `${buffer.length} bytes ${crc32(buffer)} of ${engine.bytesWritten}`;
  } catch (thrown) {
    const isTooLong = thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_BUFFER_TOO_LARGE';
    return isTooLong ? 'SIZE_MISMATCH at 42' : 'INVALID_DATA at 42';
  }
}

interface ZlibResult {
  readonly buffer: Uint8Array;
  readonly engine: { readonly bytesWritten: number };
}

const ab = { 97: 2, 98: 2, 256: 2, 257: 2 };
const ones = { 0: 1, 1: 1 };
const writer = () => new BitWriter();

const invalidData: [string, BitWriter][] = [
  ['no data', writer()],
  ['a reserved type of block', writer().bits(7, 3).bytes([0, 0, 0])],
  ['a stored block whose LEN and NLEN disagree', writer().bits(1, 3).bytes([4, 0, 0xfb, 0xfe, 1, 2, 3, 4])],
  ['a stored block that is longer than the data', writer().bits(1, 3).bytes([4, 0, 0xfb, 0xff, 1, 2, 3])],
  ['a stored block without NLEN', writer().bits(1, 3).bytes([0, 0, 0xff])],
  ['no block after a block that is not final', writer().stored([1, 2, 3], false)],
  ['the literal/length symbol 286', writer().fixed([97, 286, d(0), 256])],
  ['the literal/length symbol 287', writer().fixed([97, 287, d(0), 256])],
  ['the distance symbol 30', writer().fixed([97, 257, d(30), 256])],
  ['the distance symbol 31', writer().fixed([97, 257, d(31), 256])],
  ['a distance of 1 at the start', writer().fixed([257, d(0), 256])],
  ['a distance of 4 after 3 bytes', writer().fixed([97, 97, 97, 257, d(3), 256])],
  ['no end of the block', writer().fixed([97, 98, 97, 98, 97, 98])],
  ['a code without an end of block', writer().dynamic({ litlen: { 97: 1, 98: 1 }, symbols: [97] })],
  ['287 literal/length codes', writer().dynamic({ litlen: ab, litlenCount: 287, symbols: [256] })],
  ['288 literal/length codes', writer().dynamic({ litlen: ab, litlenCount: 288, symbols: [256] })],
  ['31 distance codes', writer().dynamic({ litlen: ab, distance: ones, distanceCount: 31, symbols: [256] })],
  ['32 distance codes', writer().dynamic({ litlen: ab, distance: ones, distanceCount: 32, symbols: [256] })],
  ['over-subscribed literals', writer().dynamic({ litlen: { ...ab, 99: 15 }, symbols: [256] })],
  ['incomplete literals', writer().dynamic({ litlen: { 97: 2, 98: 2, 256: 2 }, symbols: [97, 256] })],
  ['a single literal/length code of two bits', writer().dynamic({ litlen: { 256: 2 }, symbols: [256] })],
  ['over-subscribed distances', writer().dynamic({ litlen: ab, distance: { ...ones, 2: 1 }, symbols: [256] })],
  ['incomplete distances', writer().dynamic({ litlen: ab, distance: { 0: 2, 1: 2, 2: 2 }, symbols: [256] })],
  ['a single distance code of two bits', writer().dynamic({ litlen: ab, distance: { 0: 2 }, symbols: [256] })],
  [
    'the unassigned one of two distance codes',
    writer().dynamic({ litlen: ab, distance: { 0: 1 }, symbols: [97, 257, [1, 1], 256] }),
  ],
  ['the unassigned one of two literals', writer().dynamic({ litlen: { 256: 1 }, symbols: [[1, 1], 256] })],
  ['a distance in a block without distance codes', writer().dynamic({ litlen: ab, symbols: [97, 257, [0, 1], 256] })],
  ['an empty code of the code lengths', writer().bits(5, 3).bits(0, 14).bits(0, 57).bits(0, 300)],
  ...codeLengths(),
];

function codeLengths(): [string, BitWriter][] {
  const precode = { 0: 2, 2: 2, 16: 2, 18: 2 };
  const block = (codes: readonly (number | readonly [number, number])[], code: Lengths = precode) =>
    writer().dynamic({ litlen: ab, precode: code, codeLengths: codes, symbols: [256] });
  return [
    ['a repeat before any code length', block([16, [0, 2], 18, [127, 7], 18, [127, 7], 2])],
    ['a repeat past the last code length', block([18, [127, 7], 18, [107, 7], 2, 2, 2, 16, [0, 2]])],
    ['zeros past the last code length', block([18, [127, 7], 18, [107, 7], 2, 2, 2, 18, [0, 7]])],
    ['over-subscribed code lengths', block([0], { 0: 1, 2: 1, 16: 1 })],
    ['incomplete code lengths', block([0, 0, 2, 2], { 0: 2, 2: 2, 16: 2 })],
    ['a single code length of one bit', block([0, 0], { 0: 1 })],
  ];
}

describe('corrupt data', () => {
  test.each(invalidData)('%s is INVALID_DATA', (_, written) => {
    const data = written.toBytes();
    expect(outcome(data, 65536)).toBe('INVALID_DATA at 42');
    expect(zlibOutcome(data, 65536)).toBe('INVALID_DATA at 42');
    expect(() => inflater.inflatePrefix(data, { size: 65536, coffset: 42 })).toThrow(BgzfError);
  });
});

test('every proper prefix of DEFLATE data is INVALID_DATA', () => {
  for (const options of [{ level: 0 }, { level: 1 }, { level: 9 }, { strategy: constants.Z_FIXED }]) {
    const deflated = deflateRawSync(joinBytes([letters(300), letters(200)]), options);
    for (let length = 0; length < deflated.length; length += 1) {
      expect(outcome(deflated.subarray(0, length), 500), `${length}`).toBe('INVALID_DATA at 42');
    }
  }
});

describe('agrees with node:zlib on', () => {
  const subjects: [string, Uint8Array, object][] = [
    ['letters', letters(3000), {}],
    ['noise', noise(700), {}],
    ['noise, stored', noise(700), { level: 0 }],
    ['repeats', joinBytes([letters(500), letters(400), noise(20), letters(600)]), { level: 9 }],
    ['fixed codes', joinBytes([letters(200), letters(300)]), { strategy: constants.Z_FIXED }],
    ['many blocks', joinBytes([letters(2000), letters(1000)]), { memLevel: 1 }],
  ];

  test.each(subjects)('mutated data: %s', (_, data, options) => {
    // The slice of a Buffer would be a view, and mutations would accumulate.
    const deflated = new Uint8Array(deflateRawSync(data, options));
    let read = 0;
    for (const { bytes, description } of mutations(deflated, { seed: 1, count: volume(3000) })) {
      for (const size of [data.length, 2 * data.length]) {
        const found = outcome(bytes, size);
        expect(found, description).toBe(zlibOutcome(bytes, size));
        if (found.includes('bytes')) read += 1;
      }
    }
    expect(read).toBeGreaterThan(volume(200));
  });

  test('random codes, and random bits in them', () => {
    const draw = createDraw();
    // Preceded by as much output as a distance can reach back.
    const before = new BitWriter().stored([...noise(32768)], false).toBytes();
    let read = 0;
    for (let round = 0; round < volume(4000); round += 1) {
      const litlen = randomCode(draw, 286, [256, 97, 270]);
      const distance = randomCode(draw, 30, [0]);
      const written = new BitWriter().dynamic({ litlen, distance, symbols: [] });
      for (let bits = draw(1500); bits > 0; bits -= 1) written.bits(draw(2), 1);
      const data = joinBytes([before, written.toBytes()]);
      const found = outcome(data, 65536);
      expect(found, `round ${round}`).toBe(zlibOutcome(data, 65536));
      if (found.includes('bytes')) read += 1;
    }
    expect(read).toBeGreaterThan(volume(300));
  });
});

/** Draws the same pseudo-random numbers below a limit each time (xorshift32, Marsaglia 2003). */
function createDraw(): (limit: number) => number {
  let state = 2463534242;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
}

/** Returns a complete code of up to 15 bits that includes `symbols`; sometimes one length is added, missing or changed. */
function randomCode(draw: (limit: number) => number, limit: number, symbols: readonly number[]): Lengths {
  const lengths = [2, 2, 2, 2];
  for (let splits = draw(draw(2) === 0 ? 20 : limit - 4); splits > 0; splits -= 1) {
    const at = draw(4) === 0 ? lengths.length - 1 : draw(lengths.length);
    const length = lengths[at] ?? 15;
    if (length < 15) lengths.splice(at, 1, length + 1, length + 1);
  }
  if (draw(10) === 0) lengths[draw(lengths.length)] = draw(16);
  const code: Record<number, number> = {};
  for (const length of lengths) {
    const symbol = symbols.find((candidate) => code[candidate] === undefined) ?? draw(limit);
    code[symbol] ??= length;
  }
  // Symbols that were drawn twice leave the code incomplete: the first free symbols take their lengths.
  let free = 0;
  for (const length of lengths.slice(Object.keys(code).length)) {
    while (code[free] !== undefined) free += 1;
    if (free < limit) code[free] = length;
  }
  return code;
}
