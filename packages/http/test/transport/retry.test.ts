import { describe, expect, test } from 'vitest';
import { HttpError, type HttpFailure } from '../../src/transport/http-error.js';
import { RetryState, readWithRetries, withRetries } from '../../src/transport/retry.js';
import type { AdmitAttempt, AdmittedAttempt, RetryEvent, TransportOptions } from '../../src/transport/transport.js';
import { FakeTransport } from './fake-transport.js';

const MiB = 1024 * 1024;

function fake(options: TransportOptions = {}): FakeTransport {
  return new FakeTransport(() => Promise.reject(new Error('no request is expected')), options);
}

/** Records how attempts end. Only the first call for an attempt counts, as `AdmittedAttempt` says. */
function recordAttempts(): { readonly ends: unknown[]; readonly admit: AdmitAttempt } {
  const ends: unknown[] = [];
  const admit = (): AdmittedAttempt => {
    const index = ends.push('running') - 1;
    const end = (how: unknown): void => {
      if (ends[index] === 'running') ends[index] = how;
    };
    return { succeed: () => end('success'), fail: (error) => end(error) };
  };
  return { ends, admit };
}

function failure(details: Partial<HttpFailure> = {}): HttpError {
  return new HttpError({ code: 'NETWORK', message: 'failed', isTransient: true, ...details });
}

/** Fails with these errors in turn, and then returns the number of calls. */
function failing(...errors: readonly unknown[]): () => Promise<number> {
  let count = 0;
  return async () => {
    const error = errors[count++];
    if (error !== undefined) throw error;
    return count;
  };
}

describe('withRetries', () => {
  test('retries five times, with a back-off that doubles', async () => {
    const { transport, delays } = fake();
    expect(await withRetries(transport, failing(...Array.from({ length: 5 }, () => failure())))).toBe(6);
    expect(delays).toEqual([125, 250, 500, 1000, 2000]);
  });

  test('throws the last failure when no retry is left', async () => {
    const last = failure();
    const { transport } = fake({ retries: 2 });
    await expect(withRetries(transport, failing(failure(), failure(), last))).rejects.toBe(last);
  });

  test('limits the back-off, half of which is random', async () => {
    const { transport, delays } = fake({
      retryDelayMilliseconds: 1000,
      maxRetryDelayMilliseconds: 2500,
      random: () => 0.5,
    });
    await withRetries(transport, failing(failure(), failure(), failure()));
    expect(delays).toEqual([750, 1500, 1875]);
  });

  test.each([
    ['an error that is not transient', failure({ isTransient: false })],
    ['an error without transience', new Error('other')],
    ['a value that is not an error', 'text'],
    ['a Retry-After over the limit', failure({ retryAfterMilliseconds: 120_001 })],
  ])('does not retry %s', async (_, error) => {
    const { transport, delays } = fake();
    await expect(withRetries(transport, failing(error))).rejects.toBe(error);
    expect(delays).toEqual([]);
  });

  test('waits for the longer of Retry-After and the back-off', async () => {
    const { transport, delays } = fake();
    await withRetries(
      transport,
      failing(failure({ retryAfterMilliseconds: 120_000 }), failure({ retryAfterMilliseconds: 1 })),
    );
    expect(delays).toEqual([120_000, 250]);
  });

  test('reports each retry', async () => {
    const events: RetryEvent[] = [];
    const { transport } = fake({ onRetry: (event) => events.push(event) });
    const [first, second] = [failure(), failure()];
    await withRetries(transport, failing(first, second));
    expect(events).toEqual([
      { error: first, attempt: 1, delayMilliseconds: 125 },
      { error: second, attempt: 2, delayMilliseconds: 250 },
    ]);
  });

  test('fails with the reason of a signal that is aborted before or during a delay', async () => {
    const controller = new AbortController();
    const { transport } = fake({ signal: controller.signal, onRetry: () => controller.abort('enough') });
    await expect(withRetries(transport, failing(failure()))).rejects.toBe('enough');
    await expect(withRetries(transport, failing())).rejects.toBe('enough');
  });
});

describe('admit', () => {
  const refusal = failure({ message: 'refused' });
  const refuse: AdmitAttempt = () => {
    throw refusal;
  };

  test('a refused attempt is neither made nor retried, although its error is transient', async () => {
    const { transport, delays } = fake({ admit: refuse });
    let attemptCount = 0;
    const attempt = async (): Promise<void> => void attemptCount++;
    await expect(withRetries(transport, attempt)).rejects.toBe(refusal);
    const read = readWithRetries(transport, async function* () {
      attemptCount++;
      yield new Uint8Array(1);
    });
    await expect(read.next()).rejects.toBe(refusal);
    expect([attemptCount, delays]).toEqual([0, []]);
  });

  test('learns how each attempt ends', async () => {
    const { ends, admit } = recordAttempts();
    const first = failure();
    await withRetries(fake({ admit }).transport, failing(first));
    expect(ends).toEqual([first, 'success']);
  });

  test('a transfer succeeds with its first chunk, also if it breaks or is given up later', async () => {
    const { ends, admit } = recordAttempts();
    const { transport } = fake({ admit });
    const broken = failure();
    let attemptCount = 0;
    const attempt = async function* (): AsyncGenerator<Uint8Array, void> {
      attemptCount++;
      if (attemptCount === 2) throw broken;
      yield new Uint8Array(1);
      throw failure();
    };
    const chunks = readWithRetries(transport, attempt);
    await chunks.next();
    expect(ends).toEqual(['success']);
    await chunks.next();
    expect(ends).toEqual(['success', broken, 'success']);
    await chunks.return();
    expect(ends).toEqual(['success', broken, 'success']);
  });

  test('a transfer without bytes succeeds when it ends', async () => {
    const { ends, admit } = recordAttempts();
    const attempt = async function* (): AsyncGenerator<Uint8Array, void> {};
    await readWithRetries(fake({ admit }).transport, attempt).next();
    expect(ends).toEqual(['success']);
  });
});

test('a RetryState forgets failures with 1 MiB of progress in between', async () => {
  const state = new RetryState(fake({ retries: 1 }).transport);
  await state.wait(failure());
  state.addProgress(MiB / 2);
  state.addProgress(MiB / 2);
  await state.wait(failure());
  state.addProgress(MiB - 1);
  await expect(state.wait(failure())).rejects.toMatchObject({ code: 'NETWORK' });
});

describe('readWithRetries', () => {
  /** Sends ten bytes, and breaks after so many of them in each attempt. */
  function source(lengths: readonly number[]): { attempt: () => AsyncGenerator<Uint8Array, void>; starts: number[] } {
    let position = 0;
    const starts: number[] = [];
    const attempt = async function* (): AsyncGenerator<Uint8Array, void> {
      const length = Math.min(lengths[starts.length] ?? 10, 10 - position);
      starts.push(position);
      const chunk = Uint8Array.from({ length }, (_, i) => position + i);
      position += length;
      if (length > 0) yield chunk;
      if (position < 10) throw failure();
    };
    return { attempt, starts };
  }

  async function collect(chunks: AsyncIterable<Uint8Array>): Promise<number[]> {
    const bytes: number[] = [];
    for await (const chunk of chunks) bytes.push(...chunk);
    return bytes;
  }

  test('continues where an attempt broke', async () => {
    const { attempt, starts } = source([3, 0, 4]);
    expect(await collect(readWithRetries(fake().transport, attempt))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(starts).toEqual([0, 3, 3, 7]);
  });

  test('fails at once if the transfer cannot continue', async () => {
    const { attempt, starts } = source([3]);
    await expect(collect(readWithRetries(fake().transport, attempt, () => false))).rejects.toMatchObject({
      code: 'NETWORK',
    });
    expect(starts).toEqual([0]);
  });

  test('ends the attempt when the caller stops', async () => {
    let isEnded = false;
    const attempt = async function* (): AsyncGenerator<Uint8Array, void> {
      try {
        for (;;) yield new Uint8Array(1);
      } finally {
        isEnded = true;
      }
    };
    for await (const _chunk of readWithRetries(fake().transport, attempt)) break;
    expect(isEnded).toBe(true);
  });
});
