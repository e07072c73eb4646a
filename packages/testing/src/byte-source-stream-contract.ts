import { expect, test } from 'vitest';
import { type ContractSubject, failureCode, objectBytes } from './byte-source-subject.js';

/** No chunk may be larger: a stream is read piece by piece, not as a whole. */
const MAX_CHUNK_BYTES = 2 ** 20;
/** How far a backend may read ahead of a consumer that has taken one chunk. */
const MAX_AHEAD_BYTES = 2 ** 20;

const whole = { start: 0, end: objectBytes.length };

/** Turns of the event loop in which a backend that reads ahead without being asked gives itself away. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** The part of the contract suite about chunks, back-pressure, cancellation and aborted streams. */
export function streamTests(subject: () => ContractSubject): void {
  chunkTests(subject);
  cancelTests(subject);
  abortTests(subject);
}

function chunkTests(subject: () => ContractSubject): void {
  test('a stream comes in chunks that are neither empty nor large', async () => {
    const reader = subject().source.stream(whole).getReader();
    const sizes: number[] = [];
    for (let next = await reader.read(); !next.done; next = await reader.read()) sizes.push(next.value.length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(objectBytes.length);
    expect(Math.min(...sizes)).toBeGreaterThan(0);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_CHUNK_BYTES);
  });

  test('streams at the same time do not disturb each other', async () => {
    const [left, right] = [subject().source.stream(whole), subject().source.stream({ start: 9, end: 999_999 })];
    const bytes = await Promise.all([left, right].map((stream) => new Response(stream).arrayBuffer()));
    const expected = [objectBytes, objectBytes.subarray(9, 999_999)];
    expect(bytes.map((buffer, i) => expected[i] !== undefined && Buffer.from(buffer).equals(expected[i]))).toEqual([
      true,
      true,
    ]);
  });

  test('chunks that were streamed belong to the consumer', async () => {
    const { source } = subject();
    const reader = source.stream({ start: 0, end: 1_000 }).getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) next.value.fill(0);
    expect(await source.read({ start: 0, end: 1_000 })).toEqual(objectBytes.slice(0, 1_000));
  });
}

function cancelTests(subject: () => ContractSubject): void {
  test.each([0, 1, 2])('a stream can be cancelled after %i chunks, and the source is still of use', async (count) => {
    const { source } = subject();
    const reader = source.stream(whole).getReader();
    for (let i = 0; i < count; i++) await reader.read();
    await reader.cancel();
    expect((await reader.read()).done).toBe(true);
    expect(await source.read({ start: 0, end: 10 })).toEqual(objectBytes.slice(0, 10));
  });
}

/** For subjects that tell how many bytes their backend has read. */
export function backPressureTests(subject: () => ContractSubject): void {
  test('a stream reads nothing before it is asked to', async () => {
    const { source, bytesRead } = subject();
    if (bytesRead === undefined) throw new Error('the subject does not count');
    const before = bytesRead();
    const stream = source.stream(whole);
    await settle();
    expect(bytesRead() - before).toBe(0);
    await stream.cancel();
  });

  test('a stream waits for a slow consumer, and stops when it is cancelled', async () => {
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
  test('aborting a stream breaks it off with ABORTED', async () => {
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

  test('aborting a stream that has ended changes nothing', async () => {
    const controller = new AbortController();
    const reader = subject().source.stream({ start: 0, end: 10 }, { signal: controller.signal }).getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read());
    controller.abort();
    expect(await failureCode(() => reader.closed)).toBeUndefined();
  });
}
