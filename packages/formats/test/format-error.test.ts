import { expect, test } from 'vitest';
import { FormatError } from '../src/index.js';
import { relocateError } from '../src/internal.js';

test('relocateError adds to the offset and to the message, which has the offset once', () => {
  const cause = new FormatError('INVALID_DATA', 'POS is not an integer', { offset: 5 });
  expect(relocateError(cause, 100, 'line 3: ')).toMatchObject({
    name: 'FormatError',
    code: 'INVALID_DATA',
    message: 'line 3: POS is not an integer (at byte 105)',
    offset: 105,
    cause,
  });
  expect(relocateError(relocateError(cause, 100), 7).message).toBe('POS is not an integer (at byte 112)');
});
