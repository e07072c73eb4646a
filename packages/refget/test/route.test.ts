import { describe, expect, test } from 'vitest';
import { methodsOf, parseCollectionRoute, parseRefgetPath, parseSequenceRoute, unknownPath } from '../src/route.js';

describe('sequences', () => {
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
  ])('%s is %o', (pathname, route) => {
    expect(parseSequenceRoute(pathname)).toEqual(route);
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
  ])('%s is not a resource', (pathname) => {
    expect(parseSequenceRoute(pathname)).toBeUndefined();
  });
});

describe('collections', () => {
  test.each([
    ['/service-info', { kind: 'service-info' }],
    ['/service-info/', { kind: 'service-info' }],
    ['/collection/abc', { kind: 'collection', digest: 'abc' }],
    ['/collection/abc/', { kind: 'collection', digest: 'abc' }],
    ['/collection/a%2Fb', { kind: 'collection', digest: 'a/b' }],
    ['/comparison/abc', { kind: 'local-comparison', a: 'abc' }],
    ['/comparison/abc/def', { kind: 'comparison', a: 'abc', b: 'def' }],
    ['/list/collection', { kind: 'list' }],
    ['/list/collection/', { kind: 'list' }],
    ['/attribute/collection/names/abc', { kind: 'attribute', attribute: 'names', digest: 'abc' }],
  ])('%s is %o', (pathname, route) => {
    expect(parseCollectionRoute(pathname)).toEqual(route);
  });

  test.each([
    '/',
    '//',
    '/sequence/abc',
    '/collection',
    '/collection/',
    '/collection//',
    '/collection/abc/def',
    '/comparison/',
    '/comparison//abc',
    '/comparison/a/b/c',
    '/list',
    '/list/sequence',
    '/list/collection/more',
    '/attribute/collection/names',
    '/attribute/sequence/names/abc',
    '/attribute/collection/names/abc/more',
    '/service-info/more',
    '/collection/%',
    '/collection/%ff',
    '/prefix/collection/abc',
  ])('%s is not a resource', (pathname) => {
    expect(parseCollectionRoute(pathname)).toBeUndefined();
  });
});

test('only comparisons with a collection of the client, and regions, are a POST', () => {
  expect(methodsOf(parseRefgetPath('/collection/abc/regions'))).toEqual(['POST', 'OPTIONS']);
  expect(methodsOf(parseRefgetPath('/comparison/abc'))).toEqual(['POST', 'OPTIONS']);
  expect(methodsOf(parseRefgetPath('/comparison/abc/def'))).toEqual(['GET', 'HEAD', 'OPTIONS']);
  expect(methodsOf(undefined)).toEqual(['GET', 'HEAD', 'OPTIONS']);
});

test.each([
  ['/refget/sequence/abc', '/refget', 'abc'],
  ['/refget/sequence/abc', '/refget/', 'abc'],
  ['/a/b/sequence/abc', '/a/b', 'abc'],
  ['/sequence/abc', '', 'abc'],
])('%s below the prefix %j is the sequence %s', (pathname, prefix, id) => {
  expect(parseRefgetPath(pathname, prefix)).toEqual({ area: 'sequence', route: { kind: 'sequence', id } });
});

test.each(['/sequence/abc', '/refgets/sequence/abc', '/refget', '/other/refget/sequence/abc'])(
  '%s is not below the prefix /refget',
  (pathname) => {
    expect(parseRefgetPath(pathname, '/refget')).toBeUndefined();
  },
);

test.each([
  ['/sequence/a/b/c', '/refget', 'no refget resource at this path; expected /refget/sequence/ID'],
  ['/', undefined, 'no refget resource at this path; expected /sequence/ID'],
  [
    '/refget/sequence/abc',
    undefined,
    'no refget resource at this path; expected /sequence/ID; a handler that is mounted at a path needs the "prefix" option',
  ],
])('the error for %s below the prefix %j hints at the mount', (pathname, prefix, message) => {
  expect(unknownPath(pathname, prefix)).toMatchObject({ code: 'Not Found', message });
});
