import { expect, test } from 'vitest';
import {
  canonicalArray,
  canonicalString,
  encodeTexts,
  isWellFormed,
} from '../../src/collection/collection-attributes.js';

test('writes the string of RFC 8785 §3.2.3', () => {
  expect(canonicalString('€$\u000f\nA\'B"\\\\"/')).toBe('"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"');
});

test.each([
  ['\b\t\n\f\r', '"\\b\\t\\n\\f\\r"'],
  ['\u0000\u001f', '"\\u0000\\u001f"'],
  ['\u007f\u0080\u2028\ufeff', '"\u007f\u0080\u2028\ufeff"'],
  ['😀', '"😀"'],
  ['__proto__', '"__proto__"'],
  ['c\udce9', '"c\\udce9"'],
])('writes %j in its only form', (text, canonical) => {
  expect(canonicalString(text)).toBe(canonical);
});

test.each([
  ['', true],
  ['a😀b', true],
  ['\ud83d', false],
  ['\ude00\ud83d', false],
  ['a\udc00', false],
  ['a\udce9\udc80\udcff', true],
])('isWellFormed(%j) is %s', (text, expected) => {
  expect(isWellFormed(text)).toBe(expected);
});

test.each([0, 1, 2, 3, 20_000, 70_000])('writes an array of %i elements in pieces', (length) => {
  const pieces = [...canonicalArray(length, (index) => String(index))];
  expect(pieces.join('')).toBe(JSON.stringify(Array.from({ length }, (_, index) => index)));
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(65_550);
});

test('encodes short texts together and long ones alone', () => {
  const long = '😀'.repeat(40_000);
  const chunks = [...encodeTexts(['[', '"é"', ',', long, ',', '1', ']'])];
  expect(chunks.map((chunk) => new TextDecoder().decode(chunk))).toEqual([`["é",${long}`, ',1]']);
  expect([...encodeTexts([])]).toEqual([]);
});
