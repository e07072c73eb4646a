import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { ClientCounts, clientAddress } from '../../../src/runtime/gate/client-address.js';

test.each([
  [0, '1.1.1.1', '10.0.0.1'],
  [1, '1.1.1.1', '1.1.1.1'],
  [1, '6.6.6.6, 1.1.1.1', '1.1.1.1'],
  [2, '6.6.6.6, 1.1.1.1, 10.0.0.2', '1.1.1.1'],
  [1, 'nonsense', '10.0.0.1'],
  [1, undefined, '10.0.0.1'],
  [1, '::1', '::1'],
])('with %i trusted proxies, X-Forwarded-For %s means a client at %s', (trustedProxies, forwardedFor, expected) => {
  const headers = { 'x-forwarded-for': forwardedFor };
  const incoming = { headers, socket: { remoteAddress: '10.0.0.1' } } as unknown as IncomingMessage;
  expect(clientAddress(incoming, trustedProxies)).toBe(expected);
});

test.each([
  ['10.0.0.1', '10.0.0.1', true],
  ['10.0.0.1', '10.0.0.2', false],
  ['10.0.0.1', '::ffff:10.0.0.1', true],
  ['::ffff:10.0.0.1', '::ffff:10.0.0.2', false],
  ['2001:db8:0:1::1', '2001:DB8:0:1:ffff:2:3:4', true],
  ['2001:db8:0:1::1', '2001:db8:0:2::1', false],
  ['2001:db8::', '2001:db8::1', true],
  ['::1', '::2', true],
  ['::1', '1::', false],
  [undefined, undefined, true],
])('counts %s and %s as one client: %s', (one, other, isOne) => {
  const counts = new ClientCounts();
  counts.add(one);
  expect(counts.add(other)).toBe(isOne ? 2 : 1);
  counts.remove(one);
  counts.remove(other);
  expect(counts.size).toBe(0);
});
