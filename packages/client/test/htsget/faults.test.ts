import { createHash } from 'node:crypto';
import { dataUri, type Ticket, type TicketBlock } from '@htskit/protocol';
import { readFixture } from '@htskit/testing';
import { describe, expect, test, vi } from 'vitest';
import { type RetryEvent, type StreamOptions, streamTicket } from '../../src/index.js';
import { type Answer, collect, type RecordingServer, serve, withoutDelays } from '../listen.js';
import { type SendOptions, sendBytes, someText } from '../resource-server.js';

const BYTES = someText(300_000);

function textTicket(urls: readonly TicketBlock[], md5?: string): Ticket {
  return { htsget: { format: 'VCFTEXT', urls, ...(md5 !== undefined && { md5 }) } };
}

/** Downloads one block of the body, whose answers are those of the function. */
async function readBlock(
  answer: Answer,
  { headers, ...options }: StreamOptions & { readonly headers?: Record<string, string> } = {},
): Promise<{ readonly bytes: Uint8Array; readonly server: RecordingServer }> {
  const server = await serve({ '/block': answer });
  const ticket = textTicket([{ url: `${server.origin}/block`, class: 'body', ...(headers && { headers }) }]);
  const stream = streamTicket(ticket, { ...withoutDelays, class: 'body', ...options });
  return { bytes: await collect(stream), server };
}

/** The first answers fail so; the others are sound. */
function failing(count: number, options: SendOptions, sound: SendOptions = {}): Answer {
  return (request, response, rank) =>
    sendBytes(request, response, BYTES, rank < count ? { ...sound, ...options } : sound);
}

function rangesOf({ requests }: RecordingServer): (string | undefined)[] {
  return requests.map(({ headers }) => headers.range);
}

function isBytes(bytes: Uint8Array, expected: Uint8Array = BYTES): boolean {
  return Buffer.from(bytes).equals(expected);
}

describe('a block whose connection breaks', () => {
  test('continues at the byte where it broke', async () => {
    const { bytes, server } = await readBlock(failing(2, { breaksAfter: 100_000 }));
    expect(isBytes(bytes)).toBe(true);
    expect(rangesOf(server)).toEqual([undefined, 'bytes=100000-', 'bytes=200000-']);
  });

  test('continues within its own range', async () => {
    const headers = { Range: 'bytes=1000-250999' };
    const { bytes, server } = await readBlock(failing(1, { breaksAfter: 100_000 }), { headers });
    expect(isBytes(bytes, BYTES.subarray(1000, 251_000))).toBe(true);
    expect(rangesOf(server)).toEqual(['bytes=1000-250999', 'bytes=101000-250999']);
  });

  test.each([
    ['of the same bytes', {}],
    ['of the same ETag', { headers: { etag: '"1"' } }],
    ['without a length', { hasLength: false }],
  ])('is restarted without range support, and continues if it is one %s', async (_, options) => {
    const sound = { ...options, isRangeable: false };
    const { bytes, server } = await readBlock(failing(2, { breaksAfter: 100_000 }, sound));
    expect(isBytes(bytes)).toBe(true);
    expect(rangesOf(server)).toEqual([undefined, undefined, undefined]);
  });

  test.each([
    ['other bytes', false, {}],
    ['another ETag', false, { headers: { etag: '"2"' } }],
    ['another ETag of its ranges', true, { headers: { etag: '"2"' } }],
    ['no proof', true, { isRangeable: false }],
  ])('fails with CHANGED for %s', async (_, isRangeable, options) => {
    const answer: Answer = (request, response, count) => {
      const headers = { etag: '"1"' };
      if (count === 0)
        sendBytes(request, response, BYTES, {
          isRangeable,
          ...('headers' in options && { headers }),
          breaksAfter: 1000,
        });
      else
        sendBytes(
          request,
          response,
          BYTES.map((byte) => byte ^ 1),
          { isRangeable, ...options },
        );
    };
    await expect(readBlock(answer)).rejects.toMatchObject({ name: 'HtsgetClientError', code: 'CHANGED' });
  });

  test('fails when no retry is left', async () => {
    const delays: number[] = [];
    const server = await serve({ '/block': failing(100, { breaksAfter: 0 }) });
    const ticket = textTicket([{ url: `${server.origin}/block` }]);
    const onRetry = (event: { delayMilliseconds: number }): number => delays.push(event.delayMilliseconds);
    const stream = streamTicket(ticket, { ...withoutDelays, retries: 3, random: () => 0, onRetry });
    await expect(collect(stream)).rejects.toMatchObject({ code: 'NETWORK', isTransient: true });
    expect(server.requests.length).toBe(4);
    expect(delays).toEqual([125, 250, 500]);
  });

  test('that stalls is replaced by another one', async () => {
    let requests = 0;
    const errors: string[] = [];
    const answer: Answer = (request, response, count) => {
      requests++;
      if (count > 0) return sendBytes(request, response, BYTES);
      response.writeHead(200, { 'content-length': String(BYTES.length), 'accept-ranges': 'bytes' });
      response.write(BYTES.subarray(0, 50_000));
    };
    // Time passes from the first byte until the failure is reported.
    let isPassing = false;
    const pending: (() => void)[] = [];
    const sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        signal?.addEventListener('abort', () => resolve());
        if (milliseconds !== 60_000 || isPassing) setImmediate(resolve);
        else pending.push(resolve);
      });
    const onProgress = (): void => {
      isPassing = requests === 1;
      for (const resolve of pending.splice(0)) resolve();
    };
    const onRetry = ({ error }: RetryEvent): void => {
      isPassing = false;
      errors.push(error.code);
    };
    const { bytes, server } = await readBlock(answer, { sleep, onProgress, onRetry });
    expect(errors).toEqual(['STALLED']);
    expect(isBytes(bytes)).toBe(true);
    expect(rangesOf(server)).toEqual([undefined, 'bytes=50000-']);
  });

  test('is retried after the delay that the server requests', async () => {
    const events: unknown[] = [];
    const answer: Answer = (request, response, count) => {
      if (count === 0) response.writeHead(503, { 'retry-after': '7' }).end('{"htsget":{"error":"Busy"}}');
      else if (count === 1) response.writeHead(500).end();
      else sendBytes(request, response, BYTES);
    };
    const { bytes } = await readBlock(answer, { random: () => 0, onRetry: (event) => events.push(event) });
    expect(isBytes(bytes)).toBe(true);
    expect(events).toMatchObject([
      { attempt: 1, delayMilliseconds: 7000, error: { status: 503, error: 'Busy' } },
      { attempt: 2, delayMilliseconds: 250, error: { status: 500 } },
    ]);
  });
});

test.each([
  ['of the whole', `bytes 0-${BYTES.length - 1}/${BYTES.length}`],
  ['of an unknown whole', `bytes 0-${BYTES.length - 1}/*`],
  ['without a Content-Range', undefined],
])('a 206 %s is the answer to a request without a range', async (_, contentRange) => {
  const headers = contentRange === undefined ? undefined : { 'content-range': contentRange };
  const { bytes } = await readBlock((_request, response) => response.writeHead(206, headers).end(BYTES));
  expect(isBytes(bytes)).toBe(true);
});

test('a Content-Range need not say how long the whole is', async () => {
  const { bytes } = await readBlock(
    (_request, response) => response.writeHead(206, { 'content-range': 'bytes 0-9/*' }).end(BYTES.subarray(0, 10)),
    { headers: { range: 'bytes=0-9' } },
  );
  expect(isBytes(bytes, BYTES.subarray(0, 10))).toBe(true);
});

describe('an answer that contradicts itself is given up', () => {
  const RANGE = { Range: 'bytes=100-199' };

  test.each<[string, string, Answer, Record<string, string>]>([
    ['another range', 'INVALID_RESPONSE', partial('bytes 0-99/300000'), RANGE],
    ['a shorter range', 'INVALID_RESPONSE', partial('bytes 100-149/300000', 50), RANGE],
    ['a later range', 'INVALID_RESPONSE', partial('bytes 150-199/300000', 50), RANGE],
    ['a Content-Range that is none', 'INVALID_RESPONSE', partial('bytes 100-99/*'), RANGE],
    ['a range of another length', 'INVALID_RESPONSE', partial('bytes 100-199/300000', 99), RANGE],
    [
      'everything for a range',
      'INVALID_RESPONSE',
      (request, response) => sendBytes(request, response, BYTES, { isRangeable: false }),
      RANGE,
    ],
    ['a range for everything', 'INVALID_RESPONSE', partial('bytes 100-199/300000'), {}],
    ['a first range for everything', 'INVALID_RESPONSE', partial('bytes 0-99/300000'), {}],
    ['no content', 'SERVER_ERROR', (_request, response) => response.writeHead(204).end(), {}],
    [
      'a range beyond the end',
      'SERVER_ERROR',
      (request, response) => sendBytes(request, response, BYTES.subarray(0, 50)),
      RANGE,
    ],
  ])('%s', async (_, code, answer, headers) => {
    await expect(readBlock(answer, { headers })).rejects.toMatchObject({ name: 'HtsgetClientError', code });
  });

  function partial(contentRange: string, length = 100): Answer {
    return (_request, response) => {
      const headers = { 'content-range': contentRange, 'content-length': String(length) };
      response.writeHead(206, headers).end(BYTES.subarray(0, length));
    };
  }

  test.each([
    [1, 'TRUNCATED'],
    [-1, 'INVALID_RESPONSE'],
  ])('a body that is %i bytes off what was announced', async (difference, code) => {
    const fetch = async (): Promise<Response> =>
      new Response(BYTES.slice(), { headers: { 'content-length': String(BYTES.length + difference) } });
    const stream = streamTicket(textTicket([{ url: 'https://host/block' }]), { ...withoutDelays, fetch });
    await expect(collect(stream)).rejects.toMatchObject({ code });
  });
});

describe('a whole file', () => {
  const md5 = createHash('md5').update(BYTES).digest('hex');

  test('has the digest of its ticket', async () => {
    const ticket = textTicket([{ url: dataUri(BYTES) }], md5);
    expect(isBytes(await collect(streamTicket(ticket)))).toBe(true);
    const damaged = textTicket([{ url: dataUri(BYTES.subarray(0, -1)) }], md5);
    await expect(collect(streamTicket(damaged))).rejects.toMatchObject({ code: 'DIGEST_MISMATCH' });
  });

  test.each([
    ['BAM', 'reads.bam'],
    ['BCF', 'variants.bcf'],
    ['CRAM', 'reads.cram'],
  ] as const)('of %s has an end', async (format, name) => {
    const bytes = readFixture(name).subarray(0, -1);
    const ticket: Ticket = { htsget: { format, urls: [{ url: dataUri(bytes) }] } };
    await expect(collect(streamTicket(ticket))).rejects.toMatchObject({ code: 'TRUNCATED', isTransient: false });
    expect(isBytes(await collect(streamTicket(ticket, { verifyEnd: false })), bytes)).toBe(true);
  });
});

describe('a block with a Range header', () => {
  const headers = { Range: 'bytes=1000-250999', 'X-Key': 'k' };
  const expected = BYTES.subarray(1000, 251_000);

  test('is fetched in parts, each with all headers', async () => {
    const answer: Answer = (request, response) => sendBytes(request, response, BYTES);
    const { bytes, server } = await readBlock(answer, { headers, splitBytes: 100_000 });
    expect(isBytes(bytes, expected)).toBe(true);
    expect(new Set(rangesOf(server))).toEqual(
      new Set(['bytes=1000-100999', 'bytes=101000-200999', 'bytes=201000-250999']),
    );
    expect(server.requests.every((request) => request.headers['x-key'] === 'k')).toBe(true);
  });

  test('is fetched whole where its signature covers the range', async () => {
    const answer: Answer = (request, response) => {
      if (request.headers.range === headers.Range) sendBytes(request, response, BYTES);
      else response.writeHead(403).end();
    };
    const { bytes } = await readBlock(answer, { headers, splitBytes: 100_000 });
    expect(isBytes(bytes, expected)).toBe(true);
  });

  test('is given up where its parts come from two versions', async () => {
    const answer: Answer = (request, response, count) =>
      sendBytes(request, response, BYTES, { headers: { etag: `"${count}"` } });
    const reading = readBlock(answer, { headers, splitBytes: 100_000 });
    await expect(reading).rejects.toMatchObject({ code: 'CHANGED' });
  });
});

test('a signal of many downloads, each in many parts, has one listener, and none when they are over', async () => {
  const { signal } = new AbortController();
  const listen = vi.spyOn(signal, 'addEventListener');
  const stopListening = vi.spyOn(signal, 'removeEventListener');
  const server = await serve({ '/block': (request, response) => sendBytes(request, response, BYTES) });
  const ticket = textTicket(Array.from({ length: 12 }, () => ({ url: `${server.origin}/block` })));
  const options = { ...withoutDelays, concurrency: 12, signal };
  await Promise.all(Array.from({ length: 12 }, () => collect(streamTicket(ticket, options))));
  const left = listen.mock.calls.length - stopListening.mock.calls.length;
  expect([left, listen.mock.calls.length]).toEqual([0, 1]);
});
