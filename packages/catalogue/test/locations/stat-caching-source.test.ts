import { type ByteSource, type ReadOptions, type SourceStat, StorageError } from '@htskit/io';
import { memorySource } from '@htskit/storage/memory';
import { byteSourceContract, deferred } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { cacheStat } from '../../src/locations/stat-caching-source.js';

byteSourceContract(
  'cacheStat',
  (bytes) => ({ source: cacheStat(memorySource(bytes, { version: '1' }), { milliseconds: 1000 }) }),
  { without: ['missing', 'replace', 'bytesRead'] },
);

const CHANGED = new StorageError('CHANGED', 'the object is another', { key: 'k' });

/** A source that counts `stat` calls, whose version changes and whose reads fail. */
function changingSource(failure: Error = CHANGED) {
  const state = { version: '1', statCount: 0, now: 0 };
  const source: ByteSource = {
    key: 'k',
    stat: async () => {
      state.statCount++;
      return { size: 1, version: state.version };
    },
    read: () => Promise.reject(failure),
    stream: () => new ReadableStream({ pull: () => Promise.reject(failure) }),
  };
  return { state, source: cacheStat(source, { milliseconds: 5000, now: () => state.now }) };
}

test('caches a version until it expires and shares one request between concurrent callers', async () => {
  const { state, source } = changingSource();
  await Promise.all([source.stat(), source.stat(), source.stat()]);
  state.version = '2';
  state.now = 4999;
  expect([await source.stat(), state.statCount]).toEqual([{ size: 1, version: '1' }, 1]);
  state.now = 5000;
  expect([await source.stat(), state.statCount]).toEqual([{ size: 1, version: '2' }, 2]);
});

test.each<[string, (source: ByteSource) => Promise<unknown>]>([
  ['read', (source) => source.read({ start: 0, end: 1 }, { version: '1' })],
  ['stream', (source) => source.stream({ start: 0, end: 1 }, { version: '1' }).getReader().read()],
])('requests the version anew after a %s finds another version or no object', async (_, act) => {
  for (const [failure, statCount] of [
    [CHANGED, 2],
    [new StorageError('NOT_FOUND', 'no object', { key: 'k' }), 2],
    [new StorageError('UNAVAILABLE', 'no answer', { key: 'k', isTransient: true }), 1],
  ] as const) {
    const { state, source } = changingSource(failure);
    await source.stat();
    await expect(act(source)).rejects.toBe(failure);
    await source.stat();
    expect(state.statCount, failure.code).toBe(statCount);
  }
});

test('requests the version anew if the caller expects another one', async () => {
  const { state, source } = changingSource();
  await source.stat();
  state.version = '2';
  const asked: ReadOptions = { version: '2' };
  expect(await source.stat(asked)).toEqual({ size: 1, version: '2' });
  await source.stat(asked);
  expect(state.statCount).toBe(2);
});

test('does not cache failures, nor anything if the time is 0', async () => {
  let isThere = false;
  const failing: ByteSource = {
    ...changingSource().source,
    stat: async () => {
      if (isThere) return { size: 1 };
      throw CHANGED;
    },
  };
  const source = cacheStat(failing, { milliseconds: 1000 });
  await expect(source.stat()).rejects.toBe(CHANGED);
  isThere = true;
  expect(await source.stat()).toEqual({ size: 1 });
  expect(cacheStat(failing, { milliseconds: 0 })).toBe(failing);
});

test('shares one request between concurrent callers that expect another version', async () => {
  const { state, source } = changingSource();
  await source.stat();
  state.version = '2';
  const asked: ReadOptions = { version: '2' };
  await Promise.all(Array.from({ length: 20 }, () => source.stat(asked)));
  expect(state.statCount).toBe(2);
});

test('stops waiting for a caller whose signal is aborted, but not for others', async () => {
  const { promise, resolve } = deferred<SourceStat>();
  const stalled: ByteSource = { ...changingSource().source, key: 'k', stat: () => promise };
  const source = cacheStat(stalled, { milliseconds: 1000 });
  const controller = new AbortController();
  const gone = source.stat({ signal: controller.signal });
  const other = source.stat();
  controller.abort();
  await expect(gone).rejects.toMatchObject({ code: 'ABORTED' });
  resolve({ size: 1, version: '1' });
  expect(await other).toEqual({ size: 1, version: '1' });
});

describe('the stat of an index', () => {
  const options = (now: () => number, data?: ByteSource) => ({ milliseconds: 5000, now, data });
  const versioned = (state: { version: string }): ByteSource => ({
    ...changingSource().source,
    key: 'k',
    stat: async () => ({ size: 1, version: state.version }),
  });

  test('is requested anew if it is older than that of the data', async () => {
    const clock = { now: 0 };
    const files = { version: 'old' };
    const data = cacheStat(
      versioned(files),
      options(() => clock.now),
    );
    const index = cacheStat(
      versioned(files),
      options(() => clock.now, data),
    );
    await data.stat();
    clock.now = 4000;
    await index.stat();
    files.version = 'new';
    // Both stay cached until the data is requested again.
    expect([await data.stat(), await index.stat()].map(({ version }) => version)).toEqual(['old', 'old']);
    clock.now = 6000;
    expect([await data.stat(), await index.stat()].map(({ version }) => version)).toEqual(['new', 'new']);
  });

  test('is not cached if that of the data is not', async () => {
    const files = { version: 'old' };
    const index = cacheStat(
      versioned(files),
      options(() => 0, versioned(files)),
    );
    await index.stat();
    files.version = 'new';
    expect((await index.stat()).version).toBe('new');
  });
});
