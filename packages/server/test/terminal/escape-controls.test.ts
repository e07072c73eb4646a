import { expect, test } from 'vitest';
import { escapeControls } from '../../src/terminal/escape-controls.js';

test.each([
  ['HLA-A*01:01 é 染色体 🧬', 'HLA-A*01:01 é 染色体 🧬'],
  ['\u001b[2J\u0007\n\t', '\\u001b[2J\\u0007\\u000a\\u0009'],
  ['\u009b1A\u007f', '\\u009b1A\\u007f'],
  ['\u202egnp.\ufeff', '\\u202egnp.\\ufeff'],
  ['\ud83e \u{e0001}', '\\ud83e \\udb40\\udc01'],
])('escapes %j as %s', (text, shown) => {
  expect(escapeControls(text)).toBe(shown);
  expect(escapeControls(shown)).toBe(shown);
});

test('keeps the value of JSON text', () => {
  const value = ['\u001b\u009b\n\u{e0001}"\\'];
  expect(JSON.parse(escapeControls(JSON.stringify(value)))).toEqual(value);
});
