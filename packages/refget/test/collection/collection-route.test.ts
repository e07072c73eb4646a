import { expect, test } from 'vitest';
import { collectionMethods, parseCollectionRoute } from '../../src/collection/collection-route.js';

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
])('%s leads to %o', (pathname, route) => {
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
])('%s leads nowhere', (pathname) => {
  expect(parseCollectionRoute(pathname)).toBeUndefined();
});

test('only a comparison with a collection of the client is a POST', () => {
  expect(collectionMethods(parseCollectionRoute('/comparison/abc'))).toEqual(['POST', 'OPTIONS']);
  expect(collectionMethods(parseCollectionRoute('/comparison/abc/def'))).toEqual(['GET', 'HEAD', 'OPTIONS']);
  expect(collectionMethods(undefined)).toEqual(['GET', 'HEAD', 'OPTIONS']);
});
