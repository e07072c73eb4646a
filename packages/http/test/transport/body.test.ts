import { describe, expect, test, vi } from 'vitest';
import {
  cancelBody,
  contentLength,
  discardBody,
  isEncoded,
  parsePartialContent,
  readBody,
  readBytes,
} from '../../src/transport/body.js';
import { FakeTransport, streamed } from './fake-transport.js';

const fake = (): FakeTransport => new FakeTransport(() => Promise.reject(new Error('no request is expected')));
const bytes = (...lengths: readonly number[]): Uint8Array[] => lengths.map((length) => new Uint8Array(length).fill(1));

/** The lengths of the chunks, and how they end. */
async function lengthsOf(chunks: AsyncIterable<Uint8Array>): Promise<{ lengths: number[]; error?: unknown }> {
  const lengths: number[] = [];
  try {
    for await (const chunk of chunks) lengths.push(chunk.length);
    return { lengths };
  } catch (error) {
    return { lengths, error };
  }
}

describe('readBody', () => {
  test('yields the chunks, none of them empty', async () => {
    expect(await lengthsOf(readBody(streamed(bytes(3, 0, 2)), fake().transport))).toEqual({ lengths: [3, 2] });
  });

  test('of a response without a body yields nothing, which is too short for a length', async () => {
    expect(await lengthsOf(readBody(new Response(null), fake().transport))).toEqual({ lengths: [] });
    const { error } = await lengthsOf(readBody(new Response(null), fake().transport, 1));
    expect(error).toMatchObject({ code: 'TRUNCATED' });
  });

  test('fails with a transient TRUNCATED for a shorter body', async () => {
    const { lengths, error } = await lengthsOf(readBody(streamed(bytes(3, 2)), fake().transport, 6));
    expect(lengths).toEqual([3, 2]);
    expect(error).toMatchObject({ code: 'TRUNCATED', isTransient: true, message: 'expected 6 bytes, found 5' });
  });

  test('fails with INVALID_RESPONSE for a longer body, before the excess', async () => {
    const { lengths, error } = await lengthsOf(readBody(streamed(bytes(3, 2)), fake().transport, 4));
    expect(lengths).toEqual([3]);
    expect(error).toMatchObject({ code: 'INVALID_RESPONSE', isTransient: false });
  });

  test('fails with a transient NETWORK if the connection breaks', async () => {
    const { lengths, error } = await lengthsOf(readBody(streamed(bytes(3), { end: 'break' }), fake().transport));
    expect(lengths).toEqual([3]);
    expect(error).toMatchObject({ code: 'NETWORK', isTransient: true, cause: new Error('reset') });
  });

  test('fails with a transient STALLED after a time limit without a byte, and cancels the body', async () => {
    const clock = fake();
    const response = streamed(bytes(3), { end: 'stall' });
    const reading = lengthsOf(readBody(response, clock.transport));
    await new Promise((resolve) => setImmediate(resolve));
    await clock.expire();
    await clock.expire();
    const { lengths, error } = await reading;
    expect(lengths).toEqual([3]);
    expect(error).toMatchObject({ code: 'STALLED', isTransient: true });
    expect(response.isCancelled()).toBe(true);
  });

  test('does not count the time that the caller takes', async () => {
    const clock = fake();
    const chunks = readBody(streamed(bytes(1, 2)), clock.transport);
    await chunks.next();
    for (let i = 0; i < 3; i++) await clock.expire();
    expect(await lengthsOf(chunks)).toEqual({ lengths: [2] });
  });

  test('fails with the reason of the signal, and cancels the body', async () => {
    const controller = new AbortController();
    const response = streamed([], { end: 'stall' });
    const reading = lengthsOf(readBody(response, { ...fake().transport, signal: controller.signal }));
    controller.abort('enough');
    expect((await reading).error).toBe('enough');
    expect(response.isCancelled()).toBe(true);
  });

  test('cancels the body when the caller stops', async () => {
    const response = streamed(bytes(1, 2));
    for await (const _chunk of readBody(response, fake().transport)) break;
    expect(response.isCancelled()).toBe(true);
  });
});

describe('readBytes', () => {
  test('returns the body', async () => {
    expect(await readBytes(streamed(bytes(3, 2)), 5, fake().transport)).toHaveLength(5);
  });

  test('fails with TOO_LARGE for a declared length over the limit, without reading', async () => {
    const response = streamed(bytes(3), { headers: { 'content-length': '6' } });
    await expect(readBytes(response, 5, fake().transport)).rejects.toMatchObject({ code: 'TOO_LARGE' });
    expect(response.isCancelled()).toBe(true);
  });

  test('fails with TOO_LARGE for a longer body, and cancels it', async () => {
    const response = streamed(bytes(3, 3, 3));
    await expect(readBytes(response, 5, fake().transport)).rejects.toMatchObject({ code: 'TOO_LARGE' });
    expect(response.isCancelled()).toBe(true);
  });

  test('fails with TRUNCATED for fewer bytes than declared', async () => {
    const response = streamed(bytes(3), { headers: { 'content-length': '4' } });
    await expect(readBytes(response, 5, fake().transport)).rejects.toMatchObject({ code: 'TRUNCATED' });
  });
});

describe('discardBody', () => {
  test('reads a short body to its end', async () => {
    const response = streamed(bytes(10, 10));
    await discardBody(response, fake().transport);
    expect([response.bodyUsed, response.isCancelled()]).toEqual([true, false]);
  });

  test.each([
    ['declared to be long', { headers: { 'content-length': '100000' } }],
    ['that turns out to be long', {}],
  ])('cancels a body %s', async (_, init) => {
    const response = streamed(bytes(40_000, 40_000, 40_000), init);
    await discardBody(response, fake().transport);
    expect(response.isCancelled()).toBe(true);
  });

  test('does not fail for a broken body, a locked one, or none', async () => {
    await expect(discardBody(streamed([], { end: 'break' }), fake().transport)).resolves.toBeUndefined();
    const locked = streamed(bytes(1));
    locked.body?.getReader();
    await expect(discardBody(locked, fake().transport)).resolves.toBeUndefined();
    const cancel = vi.spyOn(locked.body as ReadableStream, 'cancel');
    cancelBody(locked);
    expect(cancel).not.toHaveBeenCalled();
    await expect(discardBody(new Response(null), fake().transport)).resolves.toBeUndefined();
  });
});

test.each([
  [{ 'content-length': '5' }, 5],
  [{ 'content-length': '0' }, 0],
  [{ 'content-length': '5', 'content-encoding': 'identity' }, 5],
  [{ 'content-length': '5', 'content-encoding': 'gzip' }, undefined],
  [{ 'content-length': '-5' }, undefined],
  [{ 'content-length': '1234567890123456' }, undefined],
  [{}, undefined],
])('the headers %j declare a length of %s', (headers, length) => {
  expect(contentLength(new Headers(headers as Record<string, string>))).toBe(length);
});

test.each([
  [undefined, false],
  ['', false],
  ['Identity', false],
  ['gzip', true],
])('a body with Content-Encoding %j is encoded: %s', (value, expected) => {
  expect(isEncoded(new Headers(value === undefined ? {} : { 'content-encoding': value }))).toBe(expected);
});

describe('parsePartialContent', () => {
  const parse = (headers: Record<string, string>): unknown =>
    parsePartialContent(new Response(null, { status: 206, headers }), fake().transport);

  test.each([
    [{ 'content-range': 'bytes 5-9/100' }, { start: 5, end: 10, size: 100, length: 5 }],
    [
      { 'content-range': 'bytes 5-9/*', 'content-length': '5' },
      { start: 5, end: 10, size: undefined, length: 5 },
    ],
    [{ 'content-length': '5' }, { start: undefined, end: undefined, size: undefined, length: 5 }],
    [{}, { start: undefined, end: undefined, size: undefined, length: undefined }],
  ])('reads %j', (headers, expected) => {
    expect(parse(headers)).toEqual(expected);
  });

  test.each<Record<string, string>>([
    { 'content-range': 'bytes 9-5/100' },
    { 'content-range': 'bytes */100' },
    { 'content-range': 'lines 5-9/100' },
    { 'content-range': 'bytes 5-9/100', 'content-length': '6' },
    { 'content-range': 'bytes 5-9/100', 'content-encoding': 'gzip' },
  ])('refuses %j', (headers) => {
    expect(() => parse(headers)).toThrow(expect.objectContaining({ code: 'INVALID_RESPONSE' }));
  });
});
