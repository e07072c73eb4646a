import { expect, test } from 'vitest';
import { parseRetryAfter } from '../../src/transport/server-error.js';

const now = Date.parse('2026-11-21T10:00:00Z');

test.each([
  ['0', 0],
  ['7', 7_000],
  ['2030', 2_030_000],
  ['99999999999', 99_999_999_999_000],
  ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
  ['Sat, 21 Nov 2026 10:00:05 GMT', 5_000],
  ['Saturday, 21-Nov-26 10:00:05 GMT', 5_000],
  ['Sat Nov 21 10:00:05 2026', 5_000],
  ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
])('a server that says "%s" is left alone for %i ms', (value, milliseconds) => {
  expect(parseRetryAfter(value, now)).toBe(milliseconds);
});

test.each([null, '', '-5', '+5', '1.5', '5, 10', '120s', '0x10', 'soon', 'Sat, 41 Nov 2026 10:00:00 GMT'])(
  'a server that says "%s" has not said when',
  (value) => {
    expect(parseRetryAfter(value, now)).toBeUndefined();
  },
);
