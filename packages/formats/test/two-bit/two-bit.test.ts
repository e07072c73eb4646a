import { createRandom, encodeTwoBit, mutations, type TwoBitInput, volume } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { FormatError } from '../../src/index.js';
import { parseTwoBitHeader, parseTwoBitIndex, unpackTwoBit } from '../../src/internal.js';
import { parseTwoBit, readBases, SMALL } from './build-two-bit.js';

function randomBases(length: number, random: () => number): string {
  let text = '';
  while (text.length < length) {
    const run = 1 + Math.floor(random() * 40);
    const kind = random();
    const letters = Array.from({ length: run }, () => 'ACGT'.charAt(Math.floor(random() * 4))).join('');
    text += kind < 0.2 ? 'N'.repeat(run) : kind < 0.3 ? 'n'.repeat(run) : kind < 0.5 ? letters.toLowerCase() : letters;
  }
  return text.slice(0, length);
}

const random = createRandom(5);
const inputs: readonly TwoBitInput[] = [0, 1, 2, 3, 4, 5, 100, 1001].map((length) => ({
  name: `seq${length}`,
  bases: randomBases(length, random),
}));

const errorOf = (call: () => unknown): unknown => {
  try {
    return call();
  } catch (error) {
    return error;
  }
};

/** Returns a copy with a 32-bit number at `at`. */
function withNumber(bytes: Uint8Array, at: number, value: number): Uint8Array {
  const copy = bytes.slice();
  new DataView(copy.buffer).setUint32(at, value, true);
  return copy;
}

test('parses a file of annotated bytes', () => {
  const [sequence, ...others] = parseTwoBit(SMALL);
  expect(others).toEqual([]);
  expect(sequence?.name).toBe('s');
  expect(sequence?.record).toEqual({
    length: 4,
    unknownStarts: new Uint32Array(0),
    unknownEnds: new Uint32Array(0),
    packedOffset: 46,
  });
  expect(sequence && readBases(SMALL, sequence.record)).toBe('ACGT');
  expect(encodeTwoBit([{ name: 's', bases: 'acGT' }])).toEqual(SMALL);
});

describe.each([
  { isLittleEndian: true, version: 0 },
  { isLittleEndian: false, version: 0 },
  { isLittleEndian: true, version: 1 },
  { isLittleEndian: false, version: 1 },
] as const)('with %o', (options) => {
  const bytes = encodeTwoBit(inputs, options);
  const sequences = parseTwoBit(bytes);

  test('reads back the names and the bases in upper case', () => {
    expect(parseTwoBitHeader(bytes)).toEqual({ ...options, sequenceCount: inputs.length });
    const read = sequences.map(({ name, record }) => ({ name, bases: readBases(bytes, record) }));
    expect(read).toEqual(inputs.map(({ name, bases }) => ({ name, bases: bases.toUpperCase() })));
  });

  test('reads every interval of each sequence', () => {
    for (const [index, { record }] of sequences.slice(0, 7).entries()) {
      const whole = inputs[index]?.bases.toUpperCase();
      for (let start = 0; start <= record.length; start++) {
        for (let end = start; end <= record.length; end++) {
          expect(readBases(bytes, record, start, end)).toBe(whole?.slice(start, end));
        }
      }
    }
  });
});

test.each([
  ['another signature', withNumber(SMALL, 0, 0x1a412744), 'INVALID_MAGIC', 0],
  ['another version', withNumber(SMALL, 4, 2), 'UNSUPPORTED', 4],
  ['an incomplete header', SMALL.subarray(0, 15), 'TRUNCATED', 15],
  ['more sequences than there are bytes', withNumber(SMALL, 8, 0xffffffff), 'TRUNCATED', 47],
  ['an incomplete name', SMALL.with(16, 255), 'TRUNCATED', 47],
  ['an empty name', SMALL.with(16, 0), 'INVALID_DATA', 16],
  ['a record after the end', withNumber(SMALL, 18, 100), 'TRUNCATED', 100],
  ['a record at the end', withNumber(SMALL, 18, 46), 'TRUNCATED', 47],
  ['more bases than there are bytes', withNumber(SMALL, 22, 5), 'TRUNCATED', 47],
  ['more runs of N than there are bytes', withNumber(SMALL, 26, 0xffffffff), 'TRUNCATED', 47],
  ['more runs of lower case than there are bytes', withNumber(SMALL, 30, 0xffffffff), 'TRUNCATED', 47],
])('rejects %s and reports its offset', (_, bytes, code, offset) => {
  const error = errorOf(() => parseTwoBit(bytes));
  expect(error).toBeInstanceOf(FormatError);
  expect(error).toMatchObject({ code, offset });
});

test.each([
  ['leave the sequence', 29, 4, 6, 1],
  ['overlap', 25, 3, 4, 2],
  ['are out of order', 25, 5, 2, 2],
  ['are of no bases', 25, 2, 4, 0],
])('rejects runs of N that %s', (_, __, firstStart, secondStart, length) => {
  // Two runs of N, with starts at 30 and 34 and lengths at 38 and 42.
  const valid = encodeTwoBit([{ name: 's', bases: 'NACGNA' }]);
  const bytes = withNumber(withNumber(valid, 30, firstStart), 34, secondStart);
  const damaged = withNumber(withNumber(bytes, 38, length), 42, length);
  expect(parseTwoBit(valid)[0]?.record).toMatchObject({ unknownStarts: Uint32Array.of(0, 4) });
  expect(errorOf(() => parseTwoBit(damaged))).toMatchObject({ code: 'INVALID_DATA' });
});

test('rejects a repeated name', () => {
  const bytes = encodeTwoBit([
    { name: 'a', bases: 'A' },
    { name: 'a', bases: 'C' },
  ]);
  expect(errorOf(() => parseTwoBit(bytes))).toMatchObject({ code: 'INVALID_DATA', offset: 22 });
});

test('rejects an offset over 2^53 - 1', () => {
  const bytes = encodeTwoBit([{ name: 'a', bases: 'A' }], { version: 1 });
  const header = parseTwoBitHeader(bytes);
  for (const [high, message] of [
    [0x1fffff, undefined],
    [0x200000, /2\^53/],
  ] as const) {
    const index = withNumber(bytes, 22, high).subarray(16);
    expect(errorOf(() => parseTwoBitIndex(index, header))).toMatchObject(
      message === undefined ? [{ name: 'a', offset: 0x1fffff * 2 ** 32 + 26 }] : { code: 'INVALID_DATA' },
    );
  }
});

test('unpackTwoBit rejects another number of bytes than that of twoBitByteRange', () => {
  const [sequence] = parseTwoBit(SMALL);
  const record = sequence?.record ?? {
    length: 0,
    unknownStarts: new Uint32Array(),
    unknownEnds: new Uint32Array(),
    packedOffset: 0,
  };
  expect(() => unpackTwoBit(new Uint8Array(0), record, { start: 0, end: 1 })).toThrow(RangeError);
  expect(() => unpackTwoBit(new Uint8Array(2), record, { start: 0, end: 1 })).toThrow(RangeError);
});

/** Reads a whole file. Throws errors of other types than FormatError, and if the bases do not match the record. */
function outcomeOf(bytes: Uint8Array): 'refused' | 'read' {
  try {
    for (const { record } of parseTwoBit(bytes)) {
      const bases = readBases(bytes, record);
      if (bases.length !== record.length || !/^[ACGTN]*$/.test(bases)) throw new Error('other bases');
    }
    return 'read';
  } catch (error) {
    if (error instanceof FormatError) return 'refused';
    throw error;
  }
}

test('reads or rejects every damaged file', () => {
  const outcomes = ([0, 1] as const).flatMap((version) => {
    const damaged = mutations(encodeTwoBit(inputs, { version }), { seed: 3, count: volume(1500) });
    return Array.from(damaged, ({ bytes }) => outcomeOf(bytes));
  });
  for (const outcome of ['refused', 'read']) {
    expect(outcomes.filter((other) => other === outcome).length).toBeGreaterThan(volume(500));
  }
});
