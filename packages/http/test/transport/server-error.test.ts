import { describe, expect, test } from 'vitest';
import { isTransientStatus, parseRetryAfter, toServerError } from '../../src/transport/server-error.js';
import { createTransport } from '../../src/transport/transport.js';

const now = Date.parse('2026-11-21T10:00:00Z');

test.each([
  ['0', 0],
  ['7', 7_000],
  ['2030', 2_030_000],
  ['99999999999', 99_999_999_999_000],
  ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
  ['Sat, 21 Nov 2026 10:00:05 GMT', 5_000],
  ['Saturday, 21-Nov-26 10:00:05 GMT', 5_000],
  ['Sat Nov 21 10:00:05 2026', 5_000],
  ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
])('Retry-After "%s" is a delay of %i ms', (value, milliseconds) => {
  expect(parseRetryAfter(value, now)).toBe(milliseconds);
});

test.each([null, '', '-5', '+5', '1.5', '5, 10', '120s', '0x10', 'soon', 'Sat, 41 Nov 2026 10:00:00 GMT'])(
  'Retry-After %j is malformed or missing',
  (value) => {
    expect(parseRetryAfter(value, now)).toBeUndefined();
  },
);

describe('toServerError', () => {
  const transport = createTransport({ now: () => now });

  test('has the status, the body and the requested delay', async () => {
    const response = new Response('{"message":"later"}', { status: 503, headers: { 'retry-after': '7' } });
    expect(await toServerError(response, transport)).toMatchObject({
      code: 'SERVER_ERROR',
      status: 503,
      body: '{"message":"later"}',
      isTransient: true,
      retryAfterMilliseconds: 7000,
      message: 'the server answered HTTP 503',
    });
  });

  test('has an empty body if that is too long or broken', async () => {
    const long = new Response('x'.repeat(65_537), { status: 404 });
    expect(await toServerError(long, transport)).toMatchObject({ body: '', isTransient: false });
    const broken = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error('reset')) });
    expect(await toServerError(new Response(broken, { status: 404 }), transport)).toMatchObject({ body: '' });
  });

  test('fails with the reason of an aborted signal', async () => {
    const signal = AbortSignal.abort('enough');
    await expect(toServerError(new Response('no', { status: 404 }), { ...transport, signal })).rejects.toBe('enough');
  });
});

test('these statuses are transient: 408, 425, 429, 500, 502, 503, 504', () => {
  const statuses = Array.from({ length: 200 }, (_, index) => 400 + index).filter(isTransientStatus);
  expect(statuses).toEqual([408, 425, 429, 500, 502, 503, 504]);
});
