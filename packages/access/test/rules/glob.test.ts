import { expect, test } from 'vitest';
import { createGlob } from '../../src/rules/glob.js';

test.each([
  ['reads/a', 'reads/a'],
  ['reads/*', 'reads/a'],
  ['reads/*', 'reads/'],
  ['reads/demo/**', 'reads/demo/a'],
  ['reads/demo/**', 'reads/demo/a/b/c'],
  ['*/demo/**', 'variants/demo/a'],
  ['**', 'reads/a/b'],
  ['reads/**/a', 'reads/x/y/a'],
  ['reads/*.v*', 'reads/a.v1.v2'],
  ['reads/a***b', 'reads/a/x/b'],
  ['reads/ä*😀', 'reads/äö😀'],
])('%s matches %s', (pattern, path) => {
  expect(createGlob(pattern)(path)).toBe(true);
});

test.each([
  ['reads/a', 'reads/b'],
  ['reads/a', 'reads/ab'],
  ['reads/ab', 'reads/a'],
  ['reads/*', 'reads/a/b'],
  ['reads/*', 'variants/a'],
  ['reads/demo/**', 'reads/demo'],
  ['reads/demo/**', 'reads/demonstration/a'],
  ['reads/a.b', 'reads/axb'],
  ['reads/a?', 'reads/ab'],
  ['reads/[ab]', 'reads/a'],
  ['reads/A', 'reads/a'],
  ['reads/*', 'reads/*/a'],
])('%s does not match %s', (pattern, path) => {
  expect(createGlob(pattern)(path)).toBe(false);
});

test('treats a star in a path as a literal character', () => {
  expect(createGlob('reads/*')('reads/*')).toBe(true);
  expect(createGlob('reads/*b')('reads/*')).toBe(false);
});

test('matches in linear time whatever the pattern', () => {
  const matches = createGlob(`${'**a'.repeat(20)}b`);
  expect(matches('a'.repeat(5_000))).toBe(false);
}, 5000);
