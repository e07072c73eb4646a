import { describe, expect, test } from 'vitest';
import { BasePacker, isPackable, packedLength, unpackBases } from '../../../src/store/object/packed-bases.js';
import { randomBases, toBytes, toText } from '../random-bases.js';

function pack(pieces: readonly string[]): Uint8Array {
  const packer = new BasePacker();
  const packed = pieces.map((piece) => packer.push(toBytes(piece)));
  return Uint8Array.from([...packed, packer.finish()].flatMap((bytes) => [...bytes]));
}

function wordOf(letters: string): number {
  return new DataView(toBytes(letters).buffer).getInt32(0, true);
}

describe('two bits per base', () => {
  test('code A, C, T and G as 0 to 3, from the highest bits of a byte', () => {
    expect(pack(['ACTG'])).toEqual(Uint8Array.of(0b00_01_10_11));
    expect(pack(['GGGGT'])).toEqual(Uint8Array.of(0b11_11_11_11, 0b10_00_00_00));
    const packed = Uint8Array.of(0b00_01_10_11, 0b11_00_01_10);
    expect(toText(unpackBases(packed, { start: 0, end: 8 }))).toBe('ACTGGACT');
    expect(toText(unpackBases(packed, { start: 5, end: 11 }))).toBe('CTGGAC');
  });

  test.each(Array.from({ length: 14 }, (_, length) => length))(
    '%i bases come back, whatever their pieces',
    (length) => {
      const bases = randomBases(length, { seed: length, alphabet: 'ACGT' });
      for (let first = 0; first <= length; first++) {
        for (let second = first; second <= length; second++) {
          const packed = pack([bases.slice(0, first), bases.slice(first, second), bases.slice(second)]);
          expect(packed).toHaveLength(packedLength(length));
          expect(toText(unpackBases(packed, { start: 0, end: length }))).toBe(bases);
          expect(packed).toEqual(pack([bases]));
        }
      }
    },
  );

  test('are packed from a view of a larger buffer', () => {
    const packer = new BasePacker();
    expect(packer.push(toBytes('GGGACTGACC').subarray(3, 9))).toEqual(Uint8Array.of(0b00_01_10_11));
    expect(packer.finish()).toEqual(Uint8Array.of(0b00_01_00_00));
  });

  test('can pack four letters only if they are A, C, G or T', () => {
    const letters = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte)).filter((at) =>
      /[A-Z]/.test(at),
    );
    const packable = letters.flatMap((letter) =>
      [0, 1, 2, 3]
        .map((at) => `${'A'.repeat(at)}${letter}${'G'.repeat(3 - at)}`)
        .filter((four) => isPackable(wordOf(four))),
    );
    expect(packable).toHaveLength(16);
    expect(new Set(packable.join(''))).toEqual(new Set('ACGT'));
  });
});
