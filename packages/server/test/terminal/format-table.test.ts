import { expect, test } from 'vitest';
import { formatTable } from '../../src/terminal/format-table.js';

test('aligns columns, numbers to the right', () => {
  const rows = [
    ['name', 'bytes'],
    ['a', '1,000'],
    ['bcd', '1'],
  ];
  expect(formatTable(rows, ['bytes'])).toEqual(['name  bytes', 'a     1,000', 'bcd       1']);
});

test('aligns characters that a terminal draws in two columns, and marks that it draws over others', () => {
  const rows = [
    ['日本', 'x'],
    ['ab', 'x'],
    ['cafe\u0301', 'x'],
  ];
  expect(formatTable(rows, [])).toEqual(['日本  x', 'ab    x', 'cafe\u0301  x']);
});
