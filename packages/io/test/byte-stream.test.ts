import { once } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { startByteStream, toByteStream } from '../src/byte-stream.js';
import { StorageError } from '../src/storage-error.js';

interface Generated {
  readonly chunks: AsyncGenerator<Uint8Array, void>;
  /** The number of chunks that were requested. */
  readonly asked: () => number;
  readonly ended: () => boolean;
}

/** Chunks of one byte, 1, 2, …, that fail after the last one if `error` is given. */
function generate(count: number, error?: Error): Generated {
  let asked = 0;
  let isEnded = false;
  async function* run(): AsyncGenerator<Uint8Array, void> {
    try {
      while (asked < count) yield Uint8Array.of(++asked);
      if (error !== undefined) throw error;
    } finally {
      isEnded = true;
    }
  }
  return { chunks: run(), asked: () => asked, ended: () => isEnded };
}

async function* prepend(first: Uint8Array, rest: AsyncGenerator<Uint8Array, void>): AsyncGenerator<Uint8Array, void> {
  yield first;
  yield* rest;
}

async function readAll(stream: ReadableStream<Uint8Array>): Promise<number[]> {
  return [...new Uint8Array(await new Response(stream).arrayBuffer())];
}

test.each([
  ['toByteStream', async (generated: Generated) => toByteStream(generated.chunks)],
  ['startByteStream', async (generated: Generated) => startByteStream(generated.chunks, () => undefined)],
])('%s gives every chunk, in order', async (_, create) => {
  expect(await readAll(await create(generate(5)))).toEqual([1, 2, 3, 4, 5]);
  expect(await readAll(await create(generate(0)))).toEqual([]);
});

test('a chunk is pulled when it is read, and the first one before a started stream is returned', async () => {
  const lazy = generate(5);
  toByteStream(lazy.chunks);
  expect(lazy.asked()).toBe(0);
  const started = generate(5);
  const reader = (await startByteStream(started.chunks, () => undefined)).getReader();
  expect(started.asked()).toBe(1);
  await reader.read();
  await reader.read();
  expect(started.asked()).toBe(2);
});

test('cancelling ends the generator, before and after the first read', async () => {
  const unread = generate(5);
  await (await startByteStream(unread.chunks, () => undefined)).cancel();
  expect(unread.ended()).toBe(true);
  const read = generate(5);
  const reader = (await startByteStream(read.chunks, () => undefined)).getReader();
  await reader.read();
  await reader.cancel();
  expect(read.ended()).toBe(true);
});

test('a failure before the first chunk rejects without calling onError', async () => {
  const onError = vi.fn<(error: unknown) => void>();
  await expect(startByteStream(generate(0, new Error('at once')).chunks, onError)).rejects.toThrow('at once');
  expect(onError).not.toHaveBeenCalled();
});

test('a later failure errors the stream and calls onError once', async () => {
  const onError = vi.fn<(error: unknown) => void>();
  const stream = await startByteStream(generate(2, new Error('later')).chunks, onError);
  await expect(readAll(stream)).rejects.toThrow('later');
  expect(onError.mock.calls).toEqual([[new Error('later')]]);
});

test('a failure after the cancellation is ignored', async () => {
  const onError = vi.fn<(error: unknown) => void>();
  let fail: (error: Error) => void = () => undefined;
  let start: () => void = () => undefined;
  const started = new Promise<void>((resolve) => {
    start = resolve;
  });
  async function* run(): AsyncGenerator<Uint8Array, void> {
    start();
    yield await new Promise<never>((_, reject) => {
      fail = reject;
    });
  }
  const chunks = run();
  const reader = (await startByteStream(prepend(Uint8Array.of(0), chunks), onError)).getReader();
  await reader.read();
  const read = reader.read();
  await started;
  const cancelled = reader.cancel();
  fail(new Error('too late'));
  await Promise.allSettled([read, cancelled]);
  expect(onError).not.toHaveBeenCalled();
});

const KEY = 'test';

/** Chunks 0, 1, 2 …, and what became of the generator. */
function countingChunks(count: number): {
  chunks: AsyncGenerator<Uint8Array, void>;
  begun: number[];
  ended: () => boolean;
} {
  const begun: number[] = [];
  let isEnded = false;
  async function* generate(): AsyncGenerator<Uint8Array, void> {
    try {
      for (let index = 0; index < count; index++) {
        begun.push(index);
        yield Uint8Array.of(index);
      }
    } finally {
      isEnded = true;
    }
  }
  return { chunks: generate(), begun, ended: () => isEnded };
}

describe('a chunk stream', () => {
  test('delivers the chunks in order, then ends', async () => {
    const { chunks, ended } = countingChunks(3);
    const reader = toByteStream(chunks, { signal: undefined, key: KEY }).getReader();
    const values: (Uint8Array | undefined)[] = [];
    for (let index = 0; index < 4; index++) values.push((await reader.read()).value);
    expect(values).toEqual([Uint8Array.of(0), Uint8Array.of(1), Uint8Array.of(2), undefined]);
    expect(ended()).toBe(true);
  });

  test('begins a chunk only when it is pulled', async () => {
    const { chunks, begun } = countingChunks(3);
    const reader = toByteStream(chunks, { signal: undefined, key: KEY }).getReader();
    await Promise.resolve();
    expect(begun).toEqual([]);
    await reader.read();
    await Promise.resolve();
    expect(begun).toEqual([0]);
  });

  test('ends the generator when it is cancelled', async () => {
    const { chunks, begun, ended } = countingChunks(3);
    const reader = toByteStream(chunks, { signal: undefined, key: KEY }).getReader();
    await reader.read();
    await reader.cancel();
    expect(begun).toEqual([0]);
    expect(ended()).toBe(true);
  });

  test('breaks off with the error of the generator', async () => {
    async function* fail(): AsyncGenerator<Uint8Array, void> {
      yield Uint8Array.of(0);
      throw new StorageError('UNAVAILABLE', 'no', { key: KEY });
    }
    const reader = toByteStream(fail(), { signal: undefined, key: KEY }).getReader();
    await reader.read();
    await expect(reader.read()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  test('errors and ends the generator when the signal is aborted between reads', async () => {
    const { chunks, ended } = countingChunks(3);
    const abortion = new AbortController();
    const reader = toByteStream(chunks, { signal: abortion.signal, key: KEY }).getReader();
    await reader.read();
    abortion.abort(new Error('gone'));
    await expect(reader.read()).rejects.toMatchObject({ code: 'ABORTED', key: KEY, cause: new Error('gone') });
    expect(ended()).toBe(true);
  });

  test('breaks off when the signal is aborted while a chunk is on its way', async () => {
    const gate = new EventTarget();
    const isBegun = once(gate, 'begun');
    let isEnded = false;
    async function* wait(): AsyncGenerator<Uint8Array, void> {
      try {
        gate.dispatchEvent(new Event('begun'));
        await once(gate, 'open');
        yield Uint8Array.of(0);
      } finally {
        isEnded = true;
      }
    }
    const abortion = new AbortController();
    const reader = toByteStream(wait(), { signal: abortion.signal, key: KEY }).getReader();
    const read = reader.read();
    await isBegun;
    abortion.abort();
    await expect(read).rejects.toMatchObject({ code: 'ABORTED' });
    expect(isEnded).toBe(false);
    gate.dispatchEvent(new Event('open'));
    await expect.poll(() => isEnded).toBe(true);
  });

  test('never starts the generator for a signal that is aborted already', async () => {
    const { chunks, begun } = countingChunks(3);
    const reader = toByteStream(chunks, { signal: AbortSignal.abort(), key: KEY }).getReader();
    await expect(reader.read()).rejects.toMatchObject({ code: 'ABORTED' });
    expect(begun).toEqual([]);
  });

  test.each(['read to its end', 'cancelled', 'failed'])(
    'no longer listens to the signal once it is %s',
    async (how) => {
      const abortion = new AbortController();
      const stopListening = vi.spyOn(abortion.signal, 'removeEventListener');
      const { chunks } = countingChunks(1);
      const reader = toByteStream(chunks, { signal: abortion.signal, key: KEY }).getReader();
      await reader.read();
      if (how === 'cancelled') await reader.cancel();
      if (how === 'failed') await chunks.throw(new Error('failed')).catch(() => undefined);
      if (how !== 'cancelled') await reader.read();
      expect(stopListening).toHaveBeenCalledTimes(1);
    },
  );
});
