import { readFixture } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { findFiles } from '../objects/find-files.js';
import { openMappedObjects, requestOf, startService, type TestService } from './services.js';

const BAM = readFixture('reads.bam');
const BAI = readFixture('reads.bam.bai');
const OTHER_BAM = readFixture('straddle.bam');
const DATA = "$.access_methods[?(@.type=='https')].access_url.url";

function documentOf(url: string, more: object = {}): { readonly body: object } {
  return { body: { access_methods: [{ type: 's3' }, { type: 'https', access_url: { url } }], ...more } };
}

/** A service that answers documents below `/objects/`, and data. */
function startCatalogue(documents: Readonly<Record<string, object>> = {}): Promise<TestService> {
  const service: Promise<TestService> = startService(({ url = '' }) => {
    const [, id] = /^\/objects\/(.*)$/.exec(url) ?? [];
    if (url.startsWith('/data/')) return { body: url.includes('.bai') ? BAI : BAM, headers: { etag: '"1"' } };
    const more = id === undefined ? undefined : documents[decodeURIComponent(id)];
    return more === undefined ? { status: 404 } : documentOf(`${origin}/data/x.bam?signature=1`, more);
  });
  let origin = '';
  void service.then((started) => {
    origin = started.origin;
  });
  return service;
}

function resolverOf({ origin }: TestService, more: object = {}) {
  return { kind: 'resolver', url: `${origin}/objects/{id}`, data: DATA, ...more } as const;
}

describe('a resolver', () => {
  test('finds data, and its index by another query', async () => {
    const service = await startCatalogue({ 'study/A b': {} });
    const more = { index: '$.index' };
    const catalogue = await openMappedObjects([resolverOf(service, { ...more, prefix: 'p' })]);
    expect(await findFiles(catalogue, 'p/study/A b')).toEqual([['BAM', BAM.length, undefined]]);
    expect(service.requests[0]?.url).toBe('/objects/study%2FA%20b');
    const indexed = await startCatalogue({ a: { index: `${service.origin}/data/x.bai?signature=2` } });
    const other = await openMappedObjects([resolverOf(indexed, { ...more, hosts: [service.host] })]);
    expect(await findFiles(other, 'a')).toEqual([['BAM', BAM.length, BAI.length]]);
    expect(await other.list()).toEqual([]);
  });

  test('is asked once for the tickets of ten seconds, whether or not it knows the id', async () => {
    const service = await startCatalogue({ a: {} });
    const catalogue = await openMappedObjects([resolverOf(service)]);
    for (const id of ['a', 'absent', 'a', 'absent']) await findFiles(catalogue, id);
    const asked = service.requests.filter(({ url }) => url?.startsWith('/objects/'));
    expect(asked.map(({ url }) => url)).toEqual(['/objects/a', '/objects/absent']);
  });

  test('knows the format of data whose name does not say it', async () => {
    const service = await startService(({ url }) => {
      if (url?.startsWith('/objects/')) return documentOf(`${service.origin}/1`);
      return url === '/1' ? { body: BAM, headers: { etag: '"1"' } } : { status: 404 };
    });
    await expect(findFiles(await openMappedObjects([resolverOf(service)]), 'a')).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    const catalogue = await openMappedObjects([resolverOf(service, { format: 'BAM' })]);
    expect(await findFiles(catalogue, 'a')).toEqual([['BAM', BAM.length, undefined]]);
    expect(await findFiles(catalogue, 'a', 'variants')).toBeUndefined();
  });

  test('serves data of the size that it says', async () => {
    const service = await startCatalogue({ a: { size: BAM.length } });
    const catalogue = await openMappedObjects([resolverOf(service, { size: '$.size' })]);
    expect(await findFiles(catalogue, 'a')).toHaveLength(1);
  });

  test.each([BAM.length + 1, '1', -1, null])('serves no data of another size than %j', async (size) => {
    const service = await startCatalogue({ a: { size } });
    const catalogue = await openMappedObjects([resolverOf(service, { size: '$.size' })]);
    await expect(findFiles(catalogue, 'a')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  test.each<[number, object]>([
    [401, { code: 'InvalidAuthentication', status: 401 }],
    [403, { code: 'PermissionDenied', status: 403 }],
    [500, { code: 'UNAVAILABLE', isTransient: true }],
    [202, { code: 'UNAVAILABLE', isTransient: true }],
    [418, { code: 'UNAVAILABLE', isTransient: false }],
  ])('that answers with the status %i fails as %j', async (status, error) => {
    const service = await startService(() => ({ status }));
    const catalogue = await openMappedObjects([resolverOf(service, { forward: ['authorization'] })]);
    await expect(catalogue.resolve('a', 'reads', requestOf('alice'))).rejects.toMatchObject(error);
  });

  test.each<[string, Uint8Array, string]>([
    ['text', Buffer.from('no JSON'), 'JSON'],
    ['a document that is too long', Buffer.alloc(1024 * 1024 + 1, ' '), 'more than'],
    ['a document without data', Buffer.from('{"access_methods":[{"type":"https","access_url":{"url":1}}]}'), 'no URL'],
    ['nested lists', Buffer.from(`${'['.repeat(400_000)}${']'.repeat(400_000)}`), 'no URL'],
  ])('that answers with %s fails', async (_, body, message) => {
    const service = await startService(() => ({ body }));
    const catalogue = await openMappedObjects([resolverOf(service)]);
    await expect(catalogue.resolve('a', 'reads')).rejects.toThrow(message);
  });

  test.each([
    [{ url: 'https://host/{ID}' }],
    [{ url: 'https://{id}/x' }],
    [{ url: 'https://{id}.host/x' }],
    [{ url: 'https://user@host/{id}' }],
    [{ url: 'ftp://host/{id}' }],
    [{ data: '$.a[' }],
    [{ size: 'size' }],
  ])('with %j is refused', async (more) => {
    const options = { kind: 'resolver', url: 'https://host/{id}', data: '$.a', ...more } as const;
    await expect(openMappedObjects([options])).rejects.toThrow(RangeError);
  });
});

describe('forwarded tokens', () => {
  /** Each user has another file, with the same entity tag, at the same id; mallory has none. */
  function startPersonal(): Promise<TestService> {
    const service: Promise<TestService> = startService(({ url = '', headers: { authorization } }) => {
      const user = authorization?.replace('Bearer ', '');
      if (user !== 'alice' && user !== 'bob') return { status: user === undefined ? 401 : 403 };
      if (url.includes('.bai')) return { status: 404 };
      const body = user === 'alice' ? BAM : OTHER_BAM;
      return url.startsWith('/data/') ? { body, headers: { etag: '"1"' } } : documentOf(`${origin}/data/x.bam`);
    });
    let origin = '';
    void service.then((started) => {
      origin = started.origin;
    });
    return service;
  }

  test('decide for each user, whatever caches hold of others', async () => {
    const service = await startPersonal();
    const catalogue = await openMappedObjects([resolverOf(service, { forward: ['authorization'] })]);
    const read = async (user?: string): Promise<unknown> => {
      const [file] = (await catalogue.resolve('x', 'reads', requestOf(user))) ?? [];
      // Blocks of a version are cached.
      const { version } = (await file?.data.stat()) ?? {};
      const bytes = await file?.data.read({ start: 0, end: 20_000 }, version === undefined ? {} : { version });
      expect(file?.forwarded).toEqual({ authorization: `Bearer ${user}` });
      return Buffer.from(bytes ?? []).equals(BAM.subarray(0, 20_000)) ? 'BAM of alice' : 'another BAM';
    };
    for (let round = 0; round < 2; round++) {
      expect(await read('alice')).toBe('BAM of alice');
      expect(await read('bob')).toBe('another BAM');
      await expect(read('mallory')).rejects.toMatchObject({ code: 'PermissionDenied' });
      await expect(read()).rejects.toMatchObject({ code: 'InvalidAuthentication' });
    }
  });

  test('are in no key, and each user has keys of their own', async () => {
    const service = await startPersonal();
    const catalogue = await openMappedObjects([resolverOf(service, { forward: ['authorization'] })]);
    const keys: unknown[] = [];
    for (const user of ['alice', 'bob']) {
      const [file] = (await catalogue.resolve('x', 'reads', requestOf(user))) ?? [];
      keys.push(file?.data.key, file?.identity);
    }
    expect(new Set(keys).size).toBe(2);
    expect(keys.join(' ')).not.toMatch(/alice|bob|Bearer/);
  });

  test('are not sent without the setting', async () => {
    const service = await startCatalogue({ a: {} });
    const catalogue = await openMappedObjects([resolverOf(service)]);
    const [file] = (await catalogue.resolve('a', 'reads', requestOf('alice'))) ?? [];
    expect(file?.forwarded).toBeUndefined();
    expect(service.requests.map(({ authorization }) => authorization)).not.toContain('Bearer alice');
  });

  test('are not sent to another host of data, whose refusal is that of the store', async () => {
    const store = await startService(() => ({ status: 403 }));
    const service = await startService(() => documentOf(`${store.origin}/x.bam`));
    const more = { forward: ['authorization'], hosts: [store.host] };
    const catalogue = await openMappedObjects([resolverOf(service, more)]);
    const refusal = { code: 'PermissionDenied' };
    await expect(catalogue.resolve('a', 'reads', requestOf('alice'))).rejects.toMatchObject(refusal);
    expect(service.requests.map(({ authorization }) => authorization)).toEqual(['Bearer alice']);
    expect(store.requests.map(({ authorization }) => authorization)).not.toContain('Bearer alice');
  });
});
