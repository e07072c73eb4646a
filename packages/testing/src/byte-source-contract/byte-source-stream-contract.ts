import { expect, test } from 'vitest';
import { type ContractSubject, failureCode, objectBytes } from './byte-source-subject.js';

/** Limit of the size of a chunk, because a stream must not be read as a whole. */
const MAX_CHUNK_BYTES = 2 ** 20;
/** Limit of what a backend may read ahead of a consumer that has taken one chunk. */
const MAX_AHEAD_BYTES = 2 ** 20;

const whole = { start: 0, end: objectBytes.length };

/** Waits for several turns of the event loop, in which a backend could read ahead. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Registers the tests of chunks, cancellation and aborted streams. */
export function streamTests(subject: () => ContractSubject): void {
  chunkTests(subject);
  cancelTests(subject);
  abortTests(subject);
}

function chunkTests(subject: () => ContractSubject): void {
  test('the chunks of a stream are neither empty nor large', async () => {
    const reader = subject().source.stream(whole).getReader();
    const sizes: number[] = [];
    for (let next = await reader.read(); !next.done; next = await reader.read()) sizes.push(next.value.length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(objectBytes.length);
    expect(Math.min(...sizes)).toBeGreaterThan(0);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_CHUNK_BYTES);
  });

  test('concurrent streams do not affect each other', async () => {
    const [left, right] = [subject().source.stream(whole), subject().source.stream({ start: 9, end: 999_999 })];
    const bytes = await Promise.all([left, right].map((stream) => new Response(stream).arrayBuffer()));
    const expected = [objectBytes, objectBytes.subarray(9, 999_999)];
    expect(bytes.map((buffer, i) => expected[i] !== undefined && Buffer.from(buffer).equals(expected[i]))).toEqual([
      true,
      true,
    ]);
  });

  test('the consumer owns the chunks of a stream', async () => {
    const { source } = subject();
    const reader = source.stream({ start: 0, end: 1_000 }).getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) next.value.fill(0);
    expect(await source.read({ start: 0, end: 1_000 })).toEqual(objectBytes.slice(0, 1_000));
  });

  test('a consumer that borrows the chunks of a stream can use each until it pulls the next one', async () => {
    const reader = subject().source.stream(whole, { isBorrowed: true }).getReader();
    const parts: Uint8Array[] = [];
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      await settle();
      parts.push(next.value.slice());
    }
    expect(Buffer.concat(parts).equals(objectBytes)).toBe(true);
  });
}

function cancelTests(subject: () => ContractSubject): void {
  test.each([0, 1, 2])('a stream can be cancelled after %i chunks, and the source can still be read', async (count) => {
    const { source } = subject();
    const reader = source.stream(whole).getReader();
    for (let i = 0; i < count; i++) await reader.read();
    await reader.cancel();
    expect((await reader.read()).done).toBe(true);
    expect(await source.read({ start: 0, end: 10 })).toEqual(objectBytes.slice(0, 10));
  });
}

/** Registers the tests of back-pressure, for subjects that count the bytes that their backend reads. */
export function backPressureTests(subject: () => ContractSubject): void {
  test('a stream reads nothing before it is pulled', async () => {
    const { source, bytesRead } = subject();
    if (bytesRead === undefined) throw new Error('the subject does not count');
    const before = bytesRead();
    const stream = source.stream(whole);
    await settle();
    expect(bytesRead() - before).toBe(0);
    await stream.cancel();
  });

  test('a stream waits for a slow consumer and stops when it is cancelled', async () => {
    const { source, bytesRead } = subject();
    if (bytesRead === undefined) throw new Error('the subject does not count');
    const before = bytesRead();
    const reader = source.stream(whole).getReader();
    const size = (await reader.read()).value?.length ?? 0;
    await settle();
    expect(bytesRead() - before).toBeLessThanOrEqual(size + MAX_AHEAD_BYTES);
    await reader.cancel();
    const cancelled = bytesRead();
    await settle();
    expect(bytesRead()).toBe(cancelled);
  });
}

function abortTests(subject: () => ContractSubject): void {
  test('aborting a stream errors it with ABORTED', async () => {
    const controller = new AbortController();
    const reader = subject().source.stream(whole, { signal: controller.signal }).getReader();
    await reader.read();
    controller.abort();
    const code = await failureCode(async () => {
      for (let next = await reader.read(); !next.done; next = await reader.read());
    });
    expect(code).toBe('ABORTED');
    expect(await failureCode(() => reader.closed)).toBe('ABORTED');
  });

  test('aborting a stream that has ended has no effect', async () => {
    const controller = new AbortController();
    const reader = subject().source.stream({ start: 0, end: 10 }, { signal: controller.signal }).getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read());
    controller.abort();
    expect(await failureCode(() => reader.closed)).toBeUndefined();
  });
}
