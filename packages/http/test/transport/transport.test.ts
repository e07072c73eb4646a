import { expect, test, vi } from 'vitest';
import { createTransport } from '../../src/transport/transport.js';

test('documents its defaults', () => {
  expect(createTransport()).toMatchObject({
    retries: 5,
    retryDelayMilliseconds: 250,
    maxRetryDelayMilliseconds: 30_000,
    maxRetryAfterMilliseconds: 120_000,
    timeoutMilliseconds: 30_000,
    stallMilliseconds: 30_000,
    maxRedirects: 20,
    allowInsecure: false,
  });
});

test('limits a stall by the timeout unless it has a limit of its own', () => {
  expect(createTransport({ timeoutMilliseconds: 5 }).stallMilliseconds).toBe(5);
  expect(createTransport({ timeoutMilliseconds: 5, stallMilliseconds: 7 })).toMatchObject({
    timeoutMilliseconds: 5,
    stallMilliseconds: 7,
  });
});

test('undefined means the default', () => {
  const options = { retries: undefined, sleep: undefined, now: undefined, random: undefined, fetch: undefined };
  const transport = createTransport(options);
  expect(transport.retries).toBe(5);
  for (const name of ['sleep', 'now', 'random', 'fetch'] as const) expect(transport[name]).toBeTypeOf('function');
});

test('looks the global fetch up when it is called, without a receiver', async () => {
  const { fetch } = createTransport();
  const receivers: unknown[] = [];
  vi.stubGlobal('fetch', async function (this: unknown) {
    receivers.push(this);
    return new Response('stubbed');
  });
  try {
    expect(await (await fetch('https://a.example/', {})).text()).toBe('stubbed');
  } finally {
    vi.unstubAllGlobals();
  }
  expect(receivers).toEqual([globalThis]);
});

test.each([
  { retries: -1 },
  { retries: 1.5 },
  { retryDelayMilliseconds: Number.NaN },
  { maxRetryDelayMilliseconds: -1 },
  { maxRetryAfterMilliseconds: 2 ** 31 },
  { timeoutMilliseconds: 0 },
  { maxRedirects: Number.POSITIVE_INFINITY },
])('refuses the options %o', (options) => {
  expect(() => createTransport(options)).toThrow(RangeError);
});
