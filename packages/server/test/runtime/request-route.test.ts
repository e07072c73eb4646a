import { expect, test } from 'vitest';
import { clientAddress } from '../../src/runtime/gate/client-address.js';
import { toRequestId } from '../../src/runtime/gate/request-id.js';
import { routeOf } from '../../src/runtime/request-route.js';

test('a sane request id is taken; others, several and none are replaced by a new one', () => {
  expect(toRequestId('01HZX-a.b:c/d+e=')).toBe('01HZX-a.b:c/d+e=');
  const made = [undefined, '', 'a b', 'ä', 'a\tb', 'a'.repeat(129), ['a', 'b']].map(toRequestId);
  for (const id of made) expect(id).toMatch(/^[\da-f]{8}-[\da-f-]{27}$/);
  expect(new Set(made).size).toBe(made.length);
});

test.each([
  [0, '1.1.1.1', '10.0.0.1'],
  [1, '1.1.1.1', '1.1.1.1'],
  [1, '6.6.6.6, 1.1.1.1', '1.1.1.1'],
  [2, '6.6.6.6, 1.1.1.1, 10.0.0.2', '1.1.1.1'],
  [1, 'nonsense', '10.0.0.1'],
  [1, undefined, '10.0.0.1'],
  [1, '::1', '::1'],
])('behind %i proxies, X-Forwarded-For %s is a client at %s', (trustedProxies, forwardedFor, expected) => {
  expect(clientAddress({ remoteAddress: '10.0.0.1', forwardedFor, trustedProxies })).toBe(expected);
});

test.each([
  ['/', '/', undefined],
  ['/healthz?x=1', '/healthz', undefined],
  ['/healthz/', 'other', undefined],
  ['http://a.example/readyz', '/readyz', undefined],
  ['/reads/service-info', '/reads/service-info', undefined],
  ['/reads/a/b%20c?referenceName=chr1', '/reads/{id}', 'reads/a/b c'],
  ['/variants/%zz', '/variants/{id}', 'variants/%zz'],
  ['/blocks/abc.def', '/blocks/{token}', undefined],
  ['/sequence/service-info', '/sequence/service-info', undefined],
  ['/sequence/abc/metadata/', '/sequence/{id}/metadata', 'abc'],
  ['/sequence/abc?start=1', '/sequence/{id}', 'abc'],
  ['/collection/abc', '/collection/{digest}', 'abc'],
  ['/comparison/a', '/comparison/{a}', 'a'],
  ['/comparison/a/b', '/comparison/{a}/{b}', 'a/b'],
  ['/attribute/collection/names/abc', '/attribute/collection/{attribute}/{digest}', 'names/abc'],
  ['/list/collection', '/list/collection', undefined],
  ['/nowhere', 'other', undefined],
  ['*', 'other', undefined],
])('%s is the route %s', (target, template, object) => {
  const route = routeOf(target);
  expect(route.template).toBe(template);
  expect(route.nameObject?.()).toBe(object);
});

test('paths without end have names of few characters', () => {
  expect(routeOf(`/reads/${'a'.repeat(100_000)}`).nameObject?.()).toHaveLength(257);
});
