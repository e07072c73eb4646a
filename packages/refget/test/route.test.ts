import { expect, test } from 'vitest';
import { parseRoute } from '../src/route.js';

test.each([
  ['/sequence/abc', { kind: 'sequence', id: 'abc' }],
  ['/sequence/abc/', { kind: 'sequence', id: 'abc' }],
  ['/sequence/insdc%3AX.1', { kind: 'sequence', id: 'insdc:X.1' }],
  ['/sequence/insdc:X.1', { kind: 'sequence', id: 'insdc:X.1' }],
  ['/sequence/a%2Fb', { kind: 'sequence', id: 'a/b' }],
  ['/sequence/metadata', { kind: 'sequence', id: 'metadata' }],
  ['/sequence/abc/metadata', { kind: 'metadata', id: 'abc' }],
  ['/sequence/abc/metadata/', { kind: 'metadata', id: 'abc' }],
  ['/sequence/metadata/metadata', { kind: 'metadata', id: 'metadata' }],
  ['/sequence/service-info', { kind: 'service-info' }],
  ['/sequence/service-info/', { kind: 'service-info' }],
  ['/sequence/service%2Dinfo', { kind: 'service-info' }],
  ['/sequence/service-info/metadata', { kind: 'metadata', id: 'service-info' }],
])('%s leads to %o', (pathname, route) => {
  expect(parseRoute(pathname)).toEqual(route);
});

test.each([
  '/',
  '/sequence',
  '/sequence/',
  '/sequence//',
  '/sequence//metadata',
  '/sequence/abc//',
  '/sequence/abc/other',
  '/sequence/abc/metadata/more',
  '/sequences/abc',
  '/prefix/sequence/abc',
  '/sequence/%',
  '/sequence/%ff',
])('%s leads nowhere', (pathname) => {
  expect(parseRoute(pathname)).toBeUndefined();
});
