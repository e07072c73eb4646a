import { createRandom } from '@htskit/testing';
import { expect, test } from 'vitest';
import { parseContentRange } from '../../src/headers/range.js';

test.each([
  ['bytes 0-0/1', { range: { start: 0, end: 1 }, size: 1 }],
  ['bytes 5-9/100', { range: { start: 5, end: 10 }, size: 100 }],
  ['Bytes  5-9/*', { range: { start: 5, end: 10 }, size: undefined }],
  ['bytes */100', { range: undefined, size: 100 }],
])('reads "%s"', (value, expected) => {
  expect(parseContentRange(value)).toEqual(expected);
});

test.each([
  '',
  'bytes',
  'bytes 5-4/100',
  'bytes 5-100/100',
  'bytes -5/100',
  'bytes 5-/100',
  'bytes 5-9',
  'bytes */*',
  'bytes 0-9007199254740991/*',
  'bytes 0-1/9007199254740992',
  'items 5-9/100',
  'bytes 5-9/100, bytes 5-9/100',
  'bytes 0x5-9/100',
])('refuses "%s"', (value) => {
  expect(parseContentRange(value)).toBeUndefined();
});

test('what it reads of damaged headers makes sense', () => {
  const random = createRandom(3);
  const alphabet = 'bytes 0123456789-/*';
  const senseless: string[] = [];
  for (let count = 0; count < 20_000; count++) {
    const characters = Array.from('bytes 10-19/200');
    for (let edits = 0; edits < 3; edits++) {
      const at = Math.floor(random() * characters.length);
      characters.splice(at, random() < 0.5 ? 1 : 0, alphabet[Math.floor(random() * alphabet.length)] ?? '');
    }
    const { range, size } = parseContentRange(characters.join('')) ?? {};
    if (range !== undefined && !(range.start < range.end && range.end <= (size ?? range.end))) {
      senseless.push(characters.join(''));
    }
  }
  expect(senseless).toEqual([]);
});
