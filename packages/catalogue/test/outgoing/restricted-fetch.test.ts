import type { LookupAddress } from 'node:dns';
import { expect, test } from 'vitest';
import { AllowedHosts, isNetwork } from '../../src/outgoing/allowed-hosts.node.js';
import { type Lookup, restrictedFetch } from '../../src/outgoing/restricted-fetch.node.js';
import { startService, type TestService } from '../mapped/services.js';

/** Resolves all names to some addresses, the next ones each time. */
function lookupOf(...answers: readonly (readonly string[])[]): Lookup {
  let count = 0;
  const resolve = (_: string, __: unknown, callback: (error: null, addresses: LookupAddress[]) => void): void => {
    const addresses = answers[Math.min(count++, answers.length - 1)] ?? [];
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return resolve as unknown as Lookup;
}

function startTarget(): Promise<TestService> {
  return startService(() => ({ body: { isReached: true } }));
}

function portOf({ origin }: TestService): string {
  return new URL(origin).port;
}

test.each([
  ['127.0.0.1'],
  ['10.1.2.3'],
  ['169.254.169.254'],
  ['100.64.0.1'],
  ['192.168.1.1'],
  ['172.31.255.255'],
  ['0.0.0.0'],
  ['::1'],
  ['::'],
  ['::ffff:127.0.0.1'],
  ['::ffff:10.0.0.1'],
  ['::127.0.0.1'],
  ['64:ff9b::7f00:1'],
  ['2002:7f00:1::'],
  ['fe80::1'],
  ['fd00::1'],
  ['ff02::1'],
  ['not an address'],
])('a name may not lead to %s', (address) => {
  const allowed = new AllowedHosts({ hosts: ['data.example'] });
  expect(allowed.isAllowedAddress('data.example', address)).toBe(false);
});

test.each(['8.8.8.8', '172.32.0.1', '2600::1', '::ffff:8.8.8.8'])('a name may lead to %s', (address) => {
  expect(new AllowedHosts({ hosts: [] }).isAllowedAddress('data.example', address)).toBe(true);
});

test('a name that leads to this machine is not connected to, unless its network is named', async () => {
  const target = await startTarget();
  const hosts = [`data.example:${portOf(target)}`];
  const url = `http://data.example:${portOf(target)}/`;
  const refusing = restrictedFetch(new AllowedHosts({ hosts }), lookupOf(['127.0.0.1']));
  await expect(refusing(url, {})).rejects.toThrow('not public');
  expect(target.requests).toEqual([]);
  const allowing = restrictedFetch(new AllowedHosts({ hosts, networks: ['127.0.0.0/8'] }), lookupOf(['127.0.0.1']));
  expect(await (await allowing(url, {})).json()).toEqual({ isReached: true });
});

test('one private address among several refuses the name', async () => {
  const target = await startTarget();
  const hosts = [`data.example:${portOf(target)}`];
  const fetchIt = restrictedFetch(new AllowedHosts({ hosts }), lookupOf(['8.8.8.8', '127.0.0.1']));
  await expect(fetchIt(`http://data.example:${portOf(target)}/`, {})).rejects.toThrow('not public');
  expect(target.requests).toEqual([]);
});

test('the name is looked up once for a connection, so that a second answer cannot lead elsewhere', async () => {
  const target = await startTarget();
  const hosts = [`data.example:${portOf(target)}`];
  const lookup = lookupOf(['127.0.0.2'], ['127.0.0.1']);
  // Nothing listens at the first address.
  const fetchIt = restrictedFetch(new AllowedHosts({ hosts, networks: ['127.0.0.2/32'] }), lookup);
  await expect(fetchIt(`http://data.example:${portOf(target)}/`, {})).rejects.toThrow('ECONNREFUSED');
  await expect(fetchIt(`http://data.example:${portOf(target)}/`, {})).rejects.toThrow('not public');
  expect(target.requests).toEqual([]);
});

test('localhost leads to this machine if it is named', async () => {
  const target = await startTarget();
  const host = `localhost:${portOf(target)}`;
  const fetchIt = restrictedFetch(new AllowedHosts({ hosts: [host] }), lookupOf(['127.0.0.1']));
  expect((await fetchIt(`http://${host}/`, {})).status).toBe(200);
});

test('an address is connected to only if it is named', async () => {
  const target = await startTarget();
  const fetchIt = restrictedFetch(new AllowedHosts({ hosts: [target.host] }));
  const response = await fetchIt(target.origin, { method: 'HEAD', headers: { 'x-a': 'b' } });
  expect([response.status, response.body]).toEqual([200, null]);
  const other = restrictedFetch(new AllowedHosts({ hosts: ['127.0.0.1:1'] }));
  await expect(other(target.origin, {})).rejects.toThrow('not allowed');
  expect(target.requests).toHaveLength(1);
});

test('an aborted request ends', async () => {
  const target = await startTarget();
  const fetchIt = restrictedFetch(new AllowedHosts({ hosts: [target.host] }));
  const signal = AbortSignal.abort();
  await expect(fetchIt(target.origin, { signal })).rejects.toThrow('aborted');
});

test.each([
  ['10.0.0.0/8', true],
  ['10.0.0.1', true],
  ['fd00::/8', true],
  ['::1', true],
  ['10.0.0.0/33', false],
  ['10.0.0.0/', false],
  ['10.0.0.0/8/8', false],
  ['10.0.0.0/-1', false],
  ['data.example', false],
])('%s is a network: %s', (text, isOne) => {
  expect(isNetwork(text)).toBe(isOne);
});
