import { expect, test, vi } from 'vitest';
import { startByteStream, toByteStream } from '../src/index.js';

interface Generated {
  readonly chunks: AsyncGenerator<Uint8Array, void>;
  /** Chunks that were asked for. */
  readonly asked: () => number;
  readonly ended: () => boolean;
}

/** Chunks of one byte, 1, 2, …, that fail behind the last one if `error` is given. */
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
