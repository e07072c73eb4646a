import { expect, test } from 'vitest';
import { CredentialsCache, type S3Credentials, type S3CredentialsProvider } from '../../src/s3/credentials.js';

const MINUTE = 60_000;

/** A provider that counts its calls. The n-th credentials are valid for an hour from its `now`. */
function counting(): { now: number; readonly requests: unknown[]; readonly provider: S3CredentialsProvider } {
  const state = {
    now: 0,
    requests: [] as unknown[],
    provider: async (options: unknown): Promise<S3Credentials> => {
      const count = state.requests.push(options);
      const expiration = new Date(state.now + 60 * MINUTE);
      return { accessKeyId: `id${count}`, secretAccessKey: 'secret', expiration };
    },
  };
  return state;
}

async function idAt(source: ReturnType<typeof counting>, now: number): Promise<string> {
  source.now = now;
  return (await CredentialsCache.of(source.provider).get(now)).accessKeyId;
}

test('requests credentials that expire once, for all sources with the provider', async () => {
  const source = counting();
  expect(await Promise.all([idAt(source, 0), idAt(source, 0)])).toEqual(['id1', 'id1']);
  expect(await idAt(source, 54 * MINUTE)).toBe('id1');
  expect(source.requests).toEqual([{}]);
});

test('replaces credentials five minutes before they expire, without waiting for it', async () => {
  const source = counting();
  await idAt(source, 0);
  expect(await idAt(source, 55 * MINUTE)).toBe('id1');
  expect(await idAt(source, 55 * MINUTE)).toBe('id2');
  expect(source.requests).toHaveLength(2);
});

test('waits for new credentials when the old ones have expired', async () => {
  const source = counting();
  await idAt(source, 0);
  expect(await Promise.all([idAt(source, 60 * MINUTE), idAt(source, 60 * MINUTE)])).toEqual(['id2', 'id2']);
});

test('keeps valid credentials if replacing them fails, and tries again after ten seconds', async () => {
  let isDown = false;
  let requestCount = 0;
  const cache = CredentialsCache.of(async () => {
    requestCount++;
    if (isDown) throw new Error('metadata are unavailable');
    return { accessKeyId: 'id', secretAccessKey: 'secret', expiration: new Date(60 * MINUTE) };
  });
  await cache.get(0);
  isDown = true;
  for (const now of [55 * MINUTE, 55 * MINUTE + 1, 55 * MINUTE + 9_999]) await cache.get(now);
  expect(requestCount).toBe(2);
  await cache.get(55 * MINUTE + 10_000);
  expect(requestCount).toBe(3);
  await expect(cache.get(60 * MINUTE)).rejects.toThrow('metadata are unavailable');
});

test('tries to replace valid credentials again although the clock was set back after a failure', async () => {
  let isDown = false;
  let requestCount = 0;
  const cache = CredentialsCache.of(async () => {
    requestCount++;
    if (isDown) throw new Error('metadata are unavailable');
    return { accessKeyId: 'id', secretAccessKey: 'secret', expiration: new Date(60 * MINUTE) };
  });
  await cache.get(0);
  isDown = true;
  await cache.get(59 * MINUTE);
  // Lets the attempt fail.
  await new Promise((resolve) => setImmediate(resolve));
  expect(requestCount).toBe(2);
  await cache.get(56 * MINUTE);
  expect(requestCount).toBe(3);
});

test('requests credentials without an expiration each time', async () => {
  let requestCount = 0;
  const cache = CredentialsCache.of(() => {
    requestCount++;
    return { accessKeyId: 'id', secretAccessKey: 'secret' };
  });
  await cache.get(0);
  await cache.get(0);
  expect(requestCount).toBe(2);
});

test('replaces refused credentials once, however many operations had them', async () => {
  const source = counting();
  const cache = CredentialsCache.of(source.provider);
  await cache.get(0);
  const { generation } = cache;
  cache.replace(generation);
  cache.replace(generation);
  expect(await idAt(source, 0)).toBe('id2');
  cache.replace(generation);
  expect(await idAt(source, 0)).toBe('id2');
  expect(source.requests).toEqual([{}, { forceRefresh: true }]);
});
