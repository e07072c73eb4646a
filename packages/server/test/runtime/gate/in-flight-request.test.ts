import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { clientAddress, toRequestId } from '../../../src/runtime/gate/in-flight-request.js';

test('keeps a safe request id, and replaces an unsafe, repeated or missing one', () => {
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
])('with %i trusted proxies, X-Forwarded-For %s means a client at %s', (trustedProxies, forwardedFor, expected) => {
  const headers = { 'x-forwarded-for': forwardedFor };
  const incoming = { headers, socket: { remoteAddress: '10.0.0.1' } } as unknown as IncomingMessage;
  expect(clientAddress(incoming, trustedProxies)).toBe(expected);
});
