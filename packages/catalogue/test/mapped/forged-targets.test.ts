import type { StorageError } from '@htskit/io';
import { readFixture } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { createStorage, openMappedObjects, requestOf, startService, type TestService } from './services.js';

const BAM = readFixture('reads.bam');
const ETAG = { etag: '"1"' };

/** A server that nothing must reach, unless a test allows it. */
function startCanary(): Promise<TestService> {
  return startService(() => ({ body: BAM, headers: ETAG }));
}

/** Opens a resolver that names a URL for all data, or an index, or redirects to it. */
async function openResolver(
  target: string,
  {
    hosts,
    networks,
    how = 'data',
  }: { hosts?: string[]; networks?: string[]; how?: 'data' | 'index' | 'redirect' | 'redirected data' } = {},
) {
  const service = await startService(({ url }) => {
    const redirect = { status: 302, headers: { location: target } };
    if (/\.(bai|csi)$/.test(url ?? '')) return { status: 404 };
    if (url?.endsWith('.bam')) return how === 'redirected data' ? redirect : { body: BAM, headers: ETAG };
    if (how === 'redirect') return redirect;
    const own = `${service.origin}/data/x.bam`;
    return { body: how === 'data' ? { data: target } : { data: own, index: how === 'index' ? target : undefined } };
  });
  const resolver = {
    kind: 'resolver',
    url: `${service.origin}/objects/{id}`,
    data: '$.data',
    index: '$.index',
    format: 'BAM',
  } as const;
  const forward = ['authorization'];
  return openMappedObjects([{ ...resolver, hosts, networks, forward }]);
}

/** Reads everything that an object has. */
async function readAll(catalogue: Awaited<ReturnType<typeof openResolver>>): Promise<string> {
  const [file] = (await catalogue.resolve('x', 'reads', requestOf('alice'))) ?? [];
  await file?.index?.read({ start: 0, end: 10 });
  const bytes = await file?.data.read({ start: 0, end: 4 });
  return Buffer.from(bytes ?? []).toString('hex');
}

const FORGED: readonly (readonly [name: string, toUrl: (port: string) => string])[] = [
  ['another port of the same address', (port) => `http://127.0.0.1:${port}/x.bam`],
  ['metadata of a cloud', () => 'http://169.254.169.254/latest/meta-data/'],
  ['an IPv4 address as IPv6', (port) => `http://[::ffff:127.0.0.1]:${port}/x.bam`],
  ['loopback of IPv6', (port) => `http://[::1]:${port}/x.bam`],
  ['a decimal address', (port) => `http://2130706433:${port}/x.bam`],
  ['an octal address', (port) => `http://0177.0.0.1:${port}/x.bam`],
  ['a hexadecimal address', (port) => `http://0x7f.1:${port}/x.bam`],
  ['a short address', (port) => `http://127.1:${port}/x.bam`],
  ['the unspecified address', (port) => `http://0.0.0.0:${port}/x.bam`],
  ['localhost', (port) => `http://localhost:${port}/x.bam`],
  ['localhost with a dot', (port) => `http://localhost.:${port}/x.bam`],
  ['a user before another host', (port) => `http://allowed.example@127.0.0.1:${port}/x.bam`],
  ['a password', (port) => `http://u:p@127.0.0.1:${port}/x.bam`],
  ['a backslash', (port) => `http://127.0.0.1:${port}\\@allowed.example/x.bam`],
  ['a file', () => 'file:///etc/passwd'],
  ['a path', () => '/etc/passwd'],
  ['a bucket', () => 's3://bucket/x.bam'],
  ['bytes', () => 'data:;base64,QkFNAQ=='],
  ['another scheme', (port) => `gopher://127.0.0.1:${port}/x.bam`],
  ['no URL', () => 'http://'],
];

describe.each(['data', 'index', 'redirect', 'redirected data'] as const)('as %s of a resolver', (how) => {
  test.each(FORGED)('%s is not requested', async (_, toUrl) => {
    const canary = await startCanary();
    const catalogue = await openResolver(toUrl(new URL(canary.origin).port), { how });
    await expect(readAll(catalogue)).rejects.toMatchObject({ code: 'UNAVAILABLE', isTransient: false });
    expect(canary.requests).toEqual([]);
  });

  test('a host that is allowed is requested, without the token', async () => {
    const canary = await startCanary();
    const catalogue = await openResolver(`${canary.origin}/x.bam`, { how, hosts: [canary.host] });
    // The document of a resolver cannot be the data.
    const found = await readAll(catalogue).catch((error: unknown) => (error as StorageError).message);
    expect(found).toBe(how === 'redirect' ? 'the service did not answer with JSON' : '1f8b0804');
    expect(canary.requests.length).toBeGreaterThan(0);
    expect(canary.requests.map(({ authorization }) => authorization)).not.toContain('Bearer alice');
  });
});

test('the storage keeps no guard of a host that is not allowed', async () => {
  const storage = createStorage();
  const service = await startService(() => ({ body: { data: 'http://169.254.169.254/x.bam' } }));
  const resolver = { kind: 'resolver', url: `${service.origin}/{id}`, data: '$.data', format: 'BAM' } as const;
  const catalogue = await openMappedObjects([resolver], { storage });
  await expect(catalogue.resolve('x', 'reads')).rejects.toMatchObject({ code: 'UNAVAILABLE', isTransient: false });
  expect(storage.guards.map(({ name }) => name)).toEqual([service.origin]);
});
