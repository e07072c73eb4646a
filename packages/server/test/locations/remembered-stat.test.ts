import { type ByteSource, type ReadOptions, type SourceStat, StorageError } from '@htskit/io';
import { memorySource } from '@htskit/storage/memory';
import { byteSourceContract, deferred } from '@htskit/testing';
import { describe, expect, test } from 'vitest';
import { rememberStat } from '../../src/locations/remembered-stat.js';

byteSourceContract(
  'rememberStat',
  (bytes) => ({ source: rememberStat(memorySource(bytes, { version: '1' }), { milliseconds: 1000 }) }),
  { without: ['missing', 'replace', 'bytesRead'] },
);

const CHANGED = new StorageError('CHANGED', 'the object is another', { key: 'k' });

/** A source that is asked for its version, which changes, and whose reads fail. */
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
  return { state, source: rememberStat(source, { milliseconds: 5000, now: () => state.now }) };
}

test('a version stands until its time is over; who asks at once asks once', async () => {
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
])('a %s that finds another version, or nothing, has it asked for anew', async (_, act) => {
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

test('a version that another replica has told of is looked for', async () => {
  const { state, source } = changingSource();
  await source.stat();
  state.version = '2';
  const asked: ReadOptions = { version: '2' };
  expect(await source.stat(asked)).toEqual({ size: 1, version: '2' });
  await source.stat(asked);
  expect(state.statCount).toBe(2);
});

test('a failure is not remembered, and without a time nothing is', async () => {
  let isThere = false;
  const failing: ByteSource = {
    ...changingSource().source,
    stat: async () => {
      if (isThere) return { size: 1 };
      throw CHANGED;
    },
  };
  const source = rememberStat(failing, { milliseconds: 1000 });
  await expect(source.stat()).rejects.toBe(CHANGED);
  isThere = true;
  expect(await source.stat()).toEqual({ size: 1 });
  expect(rememberStat(failing, { milliseconds: 0 })).toBe(failing);
});

test('those who were told of another version at the same time ask once', async () => {
  const { state, source } = changingSource();
  await source.stat();
  state.version = '2';
  const asked: ReadOptions = { version: '2' };
  await Promise.all(Array.from({ length: 20 }, () => source.stat(asked)));
  expect(state.statCount).toBe(2);
});

test('who goes while the store does not answer waits no longer, and others do', async () => {
  const { promise, resolve } = deferred<SourceStat>();
  const stalled: ByteSource = { ...changingSource().source, key: 'k', stat: () => promise };
  const source = rememberStat(stalled, { milliseconds: 1000 });
  const controller = new AbortController();
  const gone = source.stat({ signal: controller.signal });
  const other = source.stat();
  controller.abort();
  await expect(gone).rejects.toMatchObject({ code: 'ABORTED' });
  resolve({ size: 1, version: '1' });
  expect(await other).toEqual({ size: 1, version: '1' });
});

describe('of an index', () => {
  const options = (now: () => number, data?: ByteSource) => ({ milliseconds: 5000, now, data });
  const versioned = (state: { version: string }): ByteSource => ({
    ...changingSource().source,
    key: 'k',
    stat: async () => ({ size: 1, version: state.version }),
  });

  test('what was told before the data were looked at does not stand', async () => {
    const clock = { now: 0 };
    const files = { version: 'old' };
    const data = rememberStat(
      versioned(files),
      options(() => clock.now),
    );
    const index = rememberStat(
      versioned(files),
      options(() => clock.now, data),
    );
    await data.stat();
    clock.now = 4000;
    await index.stat();
    files.version = 'new';
    // Until the data are looked at again, both are what they were.
    expect([await data.stat(), await index.stat()].map(({ version }) => version)).toEqual(['old', 'old']);
    clock.now = 6000;
    expect([await data.stat(), await index.stat()].map(({ version }) => version)).toEqual(['new', 'new']);
  });

  test('nothing is remembered where it is not of the data', async () => {
    const files = { version: 'old' };
    const index = rememberStat(
      versioned(files),
      options(() => 0, versioned(files)),
    );
    await index.stat();
    files.version = 'new';
    expect((await index.stat()).version).toBe('new');
  });
});
