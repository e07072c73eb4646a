import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  countSegments,
  dropSegments,
  normalizePath,
  ORIGIN,
  parseRequestTarget,
  toMountedPath,
} from '../src/request-target.js';

describe('parseRequestTarget', () => {
  test.each([
    ['/', '/'],
    ['/a?b', '/a?b'],
    ['//host/a', '//host/a'],
    ['http://host/a?b', '/a?b'],
    ['HTTPS://user@host:1/a', '/a'],
    ['http://host', '/'],
    ['http://host?a', '/?a'],
    ['http://', '/'],
    ['http://host\\a', '/\\a'],
  ])('returns the path of %s as %s', (target, expected) => {
    expect(parseRequestTarget(target)).toBe(expected);
  });

  test.each(['', '*', 'a', 'host:443', 'ftp://host/a', '?a'])('returns undefined for "%s"', (target) => {
    expect(parseRequestTarget(target)).toBeUndefined();
  });
});

describe('normalizePath', () => {
  test.each([
    ['/a%2Fb%2f%25?c=%2F+%zz', '/a%2Fb%2f%25?c=%2F+%zz'],
    ["/it's?it's", "/it's?it%27s"],
    ['/a/./b/../c?d/../e', '/a/c?d/../e'],
    ['/%2e%2E/a', '/a'],
    ['/..', '/'],
    ['/..a/.b/...', '/..a/.b/...'],
    ['/a\\b', '/a%5Cb'],
    ['/a\\..\\b?c\\d', '/a%5C..%5Cb?c\\d'],
    ['/"<>`{}^', '/%22%3C%3E%60%7B%7D^'],
    ['/a#b', '/a'],
    ['//host/a', '//host/a'],
  ])('writes %s as %s', (path, expected) => {
    // Node 20 and later differ on ^, which is equivalent either way.
    expect(normalizePath(path).replace('%5E', '^')).toBe(expected);
  });

  test('serialises any path without backslashes as the URL standard does', () => {
    const codes = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
    const character = codes.filter((text) => text !== '\\');
    const part = fc.oneof(character, fc.constantFrom('/', '.', '..', '%2e', '%2F', '?', '#', '&', '='));
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const path = `/${parts.join('')}`;
        const url = new URL(ORIGIN + path);
        url.hash = '';
        expect(ORIGIN + normalizePath(path)).toBe(url.href);
      }),
    );
  });
});

describe('toMountedPath', () => {
  test.each([
    ['/a/b/c?d', '/a/b', '/c?d'],
    ['/a/b', '/a/b', '/'],
    ['/a/b?c', '/a/b', '/?c'],
    ['/a/b/', '/a/b', '/'],
    ['/a', '', '/a'],
    ['/ab', '/a', undefined],
    ['/b', '/a', undefined],
    ['/a%2Fb', '/a', undefined],
  ])('removes from %s the prefix %s, leaving %s', (path, prefix, expected) => {
    expect(toMountedPath(path, prefix)).toBe(expected);
  });
});

describe('dropSegments', () => {
  test.each([
    ['/a/b/c?d', 0, '/a/b/c?d'],
    ['/a/b/c?d', 1, '/b/c?d'],
    ['/a/b/c?d', 3, '/?d'],
    ['/a/b/c?d/e', 4, '/?d/e'],
    ['/a?b/c', 1, '/?b/c'],
    ['/a/', 1, '/'],
    ['/a//b', 1, '//b'],
    ['/', 1, '/'],
  ])('removes from %s %i segments, leaving %s', (path, count, expected) => {
    expect(dropSegments(path, count)).toBe(expected);
  });
});

test.each([
  ['', 0],
  ['/', 0],
  ['*', 0],
  ['/*', 0],
  ['/a/:b/*', 2],
  ['/a/', 1],
])('countSegments of %s returns %i', (route, expected) => {
  expect(countSegments(route)).toBe(expected);
});
