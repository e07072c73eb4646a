import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalizeInto, normalizeSequence } from '../src/normalize.js';

const ascii = (text: string) => new TextEncoder().encode(text);

/** The definition, one byte at a time. */
function normalizeByDefinition(bytes: Uint8Array): Uint8Array {
  const letters = [...bytes].map((byte) => String.fromCharCode(byte)).filter((character) => /[A-Za-z]/.test(character));
  return ascii(letters.join('').toUpperCase());
}

test('drops line breaks, spaces, digits and stops, and makes letters upper case', () => {
  expect(normalizeSequence(ascii('acGT\r\nNnRy 12\tK*-\n'))).toEqual(ascii('ACGTNNRYK'));
});

test('an empty sequence stays empty', () => {
  expect(normalizeSequence(new Uint8Array(0))).toHaveLength(0);
});

test('each of the 256 byte values is kept or dropped at each place of a word', () => {
  for (let value = 0; value < 256; value++) {
    for (let place = 0; place < 9; place++) {
      const bytes = ascii('ACGTACGTA');
      bytes[place] = value;
      expect(normalizeSequence(bytes), `byte ${value} at ${place}`).toEqual(normalizeByDefinition(bytes));
    }
  }
});

test('any bytes at any alignment give what the definition gives', () => {
  const mostlyLetters = fc.oneof(
    { arbitrary: fc.constantFrom(...ascii('ACGTNacgtn')), weight: 9 },
    { arbitrary: fc.integer({ min: 0, max: 255 }), weight: 1 },
  );
  fc.assert(
    fc.property(fc.array(mostlyLetters, { maxLength: 200 }), fc.nat(7), (values, offset) => {
      const bytes = new Uint8Array([...new Array<number>(offset).fill(0), ...values]).subarray(offset);
      expect(normalizeSequence(bytes)).toEqual(normalizeByDefinition(bytes));
    }),
  );
});

test('the source is left as it was', () => {
  const source = ascii('acg t');
  normalizeSequence(source);
  expect(source).toEqual(ascii('acg t'));
});

test('writing into a larger target touches nothing behind the length of the source', () => {
  const target = new Uint8Array(12).fill(7);
  expect(normalizeInto(ascii('ac\ngt'), target)).toBe(4);
  expect(target.subarray(0, 4)).toEqual(ascii('ACGT'));
  expect(target.subarray(5)).toEqual(new Uint8Array(7).fill(7));
});
