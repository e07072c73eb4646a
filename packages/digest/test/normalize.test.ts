import { peek } from '@htskit/io';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createPieceNormalizer,
  createWasmPieceNormalizer,
  type NormalizedPiece,
  normalizeInPlace,
  normalizeInto,
  normalizeSequence,
  PIECE_LENGTH,
} from '../src/normalize.js';
import type { SequenceCharacters } from '../src/omitted-characters.js';
import { requireInstance } from './hash-engines.js';

const ascii = (text: string) => new TextEncoder().encode(text);

/** The definition, one byte at a time. */
function normalizeByDefinition(bytes: Uint8Array, characters: SequenceCharacters): Uint8Array {
  const kept = characters === 'sam' ? /[!-~]/ : /[A-Za-z]/;
  const text = [...bytes].map((byte) => String.fromCharCode(byte)).filter((character) => kept.test(character));
  return Uint8Array.from(text, (character) => character.toUpperCase().charCodeAt(0));
}

/** Returns the bases and whether characters other than white space were dropped, by definition. */
function pieceByDefinition(bytes: Uint8Array, characters: SequenceCharacters): NormalizedPiece {
  const dropped = characters === 'sam' ? /[^!-~\s]|\u00a0|\ufeff/ : /[^A-Za-z\s]|\u00a0|\ufeff/;
  const hasOmitted = [...bytes].some((byte) => dropped.test(String.fromCharCode(byte)));
  return { bases: normalizeByDefinition(bytes, characters), hasOmitted };
}

const anyCharacters = fc.constantFrom<SequenceCharacters>('letters', 'sam');

const mostlyLetters = fc.oneof(
  { arbitrary: fc.constantFrom(...ascii('ACGTNacgtn')), weight: 9 },
  { arbitrary: fc.constantFrom(...ascii('\n\r*@[`{')), weight: 1 },
  { arbitrary: fc.integer({ min: 0, max: 255 }), weight: 1 },
);

test('drops line breaks, spaces, digits and asterisks, and converts letters to upper case', () => {
  expect(normalizeSequence(ascii('acGT\r\nNnRy 12\tK*-\n'))).toEqual(ascii('ACGTNNRYK'));
});

test('keeps all printable characters on request, and drops all other bytes', () => {
  expect(normalizeSequence(ascii('mkV*\r\n12*-{\u007f\n'), { characters: 'sam' })).toEqual(ascii('MKV*12*-{'));
});

test('an empty sequence stays empty', () => {
  expect(normalizeSequence(new Uint8Array(0))).toHaveLength(0);
});

test('normalises any bytes at any alignment according to the definition', () => {
  fc.assert(
    fc.property(fc.array(mostlyLetters, { maxLength: 200 }), fc.nat(7), anyCharacters, (values, offset, characters) => {
      const bytes = new Uint8Array([...new Array<number>(offset).fill(0), ...values]).subarray(offset);
      expect(normalizeSequence(bytes, { characters })).toEqual(normalizeByDefinition(bytes, characters));
    }),
  );
});

test('does not modify the source', () => {
  const source = ascii('acg t');
  normalizeSequence(source);
  expect(source).toEqual(ascii('acg t'));
});

test('normalises in place to a view of the start of the bytes', () => {
  const bytes = ascii('\nac\ngt');
  const bases = normalizeInPlace(bytes, 'letters');
  expect(bases).toEqual(ascii('ACGT'));
  expect(bases.buffer).toBe(bytes.buffer);
});

test('a result does not change when another sequence is normalised', () => {
  const first = normalizeSequence(ascii('acgt'));
  normalizeSequence(ascii('nnnn'));
  expect(first).toEqual(ascii('ACGT'));
});

test.each([PIECE_LENGTH - 1, PIECE_LENGTH, PIECE_LENGTH + 1, 3 * PIECE_LENGTH + 5])(
  'normalises %i bytes, around the length of a piece',
  (length) => {
    const bytes = Uint8Array.from({ length }, (_, index) => (index % 61 === 60 ? 0x0a : 0x61 + (index % 26)));
    const expected = normalizeByDefinition(bytes, 'letters');
    expect(Buffer.compare(normalizeSequence(bytes), expected)).toBe(0);
    expect(Buffer.compare(normalizeInPlace(bytes, 'letters'), expected)).toBe(0);
  },
);

describe.each([
  ['JavaScript', createPieceNormalizer()],
  ['WebAssembly', createWasmPieceNormalizer(requireInstance())],
])('%s', (_, normalizePiece) => {
  test.each(['letters', 'sam'] as const)(
    'each of the 256 bytes is kept or dropped at each of 70 positions; characters: %s',
    (characters) => {
      const letters = ascii('ACGTNacgtn'.repeat(7));
      const wrong: string[] = [];
      for (let value = 0; value < 256; value++) {
        for (let place = 0; place < letters.length; place++) {
          const bytes = letters.with(place, value);
          const { bases, hasOmitted } = normalizePiece(bytes, characters);
          const expected = pieceByDefinition(bytes, characters);
          const isEqual = Buffer.compare(peek(bases), peek(expected.bases)) === 0 && hasOmitted === expected.hasOmitted;
          if (!isEqual) wrong.push(`byte ${value} at ${place}`);
        }
      }
      expect(wrong).toEqual([]);
    },
  );

  test.each(['letters', 'sam'] as const)(
    'each length up to 130 of letters, line breaks or both; characters: %s',
    (characters) => {
      for (const pattern of ['a', '\n', 'a\n', 'aaa\r\n', '*', 'a*', `${'c'.repeat(60)}\n`]) {
        for (let length = 0; length <= 130; length++) {
          const bytes = ascii(pattern.repeat(length).slice(0, length));
          expect(normalizePiece(bytes, characters)).toEqual(pieceByDefinition(bytes, characters));
        }
      }
    },
  );

  test('normalises lines of one length, with some bytes replaced, according to the definition', () => {
    const edits = fc.array(fc.tuple(fc.nat(), fc.oneof(mostlyLetters, fc.constant(0x0a))), { maxLength: 6 });
    fc.assert(
      fc.property(fc.nat(100), fc.nat(900), edits, anyCharacters, (lineBases, length, replaced, characters) => {
        const bytes = Uint8Array.from({ length }, (_, at) =>
          at % (lineBases + 1) === lineBases ? 0x0a : 0x61 + (at % 26),
        );
        for (const [at, byte] of replaced) bytes[at % Math.max(1, length)] = byte;
        expect(normalizePiece(bytes, characters)).toEqual(pieceByDefinition(bytes, characters));
      }),
      { numRuns: 500 },
    );
  });

  test('normalises any bytes according to the definition', () => {
    fc.assert(
      fc.property(fc.array(mostlyLetters, { maxLength: 300 }), anyCharacters, (values, characters) => {
        const bytes = Uint8Array.from(values);
        expect(normalizePiece(bytes, characters)).toEqual(pieceByDefinition(bytes, characters));
      }),
      { numRuns: 500 },
    );
  });

  test.each(['A', '\n', '*', 'a\n'])(
    'a full piece of %j stays within its memory and does not affect the next',
    (unit) => {
      const bytes = ascii(unit.repeat(PIECE_LENGTH / unit.length));
      const expected = normalizeByDefinition(bytes, 'sam');
      expect(Buffer.compare(peek(normalizePiece(bytes, 'sam').bases), expected)).toBe(0);
      expect(normalizePiece(ascii('ac'), 'sam').bases).toEqual(ascii('AC'));
    },
  );
});

test('the memory areas of the WebAssembly hold a piece', () => {
  expect(requireInstance().raw).toHaveLength(PIECE_LENGTH);
  expect(requireInstance().bases).toHaveLength(PIECE_LENGTH);
});

test.each([-1, PIECE_LENGTH + 1, 2 ** 31 - 1, -(2 ** 31)])('WebAssembly clamps a length of %i', (length) => {
  const { raw, bases, normalize } = requireInstance();
  raw.fill(0x41);
  expect(normalize(length, 0)).toBe(length < 0 ? 0 : bases.length);
});

test('does not write to the target after the length of the source', () => {
  const target = new Uint8Array(12).fill(7);
  expect(normalizeInto(ascii('ac\ngt'), target, 'letters')).toBe(4);
  expect(target.subarray(0, 4)).toEqual(ascii('ACGT'));
  expect(target.subarray(5)).toEqual(new Uint8Array(7).fill(7));
});
